/// How things stand, in numbers.
extension Store {
    /// What ``overview(at:)`` counts.
    public struct Overview: Equatable, Sendable {
        /// Memos that can be heard.
        public var availableCount = 0
        /// Those of them that were not heard yet.
        public var unheardCount = 0
        /// Memos that wait for their day.
        public var waitingCount = 0
        /// When the next one opens, or nil.
        public var nextArrival: Timestamp?
        /// When the next one that can be heard leaves, or nil.
        public var nextDeparture: Timestamp?
        /// The size of the files of all these.
        public var bytes: Int64 = 0

        /// An empty store.
        public init() {}
    }

    /// Counts, by sums that SQLite makes; those of what waits need the index alone.
    ///
    /// - Throws: ``StoreError``.
    public func overview(at now: Timestamp) throws -> Overview {
        let border = now.adding(milliseconds: MemoTimes.availableMilliseconds)
        var overview = Overview()
        _ = try database.rows(
            """
            SELECT count(*), count(*) - count(heard_at), min(expire_at), sum(bytes) FROM memos
            WHERE expire_at > ? AND expire_at <= ? AND frames IS NOT NULL
            """, .integer(now.milliseconds), .integer(border.milliseconds)
        ) {
            overview.availableCount = Int($0.int64(0))
            overview.unheardCount = Int($0.int64(1))
            overview.nextDeparture = $0.optionalInt64(2).map(Timestamp.init(milliseconds:))
            overview.bytes += $0.amount(3)
        }
        _ = try database.rows(
            "SELECT count(*), sum(bytes) FROM memos WHERE expire_at > ?", .integer(border.milliseconds)
        ) {
            overview.waitingCount = Int($0.int64(0))
            overview.bytes += $0.amount(1)
        }
        overview.waitingCount -= try unfinishedCount(after: border)
        overview.nextArrival = try database.number(
            "SELECT expire_at FROM memos WHERE expire_at > ? AND bytes IS NOT NULL ORDER BY expire_at LIMIT 1",
            .integer(border.milliseconds)
        ).map { Timestamp(milliseconds: $0).adding(milliseconds: -MemoTimes.availableMilliseconds) }
        return overview
    }

    /// How many memos wait for their day: all that leave later than a day from now, but for the takes that are not
    /// finished. SQLite counts fast what it need not look at.
    ///
    /// - Throws: ``StoreError``.
    public func waitingCount(at now: Timestamp) throws -> Int {
        let border = now.adding(milliseconds: MemoTimes.availableMilliseconds)
        let count = try database.number(
            "SELECT count(*) FROM memos WHERE expire_at > ?", .integer(border.milliseconds))
        return Int(count ?? 0) - (try unfinishedCount(after: border))
    }

    /// The plus keeps SQLite to the small index of what is not finished.
    private func unfinishedCount(after border: Timestamp) throws -> Int {
        Int(
            try database.number(
                "SELECT count(*) FROM memos WHERE frames IS NULL AND +expire_at > ?",
                .integer(border.milliseconds)) ?? 0)
    }
}
