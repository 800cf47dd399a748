import Glibc
import Linux

/// Takes: opened, finished, thrown away, and claimed when nobody records them any more.
extension Store {
    /// Opens a take, in one transaction: the row, the file, its lock. Whoever sees the row finds the file
    /// locked for as long as the take runs.
    ///
    /// - Throws: ``StoreError``; then there is neither row nor file.
    public func openTake(
        title: String?, category: String?, times: MemoTimes, format: String, fileExtension: String
    ) throws -> Take {
        try reserve.fill()
        var created: String?
        do {
            return try database.write {
                let wasSealed = try isSealed()
                try noteActivity(at: times.startedAt)
                // A database that was copied back may not know the last numbers; the files do.
                if !wasSealed { try raiseNumbers(above: try audio.names().map(\.id).max() ?? 0) }
                var memo = Memo(
                    id: 0, title: title, category: category, times: times, file: "", format: format,
                    recorder: getpid())
                try insert(memo, id: nil)
                memo.id = database.lastRow
                memo.file = AudioFileName(id: memo.id, times: times, fileExtension: fileExtension).text
                try database.run(
                    "UPDATE memos SET file = ? WHERE id = ?", .text(memo.file), .integer(memo.id))
                let file = try audio.create(memo.file)
                created = memo.file
                if wasSealed { try seal() }
                return Take(memo: memo, file: file)
            }
        } catch {
            if let created { _ = try? audio.remove(created) }
            throw error
        }
    }

    /// Makes a take a memo, in one transaction. Its sound must be on disk by then.
    ///
    /// Where the row is gone, as the database was lost or replaced meanwhile, it is written anew.
    ///
    /// - Parameters:
    ///   - waveform: the shape of its sound, in whatever form it is to be drawn from; or nil.
    ///   - markers: what was marked while it was recorded.
    /// - Returns: the memo.
    /// - Throws: ``StoreError``; the file is then found again by ``claimInterrupted()``.
    @discardableResult
    public func finish(_ take: Take, with sound: MemoSound, waveform: [UInt8]?, markers: [Marker] = [])
        throws -> Memo
    {
        var memo = take.memo
        memo.sound = sound
        memo.recorder = nil
        memo.markers = markers
        try audio.restore(memo.file, from: take.file)
        try write {
            if try !update(memo) {
                // A new database may have given the file another number, or the number to another memo.
                if let adopted = try database.number("SELECT id FROM memos WHERE file = ?", .text(memo.file))
                {
                    memo.id = adopted
                    _ = try update(memo)
                } else {
                    let taken = try database.number("SELECT id FROM memos WHERE id = ?", .integer(memo.id))
                    try insert(memo, id: taken == nil ? memo.id : nil)
                    memo.id = database.lastRow
                }
            }
            try replaceMarkers(of: memo)
            if let waveform {
                try database.run(
                    "INSERT OR REPLACE INTO waveforms (memo, pairs) VALUES (?, ?)", .integer(memo.id),
                    .blob(waveform))
            }
        }
        return memo
    }

    /// Throws a take away: its file first, then its row.
    public func discard(_ take: Take) throws {
        try changeFolder {
            try audio.remove(take.memo.file)
            try erase(try numbers(of: take.memo))
        }
    }

    /// The takes that nobody records any more, each locked for this process now, to be finished or
    /// discarded.
    ///
    /// For each, the lock comes first, and the row is read again under it: whoever held the lock may have
    /// finished the take in the meantime.
    public func claimInterrupted() throws -> [Take] {
        try unfinished().compactMap { memo in
            // What is no file of ours, or cannot be opened, is not salvaged, and no reason to leave the rest.
            guard let file = try? audio.open(memo.file, flags: O_RDWR), try lock(file, memo.file) else {
                return nil
            }
            let again = try database.write {
                try memos(
                    where: "id = ? AND file = ? AND frames IS NULL", .integer(memo.id), .text(memo.file))
            }
            return again.first.map { Take(memo: $0, file: file) }
        }
    }

    /// Whether a process has a memo's file open, as its recorder has (/proc).
    public func isOpen(_ memo: Memo, in process: Int32) -> Bool {
        guard let file = try? audio.open(memo.file) else { return false }
        return file.isOpen(in: process)
    }

    /// The takes that are being recorded now.
    public func running() throws -> [Memo] {
        try unfinished().filter { (try? isLocked($0.file)) ?? false }
    }

    func unfinished() throws -> [Memo] {
        try memos(where: "frames IS NULL ORDER BY id")
    }

    /// Whether another process records into a file.
    func isLocked(_ name: String) throws(StoreError) -> Bool {
        guard let file = try audio.open(name) else { return false }
        // Shared, so that two that ask do not take each other for a recorder.
        return try !lock(file, name, shared: true)
    }

    private func lock(
        _ file: FileDescriptor, _ name: String, shared: Bool = false
    ) throws(StoreError) -> Bool {
        do {
            return try file.lock(shared: shared)
        } catch {
            throw StoreError(attempt: "lock \(name)", reason: error.reason)
        }
    }
}
