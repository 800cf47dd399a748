import Glibc
internal import Linux

/// A new database in the place of a damaged one.
///
/// The files are the memos: their names say when each may be heard and when it goes. What can still be read of the
/// damaged database, such as titles, is taken over; then it is deleted. It is not kept, as it holds what is over, or
/// will be, and nobody could take that out of it.
extension Store {
    /// Puts the damaged database aside, makes a new one from the files, and takes over what can be read. It may be
    /// cut anywhere; the next ``expire(at:dryRun:force:)`` goes on.
    ///
    /// - Parameters:
    ///   - path: the store's folder.
    ///   - formats: as for ``init(path:formats:)``.
    /// - Returns: the store, and how many memos kept what was known of them.
    /// - Throws: ``StoreError``.
    public static func rebuild(path: String, formats: [String: String]) throws -> (
        store: Store, takenOverCount: Int
    ) {
        // The journal first: beside a new database it would be taken for that one's.
        for ending in ["-journal", ""] {
            let (old, aside) = (path + "/memos.db" + ending, damagedPath(path) + ending)
            if Glibc.rename(old, aside) != 0, errno != ENOENT {
                throw StoreError(attempt: "move \(old) aside", reason: SystemError.last.reason)
            }
        }
        let store = try Store(path: path, formats: formats)
        if store.isInMemory {
            throw StoreError(
                attempt: "make \(path)/memos.db anew", reason: SystemError(code: ENOSPC).reason, code: 13)
        }
        return (store, try store.takeOverDamaged() ?? 0)
    }

    private static func damagedPath(_ path: String) -> String { path + "/memos.db.damaged" }

    /// Takes over what can be read of a database that was put aside, and deletes that.
    ///
    /// - Returns: of how many memos something was known; nil where there is no such database, or no room for what is
    ///   in it.
    /// - Throws: ``StoreError``; then the damaged database is still there.
    func takeOverDamaged() throws -> Int? {
        let aside = Self.damagedPath(path)
        guard !isInMemory, Self.isThere(aside) else { return nil }
        let old = try Self.readable(aside)
        let count = try write { () -> Int in
            try raiseNumbers(above: old.highest)
            return try old.memos.count { try takeOver($0) }
        }
        for ending in ["", "-journal"] { unlink(aside + ending) }
        return count
    }

    /// Writes what was known of a memo into the row that its file has now, and says whether there is one.
    private func takeOver(_ old: (memo: Memo, waveform: [UInt8]?)) throws -> Bool {
        var memo = old.memo
        guard
            let id = try database.number(
                "SELECT id FROM memos WHERE file = ? AND title IS NULL AND heard_at IS NULL", .text(memo.file)
            )
        else { return false }
        memo.id = id
        memo.recorder = nil
        try database.run("DELETE FROM memos WHERE id = ?", .integer(id))
        try insert(memo, id: id)
        try replaceMarkers(of: memo)
        if let waveform = old.waveform {
            try database.run(
                "INSERT OR REPLACE INTO waveforms (memo, pairs) VALUES (?, ?)", .integer(id), .blob(waveform))
        }
        return true
    }

    /// Sees to it that the next memo has a greater number than this.
    func raiseNumbers(above highest: Int64) throws {
        guard highest > 0, highest <= AudioFileName.mostID else { return }
        try database.run(
            """
            INSERT INTO sqlite_sequence (name, seq) SELECT 'memos', 0
            WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'memos')
            """)
        try database.run(
            "UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = 'memos'", .integer(highest))
    }

    /// What can be read of a damaged database: its rows from the first on up to where it fails, and from the last
    /// on down to there; and the highest number that it has given.
    ///
    /// - Throws: ``StoreError`` where it cannot be opened for another reason than its damage: it may be read later.
    private static func readable(
        _ path: String
    ) throws(StoreError) -> (memos: [(memo: Memo, waveform: [UInt8]?)], highest: Int64) {
        let database: Database
        do {
            database = try Database(path: path)
        } catch {
            // A disk that cannot read a place of it will not later either.
            if error.isDamage || error.isUnreadable { return ([], 0) }
            throw error
        }
        var memos: [Int64: Memo] = [:]
        for order in ["ASC", "DESC"] {
            guard let statement = try? rowsStatement(database, "TRUE ORDER BY id \(order)") else { continue }
            while (try? statement.step()) == true {
                let memo = memo(statement)
                // What makes no sense is as good as not read.
                if AudioFileName(memo.file)?.says(memo.times) ?? false { memos[memo.id] = memo }
            }
        }
        let known = memos.values.sorted { $0.id < $1.id }.map { memo in
            var memo = memo
            let id = SQLValue.integer(memo.id)
            let markers = try? markers(in: database, where: "memo = ?", [id])
            memo.markers = markers?[memo.id] ?? []
            let waveforms = try? database.rows("SELECT pairs FROM waveforms WHERE memo = ?", id) {
                $0.blob(0)
            }
            return (memo, waveforms?.first)
        }
        let given = (try? database.number("SELECT seq FROM sqlite_sequence WHERE name = 'memos'")) ?? 0
        return (known, max(given, memos.keys.max() ?? 0))
    }
}
