/// How sound is laid out in time: the rate, the channels, and the depth that is worth keeping.
public struct StreamFormat: Equatable, Sendable {
    /// Frames a second, in hertz.
    public let rate: Int
    /// Samples in a frame, interleaved.
    public let channels: Int
    /// The bits of a sample that carry sound, 16 or 24. In memory a sample is always 32 bits wide,
    /// with these bits on top.
    public let bits: Int

    /// A layout; all three numbers are above 0.
    public init(rate: Int, channels: Int, bits: Int) {
        precondition(rate > 0 && channels > 0 && bits > 0)
        self.rate = rate
        self.channels = channels
        self.bits = bits
    }
}
