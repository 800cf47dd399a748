import Glibc

/// The C library's local time: what `date` shows, for every form of `TZ` and /etc/localtime.
public struct LocalTime: Equatable, Sendable {
    /// The calendar date.
    public let date: CalendarDate
    /// What the clock reads, in seconds after midnight.
    public let secondOfDay: Int
    /// How far the clock is ahead of UTC, in seconds.
    public let utcOffset: Int

    /// The local time of an instant (`localtime_r`).
    public init(at instant: Timestamp) {
        self.init(at: instant, utcOffset: Self.utcOffset(seconds: instant.seconds))
    }

    /// The time on a clock that is so many seconds ahead of UTC.
    public init(at instant: Timestamp, utcOffset offset: Int) {
        let wall = Self.dividing(instant.seconds + Int64(offset), by: 86_400)
        date = CalendarDate(dayNumber: Int(wall.quotient))
        secondOfDay = Int(wall.remainder)
        utcOffset = offset
    }

    /// How far local clocks are ahead of UTC at an instant, in seconds.
    static func utcOffset(seconds: Int64) -> Int {
        var time = time_t(seconds)
        var broken = tm()
        // localtime_r alone need not look at TZ; once is enough, as TZ does not change under a process.
        _ = Self.zone
        localtime_r(&time, &broken)
        return broken.tm_gmtoff
    }

    private static let zone: Void = tzset()

    /// Division that rounds down, so that days before 1970 are right too.
    static func dividing(_ value: Int64, by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let result = value.quotientAndRemainder(dividingBy: divisor)
        return result.remainder < 0
            ? (result.quotient - 1, result.remainder + divisor) : (result.quotient, result.remainder)
    }
}
