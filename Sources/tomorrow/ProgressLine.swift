import Linux
import Terminal

/// A line on a terminal that says how far something is, where that takes more than a moment.
struct ProgressLine {
    private let what: String
    private let begin = MonotonicClock.milliseconds
    private var drawnAt: Int64?

    /// A person is told what is waited for after so long.
    private static let patienceMilliseconds: Int64 = 1_000
    private static let redrawMilliseconds: Int64 = 100
    /// Together with what is before it, the bar fits on a terminal of 80 columns.
    private static let barColumns = 26
    private static let mostColumns = 40

    /// - Parameter what: such as “Encoding as mp3”; what is too long is cut.
    init(_ what: String) {
        self.what = VisibleText.cut(VisibleText.of(what), columns: Self.mostColumns)
    }

    /// Draws it anew, if it is time to.
    ///
    /// - Parameter fraction: how much is done, from 0 to 1.
    mutating func show(_ fraction: Double) {
        show {
            let full = Int(fraction * Double(Self.barColumns))
            let bar =
                String(repeating: "▮", count: full) + String(repeating: "▯", count: Self.barColumns - full)
            return "\(Int(fraction * 100)) %  \(bar)"
        }
    }

    /// Draws it anew, if it is time to, where nobody knows how much there will be.
    mutating func show(bytes: Int64) {
        show { HumanText.size(bytes) }
    }

    private mutating func show(_ text: () -> String) {
        let now = MonotonicClock.milliseconds
        guard now - begin >= Self.patienceMilliseconds, now - (drawnAt ?? 0) >= Self.redrawMilliseconds,
            Console.canRedraw
        else { return }
        drawnAt = now
        Console.draw(["\(what) … \(text())"])
    }
}
