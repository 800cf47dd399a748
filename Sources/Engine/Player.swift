public import AudioFile
import Linux
public import Sound
import Synchronization

/// Plays one file to a device, on a thread of its own.
///
/// `@unchecked Sendable`: all that changes is atomic or belongs to the player's thread.
public final class Player: @unchecked Sendable {
    /// What the main thread is told, in this order.
    public enum Event: Sendable {
        /// The device is open and the first frame is on its way.
        case started
        /// It is over, for better or worse.
        case ended(Outcome)
    }

    /// How playing ended.
    public struct Outcome: Sendable {
        /// The frames that were given to the device.
        public var frames: Int64 = 0
        /// Whether the end of the file was reached and heard.
        public var wasHeardToEnd = false
        /// Why the device ended it, or nil.
        public var deviceError: (any Error)?
        /// Why the file ended it, or nil. What came before was heard.
        public var fileError: (any Error)?
    }

    /// What happens, for the main thread.
    public let events: EventQueue<Event>

    private let control: WakeUp
    private let stopRequested = Atomic<Bool>(false)
    private let givenFrames = Atomic<Int64>(0)

    /// Begins to play.
    ///
    /// - Parameters:
    ///   - reader: at its start.
    ///   - open: makes the sink for the file's layout, on the player's thread.
    /// - Throws: `SystemError` when there is no thread or descriptor left.
    public init(
        _ reader: AudioFileReader, open: @escaping @Sendable (StreamFormat) throws -> any FrameSink
    ) throws {
        events = try EventQueue()
        control = try WakeUp()
        try NativeThread(name: "player") {
            var outcome = Outcome()
            do {
                let sink = try open(reader.stream)
                defer { sink.close() }
                try self.play(reader, to: sink, &outcome)
            } catch {
                outcome.deviceError = error
            }
            self.events.post(.ended(outcome))
        }.detach()
    }

    /// The frames that were given to the device so far: at most its buffer ahead of what is heard.
    public var frames: Int64 { givenFrames.load(ordering: .relaxed) }

    /// Ends it; what the device has not played is dropped. Any thread, any time.
    public func stop() {
        stopRequested.store(true, ordering: .releasing)
        control.raise()
    }

    /// Waits until it has ended, at most for so long: a device may hang.
    public func waitForEnd(milliseconds: Int64) {
        let deadline = MonotonicClock.milliseconds + milliseconds
        while MonotonicClock.milliseconds < deadline {
            events.wakeUp.wait(milliseconds: Int32(max(0, deadline - MonotonicClock.milliseconds)))
            for case .ended in events.take() { return }
        }
    }

    /// Short enough to be decoded well within the device's buffer.
    private static let blockFrames = 2_048

    private func play(_ reader: AudioFileReader, to sink: any FrameSink, _ outcome: inout Outcome) throws {
        let channels = reader.stream.channels
        let block = UnsafeMutableBufferPointer<Int32>.allocate(capacity: Self.blockFrames * channels)
        defer { block.deallocate() }
        while !stopRequested.load(ordering: .acquiring) {
            let count: Int
            do {
                count = try reader.read(into: block)
            } catch {
                outcome.fileError = error
                break
            }
            if count == 0 { break }
            if outcome.frames == 0 { events.post(.started) }
            var written = 0
            while written < count, !stopRequested.load(ordering: .acquiring) {
                written += try sink.write(
                    .init(rebasing: block[written * channels..<count * channels]), waking: control)
            }
            outcome.frames += Int64(written)
            givenFrames.store(outcome.frames, ordering: .relaxed)
        }
        if stopRequested.load(ordering: .acquiring) { return }
        try sink.drain(waking: control)
        outcome.wasHeardToEnd = outcome.fileError == nil && !stopRequested.load(ordering: .acquiring)
    }
}
