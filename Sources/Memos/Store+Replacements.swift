import Glibc
import Linux

/// A memo's sound in another format: made beside the memo's file, and put in its place in one transaction.
///
/// Whatever is cut, there is one memo. Before the new name is in the row, the old file is the memo's, and the
/// new one is a leftover; afterwards it is the other way round. ``expire(at:dryRun:)`` removes leftovers.
extension Store {
    /// Begins a file that is to take the place of a memo's. One that was left there is replaced.
    ///
    /// - Throws: ``StoreError``, also when another process is making one.
    public func beginReplacement(of memo: Memo) throws -> Replacement {
        guard let name = AudioFileName(memo.file)?.with(fileExtension: Replacement.fileExtension) else {
            throw StoreError(
                attempt: "replace \(memo.file)", reason: "it is not the name of a memo's file")
        }
        // In a transaction, as whoever removes leftovers does so in one, and must not find it unlocked.
        return try write {
            if try !isLocked(name.text) { try audio.remove(name.text) }
            return Replacement(memo: memo, file: try audio.create(name.text), name: name)
        }
    }

    /// Puts a finished file in the place of the memo's, in one transaction. Title, waveform and all that is not
    /// the file's stay as they are now, whoever has changed them meanwhile.
    ///
    /// - Parameters:
    ///   - fileExtension: the ending of the format.
    ///   - bits: the depth of a sample in it.
    ///   - frames: its length in frames.
    /// - Returns: the memo, or nil when it is gone: deleted, or removed as its time was over. The new file is
    ///   then gone too.
    /// - Throws: ``StoreError``; then the memo has its old file, and the new one is gone.
    public func finish(
        _ replacement: Replacement, format: String, fileExtension: String, bits: Int, frames: Int64
    ) throws -> Memo? {
        let (id, old) = (replacement.memo.id, replacement.memo.file)
        let new = replacement.name.with(fileExtension: fileExtension).text
        var isRenamed = false
        do {
            let made = try Self.sync(replacement)
            let memo = try write { () -> Memo? in
                // A deletion takes the file first, and then the row.
                let rows = try memos(
                    where: "id = ? AND file = ? AND frames IS NOT NULL", .integer(id), .text(old))
                guard !rows.isEmpty, try audio.open(old) != nil else { return nil }
                guard made.linkCount > 0 else {
                    throw StoreError(attempt: "rename \(replacement.name.text)", reason: "it was removed")
                }
                // The transaction is tried again where the disk is full.
                if !isRenamed { try audio.rename(replacement.name.text, to: new) }
                isRenamed = true
                try database.run(
                    "UPDATE memos SET file = ?, format = ?, bits = ?, frames = ?, bytes = ? WHERE id = ?",
                    .text(new), .text(format), .integer(Int64(bits)), .integer(frames), .integer(made.bytes),
                    .integer(id))
                return try memos(where: "id = ?", .integer(id)).first
            }
            guard let memo else {
                cancel(replacement, renamedTo: isRenamed ? new : nil)
                return nil
            }
            // What cannot be removed now is a leftover.
            _ = try? audio.remove(old)
            return memo
        } catch {
            cancel(replacement, renamedTo: isRenamed ? new : nil)
            throw error
        }
    }

    /// Removes a file that is not to take the place of the memo's after all.
    public func cancel(_ replacement: Replacement) {
        cancel(replacement, renamedTo: nil)
    }

    private func cancel(_ replacement: Replacement, renamedTo new: String?) {
        _ = try? audio.remove(replacement.name.text)
        guard let new else { return }
        // Where nobody can say whose file it is, it stays.
        try? database.write {
            if try memos(where: "file = ?", .text(new)).isEmpty { try audio.remove(new) }
        }
    }

    /// Has the sound on disk, and gives its size, and how many names it has.
    private static func sync(
        _ replacement: Replacement
    ) throws(StoreError) -> (bytes: Int64, linkCount: Int) {
        do throws(SystemError) {
            try replacement.file.sync()
            let status = try replacement.file.status()
            return (status.bytes, status.linkCount)
        } catch {
            throw StoreError(attempt: "write \(replacement.name.text)", reason: error.reason)
        }
    }
}

/// Where libraries that need temporary files are to keep them.
extension Store {
    /// The folder's path, which is there after ``makeScratch()``.
    ///
    /// - Parameter path: the store's folder.
    public static func scratchPath(ofStoreAt path: String) -> String {
        Scratch(store: path).path
    }

    /// Makes the folder where it is missing.
    public func makeScratch() throws {
        try scratch.make()
    }
}
