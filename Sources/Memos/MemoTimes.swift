/// The instants of a memo's life, computed once when it begins and never moved.
public struct MemoTimes: Equatable, Sendable {
    /// When the take began.
    public let startedAt: Timestamp
    /// How far local clocks were ahead of UTC then, in seconds.
    public let utcOffset: Int
    /// From when it can be heard.
    public let showAt: Timestamp
    /// From when it is gone.
    public let expireAt: Timestamp

    /// A memo can be heard for exactly this long, on the day of a clock change too.
    public static let availableMilliseconds: Int64 = 24 * 3600 * 1000

    /// The rule of time: a memo shows at the first instant after its start at which the local day is a
    /// later one, and leaves 24 hours of elapsed time after that.
    ///
    /// - Parameters:
    ///   - start: the start of the take, or the moment of the import.
    ///   - dayStart: when a local day begins.
    ///   - day: a later day on which to show instead; one that is not later than the start's is passed over.
    public init(start: Timestamp, dayStart: DayStart, deliver day: CalendarDate? = nil) {
        let next = dayStart.localDay(at: start).adding(days: 1)
        startedAt = start
        utcOffset = LocalTime(at: start).utcOffset
        showAt = dayStart.firstInstant(after: start, on: max(day ?? next, next))
        expireAt = showAt.adding(milliseconds: Self.availableMilliseconds)
    }

    init(startedAt: Timestamp, utcOffset: Int, showAt: Timestamp, expireAt: Timestamp) {
        self.startedAt = startedAt
        self.utcOffset = utcOffset
        self.showAt = showAt
        self.expireAt = expireAt
    }
}
