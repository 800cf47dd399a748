import CSQLite
import Glibc

/// The unused bytes between the cell pointers and the cells of a table's pages.
///
/// `secure_delete` overwrites what is deleted, but when SQLite moves rows between pages, which it does to
/// balance its trees, their bytes stay behind in such gaps: a title would outlive its row there, perhaps
/// several times. SQLite itself never reads the gaps, so every page goes to disk with its gap overwritten.
enum PageGaps {
    /// Puts this in the place of a connection's `xWrite` for its database; the journal, which holds what is about
    /// to change anyway and is emptied at once, is left alone.
    ///
    /// - Returns: what has to be deallocated once the connection is closed; nil for a database in memory.
    static func keepClean(_ connection: OpaquePointer) -> UnsafeMutablePointer<CleanMethods>? {
        guard let file = file(of: connection), let next = file.pointee.pMethods else { return nil }
        let methods = UnsafeMutablePointer<CleanMethods>.allocate(capacity: 1)
        methods.initialize(to: CleanMethods(methods: next.pointee, next: next))
        methods.pointee.methods.xWrite = writeClean
        file.pointee.pMethods = UnsafeRawPointer(methods).assumingMemoryBound(to: sqlite3_io_methods.self)
        return methods
    }

    /// The methods of a file, one of them ours (`sqlite3_io_methods`).
    struct CleanMethods {
        /// First, as this is what SQLite sees.
        var methods: sqlite3_io_methods
        /// The file system's own.
        let next: UnsafePointer<sqlite3_io_methods>
    }

    private static let writeClean:
        @convention(c) (
            UnsafeMutablePointer<sqlite3_file>?, UnsafeRawPointer?, Int32, sqlite3_int64
        ) -> Int32 = { file, bytes, count, offset in
            let methods = UnsafeRawPointer(file!.pointee.pMethods!).assumingMemoryBound(
                to: CleanMethods.self)
            let write = methods.pointee.next.pointee.xWrite!
            let gap = gap(in: UnsafeRawBufferPointer(start: bytes, count: Int(count)))
            if gap.isEmpty { return write(file, bytes, count, offset) }
            // A copy, as the page belongs to SQLite.
            return withUnsafeTemporaryAllocation(byteCount: Int(count), alignment: 8) { clean in
                memcpy(clean.baseAddress!, bytes!, clean.count)
                memset(clean.baseAddress! + gap.lowerBound, 0, gap.count)
                return write(file, clean.baseAddress!, count, offset)
            }
        }

    /// Overwrites the gaps that are on disk already, from before they were kept clean.
    ///
    /// Past the journal: whatever happens, the bytes mean nothing.
    ///
    /// - Precondition: a writing transaction is open, and changes something, so that no other connection trusts
    ///   its cache afterwards and writes a gap back from it.
    /// - Throws: ``StoreError``.
    static func wipe(_ database: Database) throws {
        // Pages that this connection remembers must not come back either.
        sqlite3_db_release_memory(database.handle)
        guard let file = file(of: database.handle), let methods = file.pointee.pMethods else { return }
        var size: sqlite3_int64 = 0
        _ = methods.pointee.xFileSize(file, &size)
        let pageSize = try database.number("PRAGMA page_size") ?? 4096
        var page = [UInt8](repeating: 0, count: Int(pageSize))
        for offset in stride(from: pageSize, to: size, by: Int(pageSize)) {
            var code = methods.pointee.xRead(file, &page, Int32(pageSize), offset)
            guard code == SQLITE_OK else { throw database.error("SELECT", code) }
            guard page.withUnsafeBytes({ !gap(in: $0).isEmpty }) else { continue }
            code = methods.pointee.xWrite(file, page, Int32(pageSize), offset)
            guard code == SQLITE_OK else { throw database.error("UPDATE", code) }
        }
    }

    private static func file(of connection: OpaquePointer) -> UnsafeMutablePointer<sqlite3_file>? {
        var file: UnsafeMutablePointer<sqlite3_file>?
        sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file)
        return file
    }

    /// Where the gap of a leaf of a table is (SQLite's file format, 1.6: the kind of page at 0, the cell count
    /// at 3, the start of the cells at 5, the pointers from 8 on). No other page begins with its 13: those that
    /// hold a long row's rest or nothing begin with the number of a page, which would have to be above 2^27.
    private static func gap(in page: UnsafeRawBufferPointer) -> Range<Int> {
        guard page.count >= 512, page[0] == 0x0d else { return 0..<0 }
        func number(_ offset: Int) -> Int { Int(page[offset]) << 8 | Int(page[offset + 1]) }
        let start = 8 + 2 * number(3)
        let end = number(5) == 0 ? 65_536 : number(5)
        return start < end && end <= page.count ? start..<end : 0..<0
    }
}
