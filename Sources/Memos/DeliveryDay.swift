/// The day on which a memo is to show, as a person says it: `2026-12-24`, `fri`, `+3d`, `tomorrow`.
public enum DeliveryDay: Equatable, Sendable {
    /// A date of the calendar.
    case date(CalendarDate)
    /// The next day of that name, never today; 0 is Sunday.
    case weekday(Int)
    /// So many days from today.
    case days(Int)

    private static let weekdays = [
        "sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
    ]
    /// A century: beyond it a date is a slip of the finger.
    private static let mostDays = 36_525

    /// Reads a day, or gives nil when it is none.
    public init?(_ text: String) {
        let word = text.lowercased()
        if word == "today" || word == "tomorrow" {
            self = .days(word == "today" ? 0 : 1)
        } else if let weekday = Self.weekdays.firstIndex(where: { $0 == word || $0.prefix(3) == word }) {
            self = .weekday(weekday)
        } else if word.hasPrefix("+"), word.hasSuffix("d"),
            let days = WholeNumber(word.dropFirst().dropLast())
        {
            guard days.value <= Self.mostDays else { return nil }
            self = .days(days.value)
        } else {
            let fields = word.split(separator: "-", omittingEmptySubsequences: false)
            let numbers = fields.compactMap { WholeNumber($0)?.value }
            guard numbers.count == 3, fields.map(\.count) == [4, 2, 2],
                let date = CalendarDate(year: numbers[0], month: numbers[1], day: numbers[2])
            else { return nil }
            self = .date(date)
        }
    }

    /// The date that is meant, seen from a local day; nil when it is that day, earlier, or more than a
    /// century away.
    public func resolved(from today: CalendarDate) -> CalendarDate? {
        let day =
            switch self {
            case .date(let date): date
            case .weekday(let weekday): today.adding(days: (weekday - today.weekday + 6) % 7 + 1)
            case .days(let days): today.adding(days: days)
            }
        return day > today && day <= today.adding(days: Self.mostDays) ? day : nil
    }
}
