/// When a local day begins: midnight, or later for people who go to bed late.
public struct DayStart: Equatable, Sendable {
    /// Seconds after midnight, below 86,400.
    public let seconds: Int

    /// 00:00.
    public static let midnight = DayStart(seconds: 0)

    private init(seconds: Int) {
        self.seconds = seconds
    }

    /// Reads a clock time such as `04:00`, or nil when it is none.
    public init?(_ text: String) {
        guard let clock = ClockTime(text) else { return nil }
        self.init(seconds: clock.seconds)
    }

    /// The local day of an instant: its calendar date, minus one while the clock reads before the start.
    public func localDay(at instant: Timestamp) -> CalendarDate {
        let local = LocalTime(at: instant)
        return local.secondOfDay < seconds ? local.date.adding(days: -1) : local.date
    }

    /// The first whole second after an instant at which a day has come, however the clocks change.
    ///
    /// - Parameter day: later than the local day of `instant`.
    public func firstInstant(after instant: Timestamp, on day: CalendarDate) -> Timestamp {
        LocalClock.firstSecond(after: instant, reading: Int64(day.dayNumber) * 86_400 + Int64(seconds))
    }
}
