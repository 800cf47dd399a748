/// What a recording hears, in a line: the time, a bar from −60 dBFS to full scale with the highest peak held
/// for a moment, the level, and how to stop.
public struct MeterText {
    private var heldDecibels = -Double.infinity
    private var heldUntil: Int64 = 0

    private static let leastDecibels = -60.0
    private static let holdMilliseconds: Int64 = 1_500

    /// A meter that has heard nothing yet.
    public init() {}

    /// The line of a moment.
    ///
    /// - Parameters:
    ///   - time: how long it has been recording, as a person reads it.
    ///   - decibels: the peak since the last line, below full scale.
    ///   - hint: what stands at the end where there is room for it.
    ///   - milliseconds: a clock that only goes forward.
    ///   - columns: the width of the terminal.
    public mutating func line(
        time: String, decibels: Double, hint: String, at milliseconds: Int64, columns: Int
    ) -> String {
        if decibels >= heldDecibels || milliseconds >= heldUntil {
            heldDecibels = decibels
            heldUntil = milliseconds + Self.holdMilliseconds
        }
        let level = decibels < Self.leastDecibels ? "silent" : "\(Int(decibels.rounded())) dB"
        let start = "● \(time)  "
        let end = "  " + String(repeating: " ", count: max(0, 6 - level.count)) + level
        // The last column stays free: a terminal that has it filled goes to the next line.
        var room = columns - 1 - start.count - end.count
        let hint = "  " + hint
        let hasHint = hint.count > 2 && room >= 10 + hint.count
        if hasHint { room -= hint.count }
        return start + bar(decibels, columns: max(0, room)) + end + (hasHint ? hint : "")
    }

    private func bar(_ decibels: Double, columns: Int) -> String {
        func position(_ decibels: Double) -> Int {
            let part = (max(Self.leastDecibels, min(0, decibels)) - Self.leastDecibels) / -Self.leastDecibels
            return Int((part * Double(columns)).rounded())
        }
        let filled = position(decibels)
        let held = position(heldDecibels)
        return String(
            (0..<columns).map { column in
                column < filled ? "▮" : column == held - 1 ? "▯" : "·"
            })
    }
}
