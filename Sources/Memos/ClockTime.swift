/// What a clock on the wall reads: `07:30` or `07:30:15`.
public struct ClockTime: Equatable, Sendable {
    /// Seconds after midnight, below 86,400.
    public let seconds: Int

    /// Reads `H:MM`, `HH:MM` or `HH:MM:SS`, or gives nil.
    public init?(_ text: String) {
        let fields = text.split(separator: ":", omittingEmptySubsequences: false)
        guard fields.count == 2 || fields.count == 3, fields[0].count <= 2 else { return nil }
        guard fields.dropFirst().allSatisfy({ $0.count == 2 }) else { return nil }
        let numbers = fields.compactMap { WholeNumber($0)?.value }
        guard numbers.count == fields.count, numbers[0] < 24, numbers.dropFirst().allSatisfy({ $0 < 60 })
        else { return nil }
        seconds = numbers[0] * 3600 + numbers[1] * 60 + (numbers.count == 3 ? numbers[2] : 0)
    }

    /// When the clock reads this next: today, or tomorrow when today's is past. A time that the clocks
    /// leap over comes with the first instant after the gap; of one that comes twice, the first counts.
    public func next(after instant: Timestamp) -> Timestamp {
        let local = LocalTime(at: instant)
        let date = local.secondOfDay < seconds ? local.date : local.date.adding(days: 1)
        return LocalClock.firstSecond(
            after: instant, reading: Int64(date.dayNumber) * 86_400 + Int64(seconds))
    }
}

/// A number written in ASCII digits alone: no sign, no spaces.
struct WholeNumber {
    let value: Int

    init?(_ text: some StringProtocol) {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let value = Int(text)
        else { return nil }
        self.value = value
    }
}
