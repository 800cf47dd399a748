public import AudioFile
import Linux
public import Memos
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
        /// The first frame is here; after a pause, the first one again.
        case started
        /// The device is closed, and everything before the pause is on its way to the file. With an error when
        /// it could not be opened again.
        case paused((any Error)?)
        /// It is over, and all that was captured has been given to the file and synced.
        case ended(Outcome)
    }

    /// How a take ended.
    public struct Outcome: Sendable {
        /// The frames written to the file.
        public var frames: Int64 = 0
        /// The level of all that was captured.
        public var levels: ChannelLevels?
        /// The shape of all that was captured.
        public var waveform: Waveform?
        /// The frames between the silence at both ends; nil where there is none to cut, or nothing else.
        public var sounding: Range<Int64>?
        /// The frames that the device lost, whether or not they are in the file as silence.
        public var gapFrames: Int64 = 0
        /// The gaps that were too long to be kept as silence, where they are and how long they were.
        public var gapMarkers: [Marker] = []
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
    let dataBell: Doorbell
    let spaceBell: Doorbell
    let syncWakeUp: WakeUp
    let stopRequested = Atomic<Bool>(false)
    let pauseRequested = Atomic<Bool>(false)
    let captureEnded = Atomic<Bool>(false)
    let encoderEnded = Atomic<Bool>(false)
    let gapFrames = Atomic<Int64>(0)
    let capturedFrames = Atomic<Int64>(0)
    let longGaps = LongGaps()
    let loudest = Atomic<UInt32>(0)
    let measured = Atomic<Int64>(0)
    let live = Guarded<ChannelLevels?>(nil)
    let syncFaults: EventQueue<AudioFileError>
    let hasSession = Atomic<Bool>(false)
    var session: Session?
    var deviceError: (any Error)?

    /// What a take works with, from its beginning on.
    struct Session {
        let ring: FrameRing
        let writer: AudioFileWriter
        let frameLimit: Int64?
        let silenceSeconds: Double?
    }

    /// How long an encoder may stall without a frame lost, and the most memory for it.
    private static let ringSeconds = 12
    private static let ringMostBytes = 32 << 20

    /// Opens the device, on the capture thread.
    ///
    /// - Parameter open: makes the source, and makes it anew after a pause; what it throws the first time ends
    ///   the recording.
    /// - Throws: `SystemError` when there is no thread or descriptor left.
    public init(open: @escaping @Sendable () throws -> any FrameSource) throws {
        events = try EventQueue()
        syncFaults = try EventQueue()
        control = try WakeUp()
        dataBell = try Doorbell()
        spaceBell = try Doorbell()
        syncWakeUp = try WakeUp()
        try NativeThread(name: "capture") { self.capture(open) }.detach()
    }

    /// Starts the sound, after ``Event/opened(_:)``.
    ///
    /// - Parameters:
    ///   - writer: a file begun for the layout that was granted.
    ///   - frameLimit: the take ends by itself after exactly so many frames; nil leaves it open.
    ///   - silenceSeconds: it ends by itself when it was silent for so long; nil leaves it open.
    /// - Throws: `SystemError` when there is no thread left.
    public func begin(
        writer: AudioFileWriter, frameLimit: Int64?, silenceSeconds: Double?
    ) throws {
        let ring = FrameRing(
            stream: writer.stream, seconds: Self.ringSeconds, mostBytes: Self.ringMostBytes)
        session = Session(
            ring: ring, writer: writer, frameLimit: frameLimit, silenceSeconds: silenceSeconds)
        hasSession.store(true, ordering: .releasing)
        try NativeThread(name: "encoder") { self.encode() }.detach()
        control.raise()
    }

    /// The frames captured so far, a piece of a device's period behind the moment.
    public var frames: Int64 { capturedFrames.load(ordering: .relaxed) }

    /// The frames that ``peak`` is about: behind what was captured where a disk holds the encoder up.
    public var measuredFrames: Int64 { measured.load(ordering: .acquiring) }

    /// The loudest sample so far: its distance from zero, of a possible 2³¹.
    public var peak: UInt32 { loudest.load(ordering: .relaxed) }

    /// What was heard since this was last asked, for a meter; nil when nothing was.
    public func takeLevels() -> ChannelLevels? {
        live.withLock { levels in
            guard let heard = levels, heard.frames > 0 else { return nil }
            levels?.reset()
            return heard
        }
    }

    /// Lets go of the device, once what it has captured by now is taken; the take stays open. Any thread, any
    /// time; it is over with ``Event/paused(_:)``.
    public func pause() {
        pauseRequested.store(true, ordering: .releasing)
        control.raise()
    }

    /// Opens the device again after a pause.
    public func resume() {
        pauseRequested.store(false, ordering: .releasing)
        control.raise()
    }

    /// Ends the take; what the device has captured by now still belongs to it. Any thread, any time.
    public func stop() {
        stopRequested.store(true, ordering: .releasing)
        control.raise()
    }
}
