/// What the store remembers of itself: when it was last used, and how its last `expire` went.
extension Store {
    /// Whether the clock is believed when it says that memos are over.
    func clockTrust(at now: Timestamp) throws -> ClockTrust {
        let state = try database.rows("SELECT active_at, leapt_at FROM state") {
            (active: $0.optionalInt64(0), leapt: $0.optionalInt64(1))
        }
        .first
        // A database that was lost does not know; but then a memo that began has been used.
        let active = try state?.active ?? database.number("SELECT max(started_at) FROM memos")
        return ClockTrust.of(
            now: now, lastActivity: active.map(Timestamp.init(milliseconds:)),
            leapSeen: (state?.leapt ?? nil).map(Timestamp.init(milliseconds:)),
            isSynchronised: isClockSynchronised)
    }

    /// Notes that the store is used, in a writing transaction. Under a clock that is doubted, notes that instead.
    func noteActivity(at now: Timestamp) throws {
        try note(try clockTrust(at: now), at: now)
    }

    private func note(_ trust: ClockTrust, at now: Timestamp) throws {
        switch trust {
        case .trusted:
            try database.run("UPDATE state SET active_at = ?, leapt_at = NULL", .integer(now.milliseconds))
        case .doubted(let since):
            try database.run("UPDATE state SET leapt_at = ?", .integer(since.milliseconds))
        }
    }

    /// Notes how an `expire` went. Where nothing can be written, that was no reason not to remove what is over.
    func noteExpiry(at now: Timestamp, under trust: ClockTrust, worked: Bool) {
        try? database.write {
            try note(trust, at: now)
            try database.run(
                "UPDATE state SET expired_at = ?, expiry_worked = ?", .integer(now.milliseconds),
                .integer(worked ? 1 : 0))
        }
    }

    /// When `expire` last ran on this store, and whether it could do all that there was to do; nil when it never
    /// ran.
    ///
    /// - Throws: ``StoreError``.
    public var lastExpiry: (at: Timestamp, worked: Bool)? {
        get throws {
            try database.rows("SELECT expired_at, expiry_worked FROM state WHERE expired_at IS NOT NULL") {
                (Timestamp(milliseconds: $0.int64(0)), $0.int64(1) != 0)
            }
            .first
        }
    }
}
