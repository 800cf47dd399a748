/// A channel's level, in a line: a bar from −60 dBFS to full scale, filled to the mean level and hollow from
/// there to the peak, with the highest peak held for a moment; and both in figures.
public struct MeterText {
    private var heldDecibels = -Double.infinity
    private var heldUntil: Int64 = 0

    private static let leastDecibels = -60.0
    private static let holdMilliseconds: Int64 = 1_500
    /// In fewer columns the bar is worth more than a second figure.
    private static let columnsForBoth = 56

    /// More meters than these would not leave room for the rest.
    static let most = 8

    /// What stands before the meter of a channel.
    static func label(_ channel: Int, of channels: Int) -> String {
        switch channels {
        case 1: "  "
        case 2: channel == 0 ? "L " : "R "
        default: "\(channel + 1) "
        }
    }

    /// A meter that has heard nothing yet.
    public init() {}

    /// The line of a moment.
    ///
    /// - Parameters:
    ///   - label: what stands before the bar.
    ///   - peak: the loudest sample since the last line, in decibels below full scale.
    ///   - rms: the mean level since the last line.
    ///   - milliseconds: a clock that only goes forward.
    ///   - columns: the width of the line.
    public mutating func line(
        label: String, peak: Double, rms: Double, at milliseconds: Int64, columns: Int
    ) -> String {
        if peak >= heldDecibels || milliseconds >= heldUntil {
            heldDecibels = peak
            heldUntil = milliseconds + Self.holdMilliseconds
        }
        let figures =
            columns >= Self.columnsForBoth
            ? "  peak" + Self.figure(peak) + "  rms" + Self.figure(rms) + " dBFS"
            : " " + Self.figure(peak) + " dB"
        return label + bar(peak, rms, columns: max(0, columns - label.count - figures.count)) + figures
    }

    /// A level in whole decibels, five columns wide; what is below the bar is given as its end.
    private static func figure(_ decibels: Double) -> String {
        let text = decibels < leastDecibels ? "<\(Int(leastDecibels))" : "\(Int(decibels.rounded()))"
        return String(repeating: " ", count: max(0, 5 - text.count)) + text
    }

    private func bar(_ peak: Double, _ rms: Double, columns: Int) -> String {
        func position(_ decibels: Double) -> Int {
            let part = (max(Self.leastDecibels, min(0, decibels)) - Self.leastDecibels) / -Self.leastDecibels
            return Int((part * Double(columns)).rounded())
        }
        let (mean, top, held) = (position(rms), position(peak), position(heldDecibels))
        return String(
            (0..<columns).map { column in
                column < mean ? "▮" : column < top ? "▯" : column == held - 1 ? "│" : "·"
            })
    }
}
