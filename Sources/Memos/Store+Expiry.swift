internal import Linux

/// What leaves, and what comes back.
extension Store {
    /// What ``expire(at:dryRun:force:)`` did, or would do.
    public struct ExpiryReport: Equatable, Sendable {
        /// Memos that were over and are gone.
        public var removedCount = 0
        /// The size of their files.
        public var freedBytes: Int64 = 0
        /// Files without a row that are memos again.
        public var adoptedCount = 0
        /// Rows whose file was missing.
        public var droppedCount = 0
        /// Memos that the clock says are over, and that stay as the clock has leapt; see ``clockLeapt``.
        public var heldBackCount = 0
        /// What the clock read when it was first seen to have leapt, or nil where it is believed.
        public var clockLeapt: Timestamp?
        /// What could not be removed; its row stays, for the next time.
        public var failures: [StoreError] = []

        /// Nothing was done.
        public init() {}
    }

    /// Removes what is over and what is left over, adopts files without a row, drops rows without a file.
    ///
    /// A file goes before its row: that frees space and needs none. It may be cut anywhere and run again.
    /// A take that is being recorded is left alone, however late it is. Under a clock that has leapt more than 30
    /// days, and for which the kernel does not vouch, nothing goes before a run that sees it 24 hours later.
    ///
    /// - Parameters:
    ///   - dryRun: only counts.
    ///   - force: believes the clock.
    /// - Throws: ``StoreError``.
    public func expire(at now: Timestamp, dryRun: Bool, force: Bool = false) throws -> ExpiryReport {
        var report = ExpiryReport()
        let trust = force ? .trusted : try clockTrust(at: now)
        let over = try files(where: "expire_at <= ? ORDER BY expire_at", .integer(now.milliseconds))
        if case .doubted(let since) = trust {
            report.clockLeapt = since
            report.heldBackCount = over.count
        } else if dryRun {
            for file in over { remove(file.name, dryRun: true, mayBeTaken: !file.isFinished, &report) }
        } else {
            try remove(over, &report)
        }
        if !dryRun { scratch.empty() }
        // Last, as it needs space where the removal gives some.
        do {
            if !dryRun { _ = try takeOverDamaged() }
            try reconcile(at: now, under: trust, dryRun: dryRun, &report)
        } catch let error as StoreError {
            report.failures.append(error)
        }
        if !dryRun { noteExpiry(at: now, under: trust, worked: report.failures.isEmpty) }
        return report
    }

    /// Few enough that nobody who wants to write waits long, and many enough that it does not take long either.
    private static let batchSize = 2_000
    private static let batchMilliseconds: Int64 = 100

    /// Removes memos, in several transactions.
    private func remove(
        _ over: [(id: Int64, name: String, isFinished: Bool)], _ report: inout ExpiryReport
    ) throws {
        var left = over[...]
        while !left.isEmpty {
            // Kept here, as the transaction may be tried again, and a file goes only once.
            var gone: [Int64] = []
            var done = left.startIndex
            let start = MonotonicClock.milliseconds
            try changeFolder {
                while done < left.endIndex, done - left.startIndex < Self.batchSize,
                    done == left.startIndex || MonotonicClock.milliseconds - start < Self.batchMilliseconds
                {
                    let file = left[done]
                    done += 1
                    if remove(file.name, dryRun: false, mayBeTaken: !file.isFinished, &report) {
                        gone.append(file.id)
                    }
                }
                try erase(gone)
            }
            left = left[done...]
        }
    }

    /// Removes one file unless a take is being recorded into it, and says whether it is gone.
    @discardableResult
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

    /// Compares rows and files, unless the seal says that they agree. Inside a writing transaction they do but for
    /// crashes: a take's row and file come in one.
    private func reconcile(
        at now: Timestamp, under trust: ClockTrust, dryRun: Bool, _ report: inout ExpiryReport
    ) throws {
        if try isSealed() { return }
        var found = report
        let strays = try write {
            found = report
            let files = Set(try audio.files())
            let rows = try self.files(where: "TRUE")
            let orphans = rows.filter { !files.contains($0.name) }
            var strays = files.subtracting(rows.map(\.name)).compactMap { AudioFileName($0) }
            // Whose files they might be: few look further than this.
            let owners = strays.isEmpty ? [] : rows.filter { files.contains($0.name) }
            // Here and not later, as a leftover may be a memo's file as soon as others may write again.
            let whole = Set(owners.filter(\.isFinished).compactMap { AudioFileName($0.name)?.memo })
            for name in strays where name.isPart || whole.contains(name.memo) {
                removeLeftover(name, dryRun: dryRun, &found)
            }
            // As long as a memo's own file was not looked at, the other one may yet be needed.
            let owned = Set(owners.compactMap { AudioFileName($0.name)?.memo })
            let hadStrays = !strays.isEmpty
            strays.removeAll { formats[$0.fileExtension] == nil || whole.contains($0.memo) }
            let adopted = Self.onePerMemo(strays.filter { $0.expireAt > now && !owned.contains($0.memo) })
            found.droppedCount = orphans.count
            found.adoptedCount = adopted.count
            if !dryRun {
                try erase(orphans.map(\.id))
                try adopt(adopted)
                // With files that are no memo's, only the next comparison can tell that they are gone.
                if !hadStrays { try seal() }
            }
            return strays
        }
        report = found
        guard trust == .trusted else { return }
        for name in strays where name.expireAt <= now {
            remove(name.text, dryRun: dryRun, mayBeTaken: true, &report)
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
