import AudioFile
import CommandTable
import Engine
import Linux
import Memos
import Sound

/// The memos that are to be played, one after the other.
final class MemoQueue {
    /// A memo whose file is open.
    struct Entry {
        /// Where it stands in the queue.
        let number: Int
        var memo: Memo
        let sound: MemoSound
        let reader: AudioFileReader
        let file: FileDescriptor
        let range: Range<Int64>
        let start: Int64
    }

    private let memos: [Memo]
    private let store: Store
    private let context: Context
    private let options: PlayOptions
    /// How often a memo is played from now on; nil is for ever.
    var passes: Int?
    /// The status of the first that could not be played.
    private(set) var failure: Failure?

    /// - Parameter memos: to be played in this order.
    init(_ memos: [Memo], in store: Store, _ context: Context, _ options: PlayOptions) {
        self.memos = memos
        self.store = store
        self.context = context
        self.options = options
        passes = options.passes
    }

    /// How many there are.
    var count: Int { memos.count }

    /// Opens the first memo from a place on that can be played. One that was deleted, or is over, by now is
    /// passed over; one that cannot be opened is told.
    ///
    /// - Parameter step: 1 looks forward, −1 back: whoever goes back to a memo wants to hear it from its start.
    func entry(from number: Int, by step: Int = 1) -> Entry? {
        var number = number
        while memos.indices.contains(number) {
            do {
                if let entry = try open(number, goesOn: step > 0) { return entry }
            } catch {
                fail(Failure(error))
            }
            number += step
        }
        return nil
    }

    /// Tells a failure, and keeps the first one for the status.
    func fail(_ failure: Failure) {
        failure.report(verbose: context.isVerbose)
        self.failure = self.failure ?? failure
    }

    private func open(_ number: Int, goesOn: Bool) throws -> Entry? {
        guard let memo = try store.memo(id: memos[number].id, at: context.now),
            memo.state(at: context.now) == .available,
            let sound = memo.sound
        else { return nil }
        let part = try options.part(of: memo, sound, goesOn: goesOn)
        guard let file = try store.openFile(of: memo) else {
            throw Failure(.storage, "cannot play memo \(memo.id): its file is missing")
        }
        return Entry(
            number: number, memo: memo, sound: sound,
            reader: try AudioFileReader(descriptor: file, name: memo.file), file: file, range: part.range,
            start: part.start)
    }

    /// What the player is given.
    func item(of entry: Entry) -> PlayerItem {
        let expiry = entry.memo.times.expireAt
        let file = entry.file
        let lift = options.isEven ? entry.memo.loudness.map(Loudness.evenGainDecibels) ?? 0 : 0
        return PlayerItem(
            number: entry.number, reader: entry.reader, range: entry.range, start: entry.start,
            passes: passes, evenDecibels: lift
        ) {
            // A file without a name was deleted meanwhile.
            Timestamp.now() < expiry && ((try? file.status().linkCount) ?? 1) > 0
        }
    }

    /// Begins to find out how loud a memo is; nil where that is known, or not wanted.
    func measurement(of entry: Entry) -> LoudnessMeasurement? {
        guard options.isEven, entry.memo.loudness == nil else { return nil }
        return try? store.openFile(of: entry.memo).map { try LoudnessMeasurement(of: entry.memo, $0) }
    }

    /// Takes what a measurement has found into the memo, and into the store for the next time.
    func take(_ measurement: LoudnessMeasurement, into entry: inout Entry) {
        guard let loudness = measurement.take() else { return }
        entry.memo.loudness = loudness
        keep { try store.remember(loudness: loudness, of: entry.memo) }
    }

    /// Keeps something about a memo that it can also be heard without: a read-only or a full disk is no reason
    /// not to listen.
    func keep(_ body: () throws -> Void) {
        do {
            try body()
        } catch {
            if context.isVerbose { Failure(error).report(verbose: true) }
        }
    }
}
