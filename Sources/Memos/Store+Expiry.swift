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

    /// Removes what is over and what is left over, adopts files without a row, drops rows without a file.
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
        if !dryRun { scratch.empty() }
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
        let (strays, adopted, orphans) = try write {
            let names = try audio.names()
            let files = Set(names.map(\.text))
            let rows = try database.rows("SELECT id, file, frames IS NOT NULL FROM memos") {
                (id: $0.int64(0), file: $0.text(1), isFinished: $0.int64(2) != 0)
            }
            let known = Set(rows.map(\.file))
            let owners = rows.filter { files.contains($0.file) }
            var strays = names.filter { !known.contains($0.text) }
            // Here and not later, as a leftover may be a memo's file as soon as others may write again.
            let whole = Set(owners.filter(\.isFinished).compactMap { AudioFileName($0.file)?.memo })
            for name in strays where name.isPart || whole.contains(name.memo) {
                removeLeftover(name, dryRun: dryRun, &report)
            }
            strays.removeAll { formats[$0.fileExtension] == nil || whole.contains($0.memo) }
            // As long as a memo's own file was not looked at, the other one may yet be needed.
            let owned = Set(owners.compactMap { AudioFileName($0.file)?.memo })
            let adopted = Self.onePerMemo(strays.filter { $0.expireAt > now && !owned.contains($0.memo) })
            if !dryRun { try adopt(adopted) }
            return (strays, adopted, rows.filter { !files.contains($0.file) })
        }
        if !dryRun { try drop(orphans.map(\.id)) }
        report.droppedCount = orphans.count
        report.adoptedCount = adopted.count
        for name in strays where name.expireAt <= now {
            _ = remove(name.text, dryRun: dryRun, mayBeTaken: true, &report)
        }
    }

    /// Removes a file that is no memo's, unless somebody works on it.
    private func removeLeftover(_ name: AudioFileName, dryRun: Bool, _ report: inout ExpiryReport) {
        do throws(StoreError) {
            if try isLocked(name.text) { return }
            report.freedBytes += dryRun ? try audio.bytes(name.text) : try audio.remove(name.text)
        } catch {
            report.failures.append(error)
        }
    }

    /// Of several files of a memo the one that was recorded, and not one that was made of it.
    private static func onePerMemo(_ names: [AudioFileName]) -> [AudioFileName] {
        var chosen: [String: AudioFileName] = [:]
        for name in names where chosen[name.memo] == nil || name.fileExtension == recordedExtension {
            chosen[name.memo] = name
        }
        return chosen.values.sorted { $0.text < $1.text }
    }

    /// The ending of takes whose format is made afterwards.
    private static let recordedExtension = "flac"

    /// Gives files rows, as takes that were not finished: what each holds is found by salvaging it. Of a memo
    /// that has several files, one.
    func adopt(_ names: [AudioFileName]) throws {
        for name in Self.onePerMemo(names.filter { formats[$0.fileExtension] != nil }) {
            guard let format = formats[name.fileExtension] else { continue }
            let taken = try database.number("SELECT id FROM memos WHERE id = ?", .integer(name.id)) != nil
            let memo = Memo(
                id: name.id, title: nil, category: nil, times: name.times, file: name.text, format: format)
            try insert(memo, id: taken ? nil : name.id)
        }
    }
}
