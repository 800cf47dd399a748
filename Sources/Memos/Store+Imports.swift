public import Linux

/// Imports: begun, and finished or cancelled.
///
/// A kill leaves nothing of an import that was not finished, as the original is still there: first there is only
/// a file in the making, which ``expire(at:dryRun:force:)`` removes; then a row without a file, which it drops;
/// and then a row with a whole file, of which ``claimInterrupted()`` has a memo made.
extension Store {
    /// Begins an import: its number is taken, and its file made and locked.
    ///
    /// - Parameter times: those of the memo, which begins now.
    /// - Throws: ``StoreError``.
    public func beginImport(times: MemoTimes) throws -> Import {
        try reserve.fill()
        let id = try write { () -> Int64 in
            let given = try database.number("SELECT seq FROM sqlite_sequence WHERE name = 'memos'") ?? 0
            // A database that was copied back may not know the last numbers; the files do.
            let inFiles = try isSealed() ? 0 : try audio.names().map(\.id).max() ?? 0
            let id = max(given, inFiles) + 1
            try raiseNumbers(above: id)
            return id
        }
        let name = AudioFileName(id: id, times: times, fileExtension: Replacement.fileExtension)
        // In a transaction, as whoever removes leftovers does so in one, and must not find it unlocked.
        return try write { Import(file: try audio.create(name.text), name: name) }
    }

    /// Makes a memo of what is in an import's file.
    ///
    /// - Parameters:
    ///   - title: what to call it, or nil.
    ///   - category: its category's name, or nil.
    ///   - format: the name of the file's format.
    ///   - fileExtension: the ending of that format.
    ///   - sound: what the file holds.
    ///   - waveform: the shape of its sound.
    /// - Throws: ``StoreError``; then nothing is left of the import.
    public func finish(
        _ made: Import, title: String?, category: String?, format: String, fileExtension: String,
        sound: MemoSound, waveform: [UInt8]
    ) throws -> Memo {
        let name = made.name.with(fileExtension: fileExtension)
        var memo = Memo(
            id: name.id, title: title, category: category, times: name.times, file: name.text, format: format)
        do {
            try sync(made)
            try write {
                try noteActivity(at: memo.times.startedAt)
                // A new database, after the old one was lost, may have given the number to another memo.
                let taken = try database.number("SELECT id FROM memos WHERE id = ?", .integer(name.id))
                try insert(memo, id: taken == nil ? name.id : nil)
                memo.id = database.lastRow
            }
            // Only now, and not within the transaction: a file with its row's name, but without the row, would be
            // taken for a memo whose title was lost.
            try audio.rename(made.name.text, to: name.text)
            return try finish(Take(memo: memo, file: made.file), with: sound, waveform: waveform)
        } catch {
            cancel(made)
            try? discard(Take(memo: memo, file: made.file))
            throw error
        }
    }

    /// Removes what there is of an import.
    public func cancel(_ made: Import) {
        _ = try? audio.remove(made.name.text)
    }

    private func sync(_ made: Import) throws(StoreError) {
        do throws(SystemError) {
            try made.file.sync()
        } catch {
            throw StoreError(attempt: "write \(made.name.text)", reason: error.reason)
        }
    }

    /// Whether a file is one of the memos' own.
    ///
    /// - Parameter path: where it is, without links on the way.
    public func keeps(_ file: FileDescriptor, at path: String) throws -> Bool {
        let name = String(path.split(separator: "/").last ?? "")
        guard AudioFileName(name) != nil, let own = try audio.open(name) else { return false }
        return (try? own.isSameFile(as: file)) ?? false
    }

    /// A file for what must be read more than once and comes only once. It has no name any more, so that it ends
    /// with whoever has it open.
    ///
    /// - Throws: ``StoreError``.
    public func makeScratchFile() throws -> FileDescriptor {
        try scratch.make()
        return try scratch.file()
    }
}
