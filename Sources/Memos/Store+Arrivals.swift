/// Whom somebody has to be told of: what has arrived, and what is about to leave unheard.
extension Store {
    /// The memos that can be heard, were not heard yet, and were not announced, by number.
    ///
    /// - Throws: ``StoreError``.
    public func arrivals(at now: Timestamp) throws -> [Memo] {
        try available(at: now, and: "announced_at IS NULL", until: now.adding(milliseconds: .max / 2))
    }

    /// The memos that can be heard, were not heard yet, leave soon, and of which nobody was reminded, by number.
    ///
    /// - Parameter milliseconds: how soon.
    /// - Throws: ``StoreError``.
    public func leaving(at now: Timestamp, within milliseconds: Int64) throws -> [Memo] {
        try available(at: now, and: "reminded_at IS NULL", until: now.adding(milliseconds: milliseconds))
    }

    private func available(at now: Timestamp, and condition: String, until end: Timestamp) throws -> [Memo] {
        let end = min(end, now.adding(milliseconds: MemoTimes.availableMilliseconds))
        return try memos(
            where: """
                expire_at > ? AND expire_at <= ? AND frames IS NOT NULL AND heard_at IS NULL AND \(condition) \
                ORDER BY id
                """, .integer(now.milliseconds), .integer(end.milliseconds))
    }

    /// Notes that memos were announced. Of several processes that do so at once, one gets each memo: it is the one
    /// that is to tell.
    ///
    /// - Returns: the numbers of those that nobody had announced before.
    /// - Throws: ``StoreError``; then none is noted.
    @discardableResult
    public func markAnnounced(ids: [Int64], at now: Timestamp) throws -> [Int64] {
        try mark("announced_at", ids, now)
    }

    /// Notes that somebody was reminded of memos, as ``markAnnounced(ids:at:)`` does.
    ///
    /// - Returns: the numbers of those of which nobody was reminded before.
    /// - Throws: ``StoreError``; then none is noted.
    @discardableResult
    public func markReminded(ids: [Int64], at now: Timestamp) throws -> [Int64] {
        try mark("reminded_at", ids, now)
    }

    private func mark(_ column: String, _ ids: [Int64], _ now: Timestamp) throws -> [Int64] {
        if ids.isEmpty { return [] }
        return try write {
            try ids.filter { id in
                try database.run(
                    "UPDATE memos SET \(column) = ? WHERE id = ? AND \(column) IS NULL",
                    .integer(now.milliseconds), .integer(id))
                return database.changes > 0
            }
        }
    }
}
