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
    /// A person is told what is waited for after so long.
    private static let patienceMilliseconds: Int64 = 1_000
    private static let redrawMilliseconds: Int64 = 100

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
        let begin = MonotonicClock.milliseconds
        var drawnAt: Int64?
        defer { Console.erase() }
        do {
            if format.needsScratch { try keepScratchInStore() }
            let encoded = try Reencoder.encode(
                memo, in: try context.makeStore(), as: format,
                progress: { fraction in
                    let now = MonotonicClock.milliseconds
                    guard now - begin >= Self.patienceMilliseconds, Console.canRedraw,
                        now - (drawnAt ?? 0) >= Self.redrawMilliseconds
                    else { return }
                    drawnAt = now
                    Console.draw(["Encoding as \(format.name) … \(Int(fraction * 100)) %"])
                },
                isCancelled: isCancelled)
            return (encoded ?? memo, .done)
        } catch {
            return (memo, note(error))
        }
    }

    /// Has libsndfile keep its temporary file in the store.
    ///
    /// Not before the take: libpulse, too, would put things there. The one `setenv` of a process leaves the old
    /// environment where it is (glibc), so a thread that is still letting go of the device may read it.
    private func keepScratchInStore() throws {
        setenv("TMPDIR", Store.scratchPath(ofStoreAt: try context.places.store()), 1)
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
