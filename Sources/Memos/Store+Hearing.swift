/// What is remembered of hearing a memo. A row that is gone, or is another memo's by now, is left alone.
extension Store {
    /// Notes that a memo was heard to its end; next time it begins at its start.
    ///
    /// - Throws: ``StoreError``.
    public func markHeard(_ memo: Memo, at now: Timestamp) throws {
        try update(memo, "heard_at = ?3, position = NULL", .integer(now.milliseconds))
    }

    /// Notes where hearing a memo was broken off.
    ///
    /// - Parameter position: in frames from the file's first; nil for its start.
    /// - Throws: ``StoreError``.
    public func remember(position: Int64?, of memo: Memo) throws {
        try update(memo, "position = ?3", .optional(position))
    }

    /// Notes how loud a memo is.
    ///
    /// - Parameter loudness: in LUFS (EBU R 128).
    /// - Throws: ``StoreError``.
    public func remember(loudness: Double, of memo: Memo) throws {
        try update(memo, "loudness = ?3", .real(loudness))
    }

    private func update(_ memo: Memo, _ change: String, _ value: SQLValue) throws {
        try database.write {
            try database.run(
                "UPDATE memos SET \(change) WHERE id = ?1 AND file = ?2", .integer(memo.id), .text(memo.file),
                value)
        }
    }
}
