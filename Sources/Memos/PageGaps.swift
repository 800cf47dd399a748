import CSQLite

/// The unused bytes between the cell pointers and the cells of a table's pages.
///
/// `secure_delete` overwrites what is deleted, but when SQLite moves rows between pages, which it does to
/// balance its trees, their bytes stay behind in such gaps: a title can outlive its row there, perhaps
/// several times. SQLite itself never reads the gaps.
enum PageGaps {
    /// Overwrites the gaps of all pages of a table with zeros.
    ///
    /// Past the journal: whatever happens, the bytes mean nothing.
    ///
    /// - Precondition: a transaction is open that excludes all others, and changes something, so that no other
    ///   connection trusts its cache afterwards and writes a gap back from it.
    ///
    /// - Throws: ``StoreError``.
    static func wipe(in table: String, of database: Database) throws {
        // Pages that this connection remembers must not come back either.
        sqlite3_db_release_memory(database.handle)
        let pageSize = Int(try database.number("PRAGMA page_size") ?? 0)
        // dbstat tells leaves from pages that hold the rest of a long row and have no gap.
        let pages = try database.rows(
            "SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf'", .text(table)
        ) { $0.int64(0) }
        var file: UnsafeMutablePointer<sqlite3_file>?
        sqlite3_file_control(database.handle, "main", SQLITE_FCNTL_FILE_POINTER, &file)
        guard let file, let methods = file.pointee.pMethods else { return }
        var page = [UInt8](repeating: 0, count: pageSize)
        for number in pages {
            let offset = (number - 1) * Int64(pageSize)
            var code = methods.pointee.xRead(file, &page, Int32(pageSize), offset)
            guard code == SQLITE_OK else { throw database.error("SELECT", code) }
            let gap = gap(in: page)
            guard page[gap].contains(where: { $0 != 0 }) else { continue }
            let zeros = [UInt8](repeating: 0, count: gap.count)
            code = methods.pointee.xWrite(file, zeros, Int32(gap.count), offset + Int64(gap.lowerBound))
            guard code == SQLITE_OK else { throw database.error("UPDATE", code) }
        }
    }

    /// Where the gap of a leaf page is (SQLite's file format, 1.6: the cell count at 3, the start of the
    /// cells at 5, the pointers from 8 on).
    private static func gap(in page: [UInt8]) -> Range<Int> {
        func number(_ offset: Int) -> Int { Int(page[offset]) << 8 | Int(page[offset + 1]) }
        let start = 8 + 2 * number(3)
        let end = number(5) == 0 ? 65_536 : number(5)
        return page[0] == 0x0d && start < end && end <= page.count ? start..<end : 0..<0
    }
}
