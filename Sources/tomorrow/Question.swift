import Linux
import Terminal

/// A question that only a `y` of its own answers: not the letters of a word that was pasted, nor keys that were on
/// their way when it was asked.
struct Question {
    /// What is asked.
    let text: String
    private let askedAt = MonotonicClock.milliseconds

    /// Nobody reads a question and answers it sooner.
    private static let leastMilliseconds: Int64 = 150

    init(_ text: String) {
        self.text = text + " [y/N]"
    }

    /// Whether the keys that came together say yes; nil when they came too soon to be an answer.
    func isYes(_ keys: [Key]) -> Bool? {
        guard MonotonicClock.milliseconds - askedAt >= Self.leastMilliseconds else { return nil }
        return keys == [.character("y")]
    }
}
