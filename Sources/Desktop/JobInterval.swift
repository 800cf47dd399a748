/// How often a job runs: one of the lengths that cron can repeat evenly, day after day.
public struct JobInterval: Equatable, Sendable {
    /// The length in minutes.
    public let minutes: Int

    /// What there is, in words.
    public static let choices =
        "1, 2, 3, 4, 5, 6, 10, 12, 15, 20 or 30 minutes, or 1, 2, 3, 4, 6, 8, 12 or 24 hours"

    /// All of them, the shortest first: what divides an hour, and what divides a day into hours.
    public static let all: [JobInterval] = {
        let minutes = (1...30).filter { 60 % $0 == 0 }
        let hours = (1...24).filter { 24 % $0 == 0 }
        return minutes.map { JobInterval(minutes: $0) } + hours.map { JobInterval(minutes: $0 * 60) }
    }()

    private init(minutes: Int) {
        self.minutes = minutes
    }

    /// An interval by its length, or nil when cron has none of that length.
    public init?(seconds: Double) {
        guard let interval = Self.all.first(where: { Double($0.minutes * 60) == seconds }) else { return nil }
        self = interval
    }

    /// An interval by the time fields of a line of ours, or nil when they are not ours.
    init?(cronFields: String) {
        guard let interval = Self.all.first(where: { $0.cronFields == cronFields }) else { return nil }
        self = interval
    }

    /// An interval by the `OnCalendar` of a timer of ours, or nil when it is not ours.
    init?(calendar: String) {
        guard let interval = Self.all.first(where: { $0.calendar == calendar }) else { return nil }
        self = interval
    }

    /// The five fields of a crontab line (`crontab(5)`).
    var cronFields: String {
        switch minutes {
        case 1: "* * * * *"
        case ..<60: "*/\(minutes) * * * *"
        case 60: "0 * * * *"
        case 24 * 60: "0 0 * * *"
        default: "0 */\(minutes / 60) * * *"
        }
    }

    /// The calendar event of a timer (`systemd.time(7)`).
    var calendar: String {
        switch minutes {
        case 1: "*:*"
        case ..<60: "*:0/\(minutes)"
        case 60: "*:00"
        case 24 * 60: "00:00"
        default: "0/\(minutes / 60):00"
        }
    }
}
