import Glibc
public import Linux

/// Where memos are kept: a folder with `memos.db` and the folder `audio`.
///
/// Every method that writes is one short transaction, or several that may be cut anywhere and begun again.
public final class Store {
    private(set) var database: Database
    let path: String
    let audio: AudioFolder
    let formats: [String: String]
    let reserve: Reserve
    let scratch: Scratch
    /// How many files became memos when this store was opened, as its database was new: it was lost, and with it
    /// their titles and categories.
    public private(set) var returnedCount = 0
    /// Whether the database is in memory alone, as there was no room at all for a file: nothing that is known in no
    /// other place may be moved there.
    private(set) var isInMemory = false
    /// Whether the kernel vouches for the clock.
    var isClockSynchronised: () -> Bool = { SystemClock.isSynchronised }

    /// Opens a store. Where the database is new but there are files, they are memos again.
    ///
    /// - Parameters:
    ///   - path: the store's folder; what is missing of it is made, for its owner alone.
    ///   - formats: the endings of our files, and the name of each one's format.
    /// - Throws: ``StoreError``.
    public init(path: String, formats: [String: String]) throws {
        try Self.makeFolder(path)
        self.path = path
        self.formats = formats
        reserve = Reserve(path: path + "/reserve")
        scratch = Scratch(store: path)
        audio = try AudioFolder(path: path + "/audio", creating: true)
        database = try Database(path: path + "/memos.db")
        do {
            try prepare(path + "/memos.db")
        } catch let error as StoreError where error.isDiskFull {
            reserve.release()
            do {
                try prepare(path + "/memos.db")
            } catch let error as StoreError where error.isDiskFull {
                // Not even then. What is over must go all the same, and the files' names say what that is.
                database = try Database(path: ":memory:")
                isInMemory = true
                try prepare(path + "/memos.db")
                returnedCount = 0
            }
        }
    }

    private func prepare(_ path: String) throws {
        try Migrations.apply(to: database, path: path) {
            try adopt(audio.names())
            returnedCount = Int(try database.number("SELECT count(*) FROM memos") ?? 0)
        }
    }

    /// Opens a store to look at it: nothing is made, mended or changed.
    ///
    /// - Returns: the store, or nil where there is no database yet, or one of another version.
    /// - Throws: ``StoreError``.
    public init?(readingOnly path: String) throws {
        guard Self.isThere(path + "/memos.db"), Self.isThere(path + "/audio") else { return nil }
        self.path = path
        formats = [:]
        reserve = Reserve(path: path + "/reserve")
        scratch = Scratch(store: path)
        audio = try AudioFolder(path: path + "/audio", creating: false)
        database = try Database(path: path + "/memos.db", readOnly: true)
        guard try Migrations.isCurrent(database) else { return nil }
    }

    /// Whether there is anything at a path that ``init(path:formats:)`` would not have to create.
    public static func exists(path: String) -> Bool {
        isThere(path + "/memos.db") || isThere(path + "/audio")
    }

    /// Whether there is something, be it a link that leads nowhere or something that may not be looked at.
    static func isThere(_ path: String) -> Bool {
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
    func write<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try database.write(body)
        } catch let error as StoreError where error.isDiskFull {
            reserve.release()
        }
        do {
            return try database.write(body)
        } catch let error as StoreError where error.isDiskFull {
            try database.run("PRAGMA journal_mode = MEMORY")
            defer { try? database.run("PRAGMA journal_mode = TRUNCATE") }
            return try database.write(body)
        }
    }

    /// Removes rows, in a writing transaction.
    func erase(_ ids: some Sequence<Int64>) throws {
        let statements = try ["memos WHERE id", "waveforms WHERE memo", "markers WHERE memo"].map {
            try Statement(database, "DELETE FROM \($0) = ?")
        }
        for id in ids { for statement in statements { try statement.run([.integer(id)]) } }
    }

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

    /// The memo of a number, or nil: never was, deleted, or over.
    public func memo(id: Int64, at now: Timestamp) throws -> Memo? {
        try memos(where: "id = ?", .integer(id)).first { $0.state(at: now) != .over }
    }

    /// Opens a memo's file for reading, or gives nil where it is missing. It can be read to its end even when
    /// the memo leaves meanwhile.
    ///
    /// - Throws: ``StoreError``.
    public func openFile(of memo: Memo) throws -> FileDescriptor? {
        if let file = try audio.open(memo.file) { return file }
        // It may be in another format by now.
        guard let name = try memos(where: "id = ?", .integer(memo.id)).first?.file, name != memo.file else {
            return nil
        }
        return try audio.open(name)
    }

    /// The shape of a memo's sound as it was given to ``finish(_:with:waveform:)``, or nil.
    public func waveform(of memo: Memo) throws -> [UInt8]? {
        try database.rows("SELECT pairs FROM waveforms WHERE memo = ?", .integer(memo.id)) { $0.blob(0) }
            .first
    }

    /// Removes a memo, its file first. One that another process removed meanwhile counts as removed.
    public func delete(_ memo: Memo) throws {
        try changeFolder {
            // It may be in another format by now, or be on its way to one; a sealed folder has nothing in the making.
            if let name = AudioFileName(memo.file), try !isSealed() {
                for other in try audio.names() where other.memo == name.memo { try audio.remove(other.text) }
            }
            let ids = try numbers(of: memo)
            for id in ids {
                for file in try files(where: "id = ?", .integer(id)) { try audio.remove(file.name) }
            }
            try audio.remove(memo.file)
            // Before the row goes: a file that a power cut brings back without one would be taken for a memo.
            try audio.sync()
            try erase(ids)
        }
    }
}
