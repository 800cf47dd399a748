import Glibc
internal import Linux

/// Looking whether all is well.
extension Store {
    /// What ``check()`` has found.
    public struct Check: Equatable, Sendable {
        /// What SQLite finds wrong in the database, in its words (`PRAGMA integrity_check`); at most twenty.
        public var damages: [String] = []
        /// Rows whose file is missing.
        public var rowsWithoutFile = 0
        /// Files of memos without a row; ``expire(at:dryRun:force:)`` makes memos of them.
        public var filesWithoutRow = 0
        /// Files in the making that nobody makes any more.
        public var leftovers = 0
        /// The numbers of takes that nobody records and that cannot be mended.
        public var unmendable: [Int64] = []
    }

    /// Compares the database with its own rules, and rows with files. Changes nothing.
    ///
    /// - Throws: ``StoreError``, also where the database is too damaged to be looked at.
    public func check() throws -> Check {
        var check = Check()
        check.damages = try database.rows("PRAGMA integrity_check(20)") { $0.text(0) }.filter { $0 != "ok" }
        let names = Set(try audio.files())
        let rows = try files(where: "TRUE")
        check.rowsWithoutFile = rows.count { !names.contains($0.name) }
        let strays = names.subtracting(rows.map(\.name)).compactMap { AudioFileName($0) }
        check.leftovers = try strays.count { try $0.isPart && !isLocked($0.text) }
        check.filesWithoutRow = strays.count { !$0.isPart }
        check.unmendable = rows.filter {
            !$0.isFinished && names.contains($0.name) && !((try? isLocked($0.name)) ?? false)
        }.map(\.id)
        return check
    }

    /// What of a store others could look into, or its owner could not use: paths, of which no link is followed.
    ///
    /// - Parameters:
    ///   - path: the store's folder.
    ///   - mending: gives each its owner's rights alone, 0700 or 0600 (`chmod`).
    /// - Returns: what is not as it should be; with `mending`, what could not be mended.
    public static func loosePaths(ofStoreAt path: String, mending: Bool = false) -> [String] {
        var paths = [path, path + "/audio", path + "/scratch", path + "/memos.db", path + "/reserve"]
        if let folder = try? AudioFolder(path: path + "/audio", creating: false) {
            paths += ((try? folder.names()) ?? []).map { path + "/audio/" + $0.text }
        }
        return paths.filter { path in
            var status = stat()
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFLNK else { return false }
            let wanted: mode_t = status.st_mode & S_IFMT == S_IFDIR ? 0o700 : 0o600
            if status.st_mode & 0o777 == wanted { return false }
            return !mending || chmod(path, wanted) != 0
        }
    }
}
