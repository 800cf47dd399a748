import AudioFile
import Engine
import Linux
import Memos

/// Finds out how loud a memo is, on a thread of its own: an hour of sound takes a few seconds.
final class LoudnessMeasurement {
    /// Becomes readable when it is known.
    var wakeUp: WakeUp { answer.wakeUp }
    private let answer: EventQueue<Double?>

    /// Begins to measure the part of a memo that is heard.
    ///
    /// - Parameters:
    ///   - memo: is finished.
    ///   - file: the memo's, opened for this alone.
    /// - Throws: when there is no thread or descriptor left, or the file cannot be read.
    init(of memo: Memo, _ file: FileDescriptor) throws {
        let reader = try AudioFileReader(descriptor: file, name: memo.file)
        if let trim = memo.sound?.trim { try reader.restrict(to: trim) }
        let answer = try EventQueue<Double?>()
        self.answer = answer
        // What is damaged is played as it is.
        try NativeThread(name: "loudness") { answer.post(try? reader.loudness()) }.detach()
    }

    /// How loud it is, in LUFS; nil where it holds nothing that could be measured. To be asked once it is known.
    func take() -> Double? {
        answer.take().first ?? nil
    }
}
