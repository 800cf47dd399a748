import CSQLite

/// A prepared statement (`sqlite3_prepare_v2`), finalised when the last reference goes.
final class Statement {
    private let database: Database
    private let sql: String
    private let handle: OpaquePointer

    init(_ database: Database, _ sql: String) throws(StoreError) {
        var handle: OpaquePointer?
        let code = sqlite3_prepare_v2(database.handle, sql, -1, &handle, nil)
        guard code == SQLITE_OK, let handle else { throw database.error(sql, code) }
        self.database = database
        self.sql = sql
        self.handle = handle
    }

    deinit {
        sqlite3_finalize(handle)
    }

    /// Binds the values to the parameters from the first on.
    func bind(_ values: [SQLValue]) {
        for (index, value) in zip(Int32(1)..., values) {
            let code =
                switch value {
                case .null: sqlite3_bind_null(handle, index)
                case .integer(let integer): sqlite3_bind_int64(handle, index, integer)
                case .real(let real): sqlite3_bind_double(handle, index, real)
                case .blob(let bytes):
                    sqlite3_bind_blob(handle, index, bytes, Int32(bytes.count), Self.transient)
                case .text(let text):
                    sqlite3_bind_text(handle, index, text, Int32(text.utf8.count), Self.transient)
                }
            precondition(code == SQLITE_OK, "a parameter that the statement does not have: \(sql)")
        }
    }

    /// SQLITE_TRANSIENT, a macro that Swift does not see: SQLite copies the text.
    private static var transient: sqlite3_destructor_type {
        unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    }

    /// Goes to the next row, and says whether there is one (`sqlite3_step`).
    func step() throws(StoreError) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw database.error(sql, code)
        }
    }

    /// Runs it to its end with these values, and makes it ready for the next.
    func run(_ values: [SQLValue]) throws(StoreError) {
        bind(values)
        while try step() {}
        reset()
    }

    func reset() {
        sqlite3_reset(handle)
    }

    func int64(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }
    func text(_ column: Int32) -> String { optionalText(column) ?? "" }

    /// A number that counts something: within what can be reckoned with, whoever has written the row.
    func amount(_ column: Int32) -> Int64 { max(0, min(int64(column), Self.mostAmount)) }
    func optionalAmount(_ column: Int32) -> Int64? { isNull(column) ? nil : amount(column) }
    private static let mostAmount: Int64 = 1 << 50

    func optionalInt64(_ column: Int32) -> Int64? { isNull(column) ? nil : int64(column) }
    func optionalReal(_ column: Int32) -> Double? {
        isNull(column) ? nil : sqlite3_column_double(handle, column)
    }
    func optionalText(_ column: Int32) -> String? {
        sqlite3_column_text(handle, column).map { String(cString: $0) }
    }

    func blob(_ column: Int32) -> [UInt8] {
        let count = Int(sqlite3_column_bytes(handle, column))
        guard let bytes = sqlite3_column_blob(handle, column) else { return [] }
        return Array(UnsafeRawBufferPointer(start: bytes, count: count))
    }

    private func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }
}
