public import AudioFile
import Linux
public import Memos
import Sound

/// Makes a finished memo one of another format, for the formats that cannot be written as the sound comes in.
public enum Reencoder {
    /// Encodes a memo's file beside it, reads that again, and only then puts it in the other's place.
    ///
    /// - Parameters:
    ///   - progress: is given how much is done, from 0 to 1, a few times a second.
    ///   - isCancelled: asked as often.
    /// - Returns: the memo, or nil when it was deleted meanwhile, or removed as its time was over.
    /// - Throws: `AudioFileError` or `StoreError`; the memo is then as it was, and of the new file nothing is
    ///   left.
    public static func encode(
        _ memo: Memo, in store: Store, as format: AudioFileFormat, progress: (Double) -> Void,
        isCancelled: () -> Bool
    ) throws -> Memo? {
        guard let source = try store.openFile(of: memo) else { return nil }
        if format.needsScratch { try store.makeScratch() }
        let replacement = try store.beginReplacement(of: memo)
        let made: Transcoder.Result
        do {
            made = try Transcoder.transcode(
                source, to: replacement.file, name: memo.file, as: .init(format), progress: progress,
                isCancelled: isCancelled)
        } catch {
            store.cancel(replacement)
            throw error
        }
        return try store.finish(
            replacement, format: format.name, fileExtension: format.fileExtension, bits: made.stream.bits,
            frames: made.frames)
    }
}
