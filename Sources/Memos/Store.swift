import Glibc
public import Linux

/// Where memos are kept: a folder with `memos.db` and the folder `audio`.
///
/// Every method that writes is one short transaction, or several that may be cut anywhere and begun again.
public final class Store {
    let database: Database
    let audio: AudioFolder
    let formats: [String: String]
    private let reserve: Reserve

    /// Opens a store. Where the database is new but there are files, they are memos again.
    ///
    /// - Parameters:
    ///   - path: the store's folder; what is missing of it is made, for its owner alone.
    ///   - formats: the endings of our files, and the name of each one's format.
    /// - Throws: ``StoreError``.
    public init(path: String, formats: [String: String]) throws {
        try Self.makeFolder(path)
        self.formats = formats
        reserve = Reserve(path: path + "/reserve")
        audio = try AudioFolder(path: path + "/audio", creating: true)
        database = try Database(path: path + "/memos.db")
        try Migrations.apply(to: database, path: path + "/memos.db") {
            try adopt(audio.names())
        }
    }

    /// Opens a store to look at it: nothing is made, mended or changed.
    ///
    /// - Returns: the store, or nil where there is no database yet, or one of another version.
    /// - Throws: ``StoreError``.
    public init?(readingOnly path: String) throws {
        guard Self.isThere(path + "/memos.db"), Self.isThere(path + "/audio") else { return nil }
        formats = [:]
        reserve = Reserve(path: path + "/reserve")
        audio = try AudioFolder(path: path + "/audio", creating: false)
        database = try Database(path: path + "/memos.db", readOnly: true)
        guard try Migrations.isCurrent(database) else { return nil }
    }

    /// Whether there is anything at a path that ``init(path:formats:)`` would not have to create.
    public static func exists(path: String) -> Bool {
        isThere(path + "/memos.db") || isThere(path + "/audio")
    }

    /// Whether there is something, be it a link that leads nowhere or something that may not be looked at.
    private static func isThere(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 || errno != ENOENT
    }

    private static func makeFolder(_ path: String) throws(StoreError) {
        if access(path, F_OK) == 0 { return }
        var made = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/") {
            made += part
            if mkdir(made, 0o700) != 0, errno != EEXIST, access(made, F_OK) != 0 {
                throw StoreError(attempt: "create \(made)", reason: SystemError.last.reason)
            }
            made += "/"
        }
    }

    /// Runs a writing transaction. Where the disk is full it gets the room that was kept; where there is none
    /// left either, the journal is kept in memory, as what is over must go even then.
    func write<Result>(exclusively: Bool = false, _ body: () throws -> Result) throws -> Result {
        do {
            return try database.write(exclusively: exclusively, body)
        } catch let error as StoreError where error.isDiskFull {
            reserve.release()
        }
        do {
            return try database.write(exclusively: exclusively, body)
        } catch let error as StoreError where error.isDiskFull {
            try database.run("PRAGMA journal_mode = MEMORY")
            defer { try? database.run("PRAGMA journal_mode = TRUNCATE") }
            return try database.write(exclusively: exclusively, body)
        }
    }

    /// Removes rows; their traces go with ``wipe()``, for which a note is left.
    func drop(_ ids: [Int64]) throws {
        guard !ids.isEmpty else { return }
        try write {
            let note = try Statement(database, "INSERT INTO unwiped (memo) VALUES (?)")
            let removal = try Statement(database, "DELETE FROM memos WHERE id = ?")
            for id in ids {
                try note.run([.integer(id)])
                try removal.run([.integer(id)])
            }
        }
    }

    /// Overwrites what SQLite has kept of rows that were dropped, by this process or by one that was killed
    /// before it came to it.
    func wipe() throws {
        guard try database.number("SELECT memo FROM unwiped LIMIT 1") != nil else { return }
        try write(exclusively: true) {
            try database.run("DELETE FROM unwiped")
            try PageGaps.wipe(in: "memos", of: database)
        }
    }

    // MARK: - A take

    /// Opens a take, in one transaction: the row, the file, its lock. Whoever sees the row finds the file
    /// locked for as long as the take runs.
    ///
    /// - Throws: ``StoreError``; then there is neither row nor file.
    public func openTake(
        title: String?, category: String?, times: MemoTimes, format: String, fileExtension: String
    ) throws -> Take {
        try reserve.fill()
        var created: String?
        do {
            return try database.write {
                var memo = Memo(
                    id: 0, title: title, category: category, times: times, file: "", format: format,
                    recorder: getpid())
                try insert(memo, id: nil)
                memo.id = database.lastRow
                memo.file = AudioFileName(id: memo.id, times: times, fileExtension: fileExtension).text
                try database.run(
                    "UPDATE memos SET file = ? WHERE id = ?", .text(memo.file), .integer(memo.id))
                let file = try audio.create(memo.file)
                created = memo.file
                return Take(memo: memo, file: file)
            }
        } catch {
            if let created { _ = try? audio.remove(created) }
            throw error
        }
    }

    /// Makes a take a memo, in one transaction. Its sound must be on disk by then.
    ///
    /// Where the row is gone, as the database was lost or replaced meanwhile, it is written anew.
    ///
    /// - Returns: the memo.
    /// - Throws: ``StoreError``; the file is then found again by ``claimInterrupted()``.
    @discardableResult
    public func finish(_ take: Take, with sound: MemoSound) throws -> Memo {
        var memo = take.memo
        memo.sound = sound
        memo.recorder = nil
        try audio.restore(memo.file, from: take.file)
        try write {
            if try !update(memo) {
                let taken = try database.number("SELECT id FROM memos WHERE id = ?", .integer(memo.id)) != nil
                try insert(memo, id: taken ? nil : memo.id)
                memo.id = database.lastRow
            }
        }
        return memo
    }

    /// Throws a take away: its file first, then its row.
    public func discard(_ take: Take) throws {
        try audio.remove(take.memo.file)
        try drop([take.memo.id])
        try wipe()
    }

    /// The takes that nobody records any more, each locked for this process now, to be finished or
    /// discarded.
    ///
    /// For each, the lock comes first, and the row is read again under it: whoever held the lock may have
    /// finished the take in the meantime.
    public func claimInterrupted() throws -> [Take] {
        try unfinished().compactMap { memo in
            // What is no file of ours, or cannot be opened, is not salvaged, and no reason to leave the rest.
            guard let file = try? audio.open(memo.file, flags: O_RDWR), try lock(file, memo.file) else {
                return nil
            }
            let again = try database.write {
                try memos(
                    where: "id = ? AND file = ? AND frames IS NULL", .integer(memo.id), .text(memo.file))
            }
            return again.first.map { Take(memo: $0, file: file) }
        }
    }

    /// Whether a process has a memo's file open, as its recorder has (/proc).
    public func isOpen(_ memo: Memo, in process: Int32) -> Bool {
        guard let file = try? audio.open(memo.file) else { return false }
        return file.isOpen(in: process)
    }

    /// The takes that are being recorded now.
    public func running() throws -> [Memo] {
        try unfinished().filter { (try? isLocked($0.file)) ?? false }
    }

    func unfinished() throws -> [Memo] {
        try memos(where: "frames IS NULL ORDER BY id")
    }

    /// Whether another process records into a file.
    func isLocked(_ name: String) throws(StoreError) -> Bool {
        guard let file = try audio.open(name) else { return false }
        // Shared, so that two that ask do not take each other for a recorder.
        return try !lock(file, name, shared: true)
    }

    private func lock(
        _ file: FileDescriptor, _ name: String, shared: Bool = false
    ) throws(StoreError) -> Bool {
        do {
            return try file.lock(shared: shared)
        } catch {
            throw StoreError(attempt: "lock \(name)", reason: error.reason)
        }
    }

    // MARK: - Memos

    /// All memos that are not over, and the takes that are running or were interrupted, by number.
    public func memos(at now: Timestamp) throws -> [Memo] {
        try memos(where: "expire_at > ? ORDER BY id", .integer(now.milliseconds))
    }

    /// The memos that can be heard, by number.
    public func available(at now: Timestamp) throws -> [Memo] {
        try memos(
            where: "expire_at > ?1 AND expire_at <= ?1 + ?2 AND frames IS NOT NULL ORDER BY id",
            .integer(now.milliseconds), .integer(MemoTimes.availableMilliseconds))
    }

    /// How many memos wait for their day.
    public func waitingCount(at now: Timestamp) throws -> Int {
        Int(
            try database.number(
                "SELECT count(*) FROM memos WHERE expire_at > ? AND frames IS NOT NULL",
                .integer(now.milliseconds + MemoTimes.availableMilliseconds)) ?? 0)
    }

    /// The memo of a number, or nil: never was, deleted, or over.
    public func memo(id: Int64, at now: Timestamp) throws -> Memo? {
        try memos(where: "id = ?", .integer(id)).first { $0.state(at: now) != .over }
    }

    /// Opens a memo's file for reading, or gives nil where it is missing. It can be read to its end even when
    /// the memo leaves meanwhile.
    ///
    /// - Throws: ``StoreError``.
    public func openFile(of memo: Memo) throws -> FileDescriptor? {
        try audio.open(memo.file)
    }

    /// Removes a memo, its file first. One that another process removed meanwhile counts as removed.
    public func delete(_ memo: Memo) throws {
        try audio.remove(memo.file)
        try drop([memo.id])
        try wipe()
    }

    /// Notes that a memo was heard to its end.
    public func markHeard(_ memo: Memo, at now: Timestamp) throws {
        try database.write {
            try database.run(
                "UPDATE memos SET heard_at = ? WHERE id = ?", .integer(now.milliseconds), .integer(memo.id))
        }
    }
}
