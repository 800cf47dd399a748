/// What leaves, and what comes back.
extension Store {
    /// What ``expire(at:dryRun:)`` did, or would do.
    public struct ExpiryReport: Equatable, Sendable {
        /// Memos that were over and are gone.
        public var removedCount = 0
        /// The size of their files.
        public var freedBytes: Int64 = 0
        /// Files without a row that are memos again.
        public var adoptedCount = 0
        /// Rows whose file was missing.
        public var droppedCount = 0
        /// What could not be removed; its row stays, for the next time.
        public var failures: [StoreError] = []

        /// Nothing was done.
        public init() {}
    }

    /// Removes what is over, adopts files without a row, drops rows without a file.
    ///
    /// A file goes before its row: that frees space and needs none. It may be cut anywhere and run again.
    /// A take that is being recorded is left alone, however late it is.
    ///
    /// - Parameter dryRun: only counts.
    public func expire(at now: Timestamp, dryRun: Bool) throws -> ExpiryReport {
        var report = ExpiryReport()
        let over = try memos(where: "expire_at <= ? ORDER BY id", .integer(now.milliseconds))
        for batch in stride(from: 0, to: over.count, by: Self.batchSize) {
            let gone = over[batch..<min(batch + Self.batchSize, over.count)].filter {
                remove($0.file, dryRun: dryRun, mayBeTaken: $0.sound == nil, &report)
            }
            if !dryRun { try drop(gone.map(\.id)) }
        }
        // Last, as it needs space where the removal gives some.
        do {
            try reconcile(at: now, dryRun: dryRun, &report)
            if !dryRun { try wipe() }
        } catch let error as StoreError {
            report.failures.append(error)
        }
        return report
    }

    /// Few enough that nobody who wants to write waits long.
    private static let batchSize = 200

    /// Removes one file unless a take is being recorded into it, and says whether it is gone.
    private func remove(
        _ file: String, dryRun: Bool, mayBeTaken: Bool, _ report: inout ExpiryReport
    ) -> Bool {
        do throws(StoreError) {
            if mayBeTaken, try isLocked(file) { return false }
            report.freedBytes += dryRun ? try audio.bytes(file) : try audio.remove(file)
            report.removedCount += 1
            return true
        } catch {
            report.failures.append(error)
            return false
        }
    }

    /// Compares rows and files. Inside a writing transaction the two agree but for crashes: a take's row
    /// and file come in one.
    private func reconcile(at now: Timestamp, dryRun: Bool, _ report: inout ExpiryReport) throws {
        let (strays, orphans) = try write {
            let names = try audio.names().filter { formats[$0.fileExtension] != nil }
            let files = Set(names.map(\.text))
            let rows = try database.rows("SELECT id, file FROM memos") { (id: $0.int64(0), file: $0.text(1)) }
            let known = Set(rows.map(\.file))
            let strays = names.filter { !known.contains($0.text) }
            let orphans = rows.filter { !files.contains($0.file) }
            if !dryRun {
                try adopt(strays.filter { $0.expireAt > now })
            }
            return (strays, orphans)
        }
        if !dryRun { try drop(orphans.map(\.id)) }
        report.droppedCount = orphans.count
        for name in strays {
            if name.expireAt > now {
                report.adoptedCount += 1
            } else {
                _ = remove(name.text, dryRun: dryRun, mayBeTaken: true, &report)
            }
        }
    }

    /// Gives files rows, as takes that were not finished: what each holds is found by salvaging it.
    func adopt(_ names: [AudioFileName]) throws {
        for name in names {
            guard let format = formats[name.fileExtension] else { continue }
            let taken = try database.number("SELECT id FROM memos WHERE id = ?", .integer(name.id)) != nil
            let memo = Memo(
                id: name.id, title: nil, category: nil, times: name.times, file: name.text, format: format)
            try insert(memo, id: taken ? nil : name.id)
        }
    }
}
