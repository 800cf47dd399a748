import CSQLite
import Glibc

/// The one owner of a connection to SQLite.
final class Database {
    let handle: OpaquePointer
    private let path: String
    private let cleanMethods: UnsafeMutablePointer<PageGaps.CleanMethods>?

    /// Opens a database, and creates it where it is missing.
    ///
    /// The settings rest on what must never happen: a rollback journal that is truncated works on full and
    /// read-only disks and on network homes, and keeps no deleted title; `secure_delete` overwrites what
    /// is freed; nothing spills into temporary files.
    init(path: String, readOnly: Bool = false) throws(StoreError) {
        self.path = path
        for name in [path, path + "-journal"] {
            var status = stat()
            // SQLite would wait for the other end of a pipe, and follow a link out of the store.
            if lstat(name, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
                throw StoreError(
                    attempt: "open \(name)", reason: "it is not a regular file", code: SQLITE_NOTADB)
            }
        }
        var handle: OpaquePointer?
        let flags = readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        let code = sqlite3_open_v2(path, &handle, flags | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK, let handle else {
            let reason = String(cString: handle == nil ? sqlite3_errstr(code) : sqlite3_errmsg(handle))
            sqlite3_close_v2(handle)
            throw StoreError(attempt: "open \(path)", reason: reason, code: code)
        }
        self.handle = handle
        cleanMethods = PageGaps.keepClean(handle)
        sqlite3_extended_result_codes(handle, 1)
        sqlite3_busy_handler(handle, Self.waitForOthers, nil)
        if readOnly { return }
        try run("PRAGMA temp_store = MEMORY")
        try run("PRAGMA secure_delete = ON")
        try run("PRAGMA synchronous = FULL")
        try run("PRAGMA journal_mode = TRUNCATE")
    }

    deinit {
        // Every statement holds its database, so that none is left to keep the connection open.
        sqlite3_close_v2(handle)
        cleanMethods?.deallocate()
    }

    /// Waits a few milliseconds, at random so that processes do not wait in step, for up to a minute.
    /// SQLite's own `sqlite3_busy_timeout` grows to waits of 100 ms, which a person would feel.
    private static let waitForOthers: @convention(c) (UnsafeMutableRawPointer?, Int32) -> Int32 = {
        _, tries in
        usleep(.random(in: 500...4_000))
        return tries < 20_000 ? 1 : 0
    }

    /// Runs a statement to its end and drops its rows.
    func run(_ sql: String, _ values: SQLValue...) throws(StoreError) {
        try Statement(self, sql).run(values)
    }

    /// Reads a query to its end.
    func rows<Row>(
        _ sql: String, _ values: SQLValue..., row: (Statement) -> Row
    ) throws(StoreError) -> [Row] {
        let statement = try Statement(self, sql)
        statement.bind(values)
        var rows: [Row] = []
        while try statement.step() { rows.append(row(statement)) }
        return rows
    }

    /// The number in the first column of the first row.
    func number(_ sql: String, _ values: SQLValue...) throws(StoreError) -> Int64? {
        let statement = try Statement(self, sql)
        statement.bind(values)
        return try statement.step() ? statement.optionalInt64(0) : nil
    }

    /// How many rows the last statement changed.
    var changes: Int { Int(sqlite3_changes(handle)) }
    var lastRow: Int64 { sqlite3_last_insert_rowid(handle) }

    /// Runs the body in a transaction that is a writer from its start, so that it never has to give up
    /// half-way for another writer. What the body throws rolls it back.
    func write<Result>(_ body: () throws -> Result) throws -> Result {
        try run("BEGIN IMMEDIATE")
        do {
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            // On some errors SQLite has rolled back already; a failing roll-back must not hide the first.
            try? run("ROLLBACK")
            throw error
        }
    }

    /// The error behind a result code of this connection.
    func error(_ sql: String, _ code: Int32) -> StoreError {
        let verb = sql.hasPrefix("SELECT") || sql.hasPrefix("PRAGMA") ? "read" : "change"
        return StoreError(
            attempt: "\(verb) \(path)", reason: String(cString: sqlite3_errmsg(handle)), code: code)
    }
}
