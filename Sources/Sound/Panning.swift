import Glibc

/// How loud each channel is when the sound moves to one side.
enum Panning {
    /// The factors of the channels: of constant power, so that the squares of left and right always add up to
    /// 2, and exactly 1 in the middle. At the end, one side is silent and the other is at +3 dB. Channels that
    /// are on neither side stay as they are, mono among them.
    ///
    /// - Parameter pan: from −1, left, to 1, right.
    static func gains(pan: Double, channels: Int) -> [Double] {
        ChannelPosition.layout(channels: channels).map { position in
            if pan == 0 || position.side == 0 { return 1 }
            // The sine of exactly half a turn is not quite 0.
            if pan == -position.side { return 0 }
            return 2.0.squareRoot() * sin((1 + pan * position.side) * .pi / 4)
        }
    }
}
