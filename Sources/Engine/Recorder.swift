public import AudioFile
public import Linux
public import Sound
import Synchronization

/// Records one take: a capture thread fills a ring, an encoder thread empties it into the file, a third
/// thread has the file on disk once a second. The main thread only waits for events.
///
/// The device is opened, read and closed on the capture thread alone, so that a sound server that hangs
/// hangs that thread and nothing else. The encoder never waits for the disk's syncing, nor the capture
/// thread for the encoder until the ring is full.
///
/// `@unchecked Sendable`: what is not atomic is written once by one thread before it raises an atomic flag
/// that the others look at first.
public final class Recorder: @unchecked Sendable {
    /// What the main thread is told, in this order.
    public enum Event: Sendable {
        /// The device is open and granted this; it waits for ``begin(writer:file:frameLimit:silenceSeconds:)``.
        case opened(StreamFormat)
        /// The first frame is here.
        case started
        /// It is over, and all that was captured has been given to the file and synced.
        case ended(Outcome)
    }

    /// How a take ended.
    public struct Outcome: Sendable {
        /// The frames written to the file.
        public var frames: Int64 = 0
        /// The level of all that was captured.
        public var level: PeakLevel?
        /// The shape of all that was captured.
        public var waveform: Waveform?
        /// The frames that the device lost, whether or not they are in the file as silence.
        public var gapFrames: Int64 = 0
        /// Why the device ended it, or nil.
        public var deviceError: (any Error)?
        /// Why the file ended it, or nil. The file must then be mended.
        public var fileError: (any Error)?
        /// Whether the device did not answer when it was told to stop.
        public var deviceHangs = false
    }

    /// What happens, for the main thread.
    public let events: EventQueue<Event>

    // The threads are extensions in files of their own; nothing here is anybody else's.
    let control: WakeUp
    let dataWakeUp: WakeUp
    let spaceWakeUp: WakeUp
    let syncWakeUp: WakeUp
    let stopRequested = Atomic<Bool>(false)
    let captureEnded = Atomic<Bool>(false)
    let encoderEnded = Atomic<Bool>(false)
    let gapFrames = Atomic<Int64>(0)
    let writtenFrames = Atomic<Int64>(0)
    let recentPeak = Atomic<UInt32>(0)
    let syncFaults: EventQueue<SystemError>
    let hasSession = Atomic<Bool>(false)
    var session: Session?
    var deviceError: (any Error)?

    /// What a take works with, from its beginning on.
    struct Session {
        let ring: FrameRing
        let writer: AudioFileWriter
        let file: FileDescriptor
        let frameLimit: Int64?
        let silenceSeconds: Double?
    }

    /// How long an encoder may stall without a frame lost, and the most memory for it.
    private static let ringSeconds = 12
    private static let ringMostBytes = 32 << 20

    /// Opens the device, on the capture thread.
    ///
    /// - Parameter open: makes the source; what it throws ends the recording.
    /// - Throws: `SystemError` when there is no thread or descriptor left.
    public init(open: @escaping @Sendable () throws -> any FrameSource) throws {
        events = try EventQueue()
        syncFaults = try EventQueue()
        control = try WakeUp()
        dataWakeUp = try WakeUp()
        spaceWakeUp = try WakeUp()
        syncWakeUp = try WakeUp()
        try NativeThread(name: "capture") { self.capture(open) }.detach()
    }

    /// Starts the sound, after ``Event/opened(_:)``.
    ///
    /// - Parameters:
    ///   - writer: a file begun for the layout that was granted.
    ///   - file: the same file, to be synced.
    ///   - frameLimit: the take ends by itself after exactly so many frames; nil leaves it open.
    ///   - silenceSeconds: it ends by itself when it was silent for so long; nil leaves it open.
    /// - Throws: `SystemError` when there is no thread left.
    public func begin(
        writer: AudioFileWriter, file: FileDescriptor, frameLimit: Int64?, silenceSeconds: Double?
    ) throws {
        let ring = FrameRing(
            stream: writer.stream, seconds: Self.ringSeconds, mostBytes: Self.ringMostBytes)
        session = Session(
            ring: ring, writer: writer, file: file, frameLimit: frameLimit, silenceSeconds: silenceSeconds)
        hasSession.store(true, ordering: .releasing)
        try NativeThread(name: "encoder") { self.encode() }.detach()
        control.raise()
    }

    /// What was heard since this was last asked, for a meter: the frames written so far, and the greatest
    /// distance from zero of a possible 2³¹.
    public func takeReading() -> (frames: Int64, peak: UInt32) {
        (writtenFrames.load(ordering: .relaxed), recentPeak.exchange(0, ordering: .relaxed))
    }

    /// Ends the take; what the device has captured by now still belongs to it. Any thread, any time.
    public func stop() {
        stopRequested.store(true, ordering: .releasing)
        control.raise()
    }
}
