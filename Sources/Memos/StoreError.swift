/// Something that the store could not do.
public struct StoreError: Error, Equatable, Sendable {
    /// What was tried, in plain words with the file or the SQL: “open ~/…/memos.db”. Values that were
    /// bound to a statement are never part of it: a title is nobody else's business.
    public let attempt: String
    /// Why it failed, in the words of SQLite or the kernel.
    public let reason: String
    /// SQLite's result code, where it was SQLite that failed.
    public let code: Int32?

    /// An error with its words.
    public init(attempt: String, reason: String, code: Int32? = nil) {
        self.attempt = attempt
        self.reason = reason
        self.code = code
    }

    /// Whether the database is damaged (SQLITE_CORRUPT, SQLITE_NOTADB): a new one can be made from the files.
    public var isDamage: Bool { code.map { [11, 26].contains($0 & 0xff) } ?? false }

    /// Whether the disk could not read it (SQLITE_IOERR_READ, SQLITE_IOERR_SHORT_READ).
    var isUnreadable: Bool { code.map { [266, 522].contains($0) } ?? false }

    /// Whether it was for want of space (SQLITE_FULL).
    var isDiskFull: Bool { code.map { $0 & 0xff == 13 } ?? false }
}
