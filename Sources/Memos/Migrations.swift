import CSQLite

/// The database's shape, as an ordered list of steps. `user_version` counts the steps taken.
enum Migrations {
    /// Marks the file as ours (`PRAGMA application_id`): the letters “Tmrw”.
    static let applicationID: Int64 = 0x546D_7277

    /// Never edited once released; a change is a further step.
    static let steps: [String] = [
        // Lengths and sizes are null while the take runs. `id` is never reused (AUTOINCREMENT). No index
        // on text: it would keep copies of titles. `unwiped`: rows whose traces are still to be overwritten.
        """
        CREATE TABLE memos (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            title TEXT,
            category TEXT,
            file TEXT NOT NULL,
            format TEXT NOT NULL,
            started_at INTEGER NOT NULL,
            utc_offset INTEGER NOT NULL,
            show_at INTEGER NOT NULL,
            expire_at INTEGER NOT NULL,
            recorder INTEGER,
            rate INTEGER,
            channels INTEGER,
            bits INTEGER,
            frames INTEGER,
            bytes INTEGER,
            peak_decibels REAL,
            clips INTEGER,
            gap_frames INTEGER,
            interrupted INTEGER,
            heard_at INTEGER,
            first_frame INTEGER,
            end_frame INTEGER,
            position INTEGER,
            loudness REAL
        ) STRICT;
        CREATE TABLE waveforms (
            memo INTEGER PRIMARY KEY,
            pairs BLOB NOT NULL
        ) STRICT;
        CREATE TABLE markers (
            memo INTEGER NOT NULL,
            frame INTEGER NOT NULL,
            text TEXT
        ) STRICT;
        CREATE TABLE unwiped (memo INTEGER NOT NULL) STRICT;
        CREATE INDEX memos_by_expiry ON memos (expire_at);
        CREATE INDEX markers_by_memo ON markers (memo);
        CREATE INDEX memos_unfinished ON memos (id) WHERE frames IS NULL;
        """,
        // `state` has one row. `active_at`, `leapt_at`: see ClockTrust. `seal`, `sealed_count`: see FolderSeal. The index answers
        // how many memos there are and what they take; `bytes` is null while a take runs. No row's traces have
        // to be overwritten any more, as they never come to be: see PageGaps.
        """
        ALTER TABLE memos ADD COLUMN announced_at INTEGER;
        ALTER TABLE memos ADD COLUMN reminded_at INTEGER;
        DROP TABLE unwiped;
        DROP INDEX memos_by_expiry;
        CREATE INDEX memos_by_expiry ON memos (expire_at, bytes);
        CREATE TABLE state (
            active_at INTEGER,
            leapt_at INTEGER,
            expired_at INTEGER,
            expiry_worked INTEGER,
            seal INTEGER,
            sealed_count INTEGER
        ) STRICT;
        INSERT INTO state DEFAULT VALUES;
        """,
    ]

    /// Brings a database to the newest shape, each step in a transaction of its own that first looks
    /// whether another process was faster.
    ///
    /// - Parameter created: runs in the transaction that makes a new database.
    /// - Throws: ``StoreError``, also for a database of another program or of a newer version of this one.
    static func apply(to database: Database, path: String, created: () throws -> Void) throws {
        while try version(of: database, path: path) < steps.count {
            try database.write {
                let version = try version(of: database, path: path)
                guard version < steps.count else { return }
                try run(steps[version], in: database)
                try database.run("PRAGMA user_version = \(version + 1)")
                if version == 0 {
                    try database.run("PRAGMA application_id = \(applicationID)")
                    try created()
                }
                if version == 1 { try PageGaps.wipe(database) }
            }
        }
    }

    /// Runs a step's statements. One that fits the version but not the tables (SQLITE_ERROR) shows that one of the two
    /// is damaged.
    private static func run(_ step: String, in database: Database) throws(StoreError) {
        for sql in step.split(separator: ";") where sql.contains(where: \.isLetter) {
            do {
                try database.run(String(sql))
            } catch {
                guard error.code == SQLITE_ERROR else { throw error }
                throw StoreError(attempt: error.attempt, reason: error.reason, code: SQLITE_CORRUPT)
            }
        }
    }

    /// Whether a database is one of ours, of this version.
    static func isCurrent(_ database: Database) throws -> Bool {
        let mark = try mark(of: database)
        return mark.version == steps.count && mark.isOurs
    }

    /// The version of a database, which is ours or empty.
    static func version(of database: Database, path: String) throws -> Int {
        let mark = try mark(of: database)
        guard mark.isOurs || (mark.isEmpty && mark.version == 0) else {
            throw StoreError(attempt: "use \(path)", reason: "it is not a database of tomorrow")
        }
        // Ours has a version from its first moment on.
        guard mark.version > (mark.isOurs ? 0 : -1) else {
            throw StoreError(
                attempt: "use \(path)", reason: "it says that it is of version \(mark.version)",
                code: SQLITE_CORRUPT)
        }
        guard mark.version <= steps.count else {
            throw StoreError(attempt: "use \(path)", reason: "a newer version of tomorrow wrote it")
        }
        return mark.version
    }

    /// What a database says of itself: in one query, as another process may be making it.
    private static func mark(of database: Database) throws -> (version: Int, isOurs: Bool, isEmpty: Bool) {
        let sql = """
            SELECT user_version, application_id, (SELECT count(*) FROM sqlite_schema)
            FROM pragma_user_version, pragma_application_id
            """
        let marks = try database.rows(sql) {
            (Int($0.int64(0)), $0.int64(1) == applicationID, $0.int64(2) == 0)
        }
        return marks.first ?? (0, false, false)
    }
}
