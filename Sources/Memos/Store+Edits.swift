/// What a person changes about a memo. The sound is never touched.
extension Store {
    /// Writes the title, the category and the trim of a memo into its row, as they stand in `memo`. What stood
    /// there before leaves no trace.
    ///
    /// - Returns: the memo as it is then, or nil when it is gone.
    /// - Throws: ``StoreError``; the row is then as it was.
    @discardableResult
    public func edit(_ memo: Memo) throws -> Memo? {
        try write {
            guard let id = try numbers(of: memo).first else { return nil }
            try database.run(
                "UPDATE memos SET title = ?, category = ?, first_frame = ?, end_frame = ? WHERE id = ?",
                .optional(memo.title), .optional(memo.category), .optional(memo.sound?.trim?.lowerBound),
                .optional(memo.sound?.trim?.upperBound), .integer(id))
            return try memos(where: "id = ?", .integer(id)).first
        }
    }

    /// A memo as it is now, or nil when it is gone. It may have another number, as the database was lost, and
    /// its file another format.
    ///
    /// - Throws: ``StoreError``.
    public func current(_ memo: Memo) throws -> Memo? {
        guard let id = try numbers(of: memo).first else { return nil }
        return try memos(where: "id = ?", .integer(id)).first
    }

    /// The numbers that a memo has now, by its file, whatever that ends in; the number alone could be another
    /// memo's by now, where the database was lost.
    func numbers(of memo: Memo) throws -> [Int64] {
        guard let name = AudioFileName(memo.file) else { return [memo.id] }
        let pattern = SQLValue.text(name.memo + ".*")
        let usual = try database.rows(
            "SELECT id FROM memos WHERE id = ? AND file GLOB ?", .integer(memo.id), pattern
        ) { $0.int64(0) }
        if !usual.isEmpty { return usual }
        return try database.rows("SELECT id FROM memos WHERE file GLOB ?", pattern) { $0.int64(0) }
    }

    /// The markers of memos, by the memos' numbers.
    static func markers(
        in database: Database, where condition: String, _ values: [SQLValue]
    ) throws(StoreError) -> [Int64: [Marker]] {
        let statement = try Statement(
            database, "SELECT memo, frame, text FROM markers WHERE \(condition) ORDER BY memo, frame, rowid")
        statement.bind(values)
        var markers: [Int64: [Marker]] = [:]
        while try statement.step() {
            markers[statement.int64(0), default: []].append(
                Marker(frame: statement.amount(1), text: statement.optionalText(2)))
        }
        return markers
    }

    /// Adds a marker to a take that is being recorded.
    ///
    /// - Throws: ``StoreError``.
    public func add(_ marker: Marker, to take: Take) throws {
        try write {
            try database.run(
                "INSERT INTO markers (memo, frame, text) SELECT id, ?, ? FROM memos WHERE id = ? AND file = ?",
                .integer(marker.frame), .optional(marker.text), .integer(take.memo.id), .text(take.memo.file))
        }
    }

    /// Adds markers to a finished memo, and takes some away. What was taken away leaves no trace.
    ///
    /// - Parameters:
    ///   - added: each at its place among the others.
    ///   - removed: which of the markers that the memo has now, counted from 0 in their order.
    /// - Returns: the memo as it is then, or nil when it is gone.
    /// - Throws: ``StoreError``; the markers are then as they were.
    @discardableResult
    public func edit(_ memo: Memo, adding added: [Marker] = [], removing removed: Set<Int> = []) throws
        -> Memo?
    {
        try write { () -> Memo? in
            guard var memo = try current(memo) else { return nil }
            let kept = memo.markers.enumerated().filter { !removed.contains($0.offset) }.map(\.element)
            memo.markers = (kept + added).sorted { $0.frame < $1.frame }
            try replaceMarkers(of: memo)
            return memo
        }
    }

    /// Puts a memo's markers in place of those it has.
    func replaceMarkers(of memo: Memo) throws(StoreError) {
        try database.run("DELETE FROM markers WHERE memo = ?", .integer(memo.id))
        let statement = try Statement(database, "INSERT INTO markers (memo, frame, text) VALUES (?, ?, ?)")
        for marker in memo.markers {
            try statement.run([.integer(memo.id), .integer(marker.frame), .optional(marker.text)])
        }
    }
}
