import AudioFile
import CommandTable
import Engine
import Glibc
import Linux
import Memos
import Sound

/// What follows a take whose format cannot be written as the sound comes in: the memo, a FLAC by now, is made one
/// of that format. Whatever comes between leaves the FLAC.
struct Encoding {
    private let context: Context
    private let signals: SignalDescriptor
    private let keyboard: Keyboard

    /// - Parameter signals: each of them ends the encoding, but for Ctrl-Z, after which it goes on.
    init(_ context: Context, _ signals: SignalDescriptor, _ keyboard: Keyboard) {
        self.context = context
        self.signals = signals
        self.keyboard = keyboard
    }

    /// Encodes a memo, and says so when it stays what it is.
    ///
    /// - Returns: the memo, and the exit status: storage that fails is told by it, as it will fail again; an
    ///   encoder that cannot, or a signal, is not.
    func encode(_ memo: Memo, as format: AudioFileFormat) -> (memo: Memo, status: ExitStatus) {
        guard let sound = memo.sound, !format.isWrittenLive else { return (memo, .done) }
        let stream = StreamFormat(rate: sound.rate, channels: sound.channels, bits: sound.bits)
        // That was said when the take began.
        if format.objection(to: stream) != nil { return (memo, .done) }
        var progress = ProgressLine("Encoding as \(format.name)")
        defer { Console.erase() }
        do {
            if format.needsScratch { try context.keepScratchInStore() }
            let encoded = try Reencoder.encode(
                memo, in: try context.makeStore(), as: format,
                progress: { progress.show($0) },
                isCancelled: isCancelled)
            return (encoded ?? memo, .done)
        } catch {
            return (memo, note(error))
        }
    }

    private func isCancelled() -> Bool {
        while let signal = signals.next() {
            if !keyboard.handles(signal, signals) { return true }
        }
        return false
    }

    private func note(_ error: any Error) -> ExitStatus {
        let (reason, isStorage) =
            switch error {
            case let error as AudioFileError: (error.reason, error.code != nil)
            case let error as StoreError: (error.reason, true)
            default: ("\(error)", false)
            }
        Console.note("The memo stays a FLAC: \(reason).")
        if context.isVerbose { Failure(error).report(verbose: true) }
        return isStorage ? .storage : .done
    }
}
