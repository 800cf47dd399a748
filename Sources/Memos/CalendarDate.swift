import Glibc

/// A date of the calendar, without a zone or a time.
public struct CalendarDate: Comparable, Hashable, Sendable {
    /// Days since 1970-01-01.
    public let dayNumber: Int

    /// A date by its distance from 1970-01-01.
    public init(dayNumber: Int) {
        self.dayNumber = dayNumber
    }

    /// A date by its parts (`timegm`), or nil where the calendar has no such day.
    public init?(year: Int, month: Int, day: Int) {
        var parts = tm()
        parts.tm_year = Int32(clamping: year - 1900)
        parts.tm_mon = Int32(clamping: month - 1)
        parts.tm_mday = Int32(clamping: day)
        let number = timegm(&parts) / 86_400
        self.init(dayNumber: number)
        guard self.parts == (year, month, day) else { return nil }
    }

    /// The year, the month from 1 and the day from 1 (`gmtime_r`).
    public var parts: (year: Int, month: Int, day: Int) {
        var time = time_t(dayNumber) * 86_400
        var parts = tm()
        gmtime_r(&time, &parts)
        return (Int(parts.tm_year) + 1900, Int(parts.tm_mon) + 1, Int(parts.tm_mday))
    }

    /// The day of the week, 0 for Sunday.
    public var weekday: Int {
        ((dayNumber + 4) % 7 + 7) % 7
    }

    /// The date this many days later.
    public func adding(days: Int) -> CalendarDate {
        CalendarDate(dayNumber: dayNumber + days)
    }

    /// Compares dates.
    public static func < (left: CalendarDate, right: CalendarDate) -> Bool {
        left.dayNumber < right.dayNumber
    }
}
