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
        /// The device is open and granted this; it waits for ``begin(writer:file:frameLimit:)``.
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

    private let control: WakeUp
    private let dataWakeUp: WakeUp
    private let spaceWakeUp: WakeUp
    private let syncWakeUp: WakeUp
    private let stopRequested = Atomic<Bool>(false)
    private let captureEnded = Atomic<Bool>(false)
    private let encoderEnded = Atomic<Bool>(false)
    private let gapFrames = Atomic<Int64>(0)
    private let syncFaults: EventQueue<SystemError>
    private let hasSession = Atomic<Bool>(false)
    private var session: Session?
    private var deviceError: (any Error)?
    private struct Session {
        let ring: FrameRing
        let writer: AudioFileWriter
        let file: FileDescriptor
        let frameLimit: Int64?
        let silenceSeconds: Double?
    }

    /// How long an encoder may stall without a frame lost, and the most memory for it.
    private static let ringSeconds = 12
    private static let ringMostBytes = 32 << 20
    /// How long a device may take to end when it is told to.
    private static let stopMilliseconds: Int64 = 1_500

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

    /// Ends the take; what the device has captured by now still belongs to it. Any thread, any time.
    public func stop() {
        stopRequested.store(true, ordering: .releasing)
        control.raise()
    }

    // MARK: - The capture thread

    private func capture(_ open: () throws -> any FrameSource) {
        var source: (any FrameSource)?
        do {
            source = try open()
            if let source { try capture(from: source) }
        } catch {
            deviceError = error
        }
        captureEnded.store(true, ordering: .releasing)
        if hasSession.load(ordering: .acquiring) {
            dataWakeUp.raise()
        } else {
            events.post(.ended(Outcome(deviceError: deviceError)))
        }
        source?.close()
    }

    private func capture(from source: any FrameSource) throws {
        events.post(.opened(source.stream))
        while !hasSession.load(ordering: .acquiring) {
            if stopRequested.load(ordering: .acquiring) { return }
            control.wait(milliseconds: -1)
            control.lower()
        }
        guard let session else { return }
        var left = session.frameLimit ?? .max
        try source.start()
        var gaps = GapDetector(rate: source.stream.rate)
        var losses = source.lossCount
        var isFirst = true
        // In pieces of 50 ms, so that a device without a clock of its own can be stopped too.
        let piece = Int64(max(1, source.stream.rate / 20))

        let channels = source.stream.channels
        let stash = UnsafeMutableBufferPointer<Int32>.allocate(capacity: Int(piece) * channels)
        defer { stash.deallocate() }

        /// Moves what the device has, a piece at most, and before it silence in place of what was lost.
        func take(_ most: Int64) throws -> Int {
            var gap: Int64 = 0
            var stashed = 0
            let moved = try session.ring.write { room in
                let samples = min(room.count, Int(min(most, left, piece)) * channels)
                guard samples > 0 else { return 0 }
                let count = try source.read(into: .init(rebasing: room[..<samples]), waking: control)
                guard count > 0 else { return 0 }
                gap = gaps.missing(
                    count: count, available: source.availableFrames, at: MonotonicClock.millisecondsWithSleep,
                    wasReported: source.lossCount != losses)
                losses = source.lossCount
                if gap == 0 { return count }
                // The silence comes first: these frames wait until it is in the ring.
                _ = stash.update(fromContentsOf: room[..<(count * channels)])
                stashed = count
                return 0
            }
            guard moved > 0 || stashed > 0 else { return 0 }
            if isFirst { events.post(.started) }
            isFirst = false
            left -= Int64(moved)
            dataWakeUp.raise()
            if gap > 0 {
                gapFrames.add(gap, ordering: .relaxed)
                let isShort = gap <= Self.mostSilenceSeconds * Int64(source.stream.rate)
                left -= put(nil, frames: min(left, isShort ? gap : Int64(source.stream.rate)))
                left -= put(UnsafeBufferPointer(stash), frames: min(left, Int64(stashed)))
            }
            return moved + stashed
        }
        while left > 0, !stopRequested.load(ordering: .acquiring) {
            if try take(piece) == 0 { waitForSpace(session.ring) }
        }
        // What was said before the key was pressed is still in the device.
        control.lower()
        var rest = Int64(source.availableFrames)
        while rest > 0, left > 0, !encoderEnded.load(ordering: .acquiring) {
            let count = try take(min(rest, piece))
            if count == 0, session.ring.waitingFrames < session.ring.capacityFrames { break }
            if count == 0 { waitForSpace(session.ring) }
            rest -= Int64(count)
        }
    }

    /// A gap is kept as silence, so that the rest stays in its place; one that is longer becomes a second.
    private static let mostSilenceSeconds: Int64 = 60

    /// Puts frames, or silence, into the ring, waiting for the encoder where it must.
    ///
    /// - Returns: how many; fewer than asked when the take was stopped meanwhile.
    private func put(_ samples: UnsafeBufferPointer<Int32>?, frames: Int64) -> Int64 {
        guard let ring = session?.ring else { return 0 }
        var done = 0
        while done < frames {
            let count = ring.write { room in
                let count = min(room.count / ring.channels, Int(frames) - done)
                let target = room[..<(count * ring.channels)]
                if let samples {
                    let source = samples[(done * ring.channels)..<((done + count) * ring.channels)]
                    _ = UnsafeMutableBufferPointer(rebasing: target).update(fromContentsOf: source)
                } else {
                    target.update(repeating: 0)
                }
                return count
            }
            done += count
            if count > 0 {
                dataWakeUp.raise()
            } else if encoderEnded.load(ordering: .acquiring) {
                break
            } else {
                waitForSpace(ring)
            }
        }
        return Int64(done)
    }

    /// Waits for the encoder when the ring is full; the device overruns meanwhile.
    private func waitForSpace(_ ring: FrameRing) {
        guard ring.waitingFrames == ring.capacityFrames else { return }
        spaceWakeUp.wait(milliseconds: 50)
        spaceWakeUp.lower()
    }

    // MARK: - The encoder thread

    private func encode() {
        guard let session else { return }
        var outcome = Outcome()
        var level = PeakLevel(bits: session.writer.stream.bits)
        do {
            let syncing = try NativeThread(name: "sync") { self.keepSyncing(session.file) }
            do {
                outcome.deviceHangs = try drain(session, &level)
            } catch {
                outcome.fileError = error
                stop()
            }
            syncWakeUp.raise()
            syncing.join()
            try session.writer.close()
            try session.file.sync()
        } catch {
            outcome.fileError = outcome.fileError ?? error
            stop()
        }
        encoderEnded.store(true, ordering: .releasing)
        outcome.frames = session.writer.frames
        outcome.level = level
        outcome.gapFrames = gapFrames.load(ordering: .relaxed)
        if !outcome.deviceHangs, captureEnded.load(ordering: .acquiring) { outcome.deviceError = deviceError }
        events.post(.ended(outcome))
    }

    /// Moves frames from the ring to the file until the capture thread has ended and the ring is empty, or it
    /// has been silent for long enough.
    ///
    /// - Returns: whether the capture thread was given up on.
    private func drain(_ session: Session, _ level: inout PeakLevel) throws -> Bool {
        var deadline: Int64?
        var silence = session.silenceSeconds.map {
            SilenceDetector(stream: session.writer.stream, seconds: $0)
        }
        var isSilent = false
        while true {
            let ended = captureEnded.load(ordering: .acquiring)
            let count = try session.ring.read { samples in
                var kept = samples
                if let frames = silence?.measure(samples) {
                    kept = UnsafeBufferPointer(rebasing: samples[..<(frames * session.ring.channels)])
                    isSilent = true
                }
                level.measure(kept)
                try session.writer.write(kept)
            }
            if isSilent {
                stop()
                return false
            }
            if count > 0 {
                spaceWakeUp.raise()
                continue
            }
            if ended { return false }
            if let fault = syncFaults.take().first { throw fault }
            if stopRequested.load(ordering: .acquiring) {
                let now = MonotonicClock.milliseconds
                if now >= deadline ?? .max { return true }
                deadline = deadline ?? now + Self.stopMilliseconds
            }
            dataWakeUp.wait(milliseconds: 200)
            dataWakeUp.lower()
        }
    }

    // MARK: - The syncing thread

    /// Has what was written on disk at most a second later, so that a power cut takes no more than that.
    private func keepSyncing(_ file: FileDescriptor) {
        while !syncWakeUp.wait(milliseconds: 1_000) {
            do {
                try file.syncData()
            } catch {
                syncFaults.post(error)
                dataWakeUp.raise()
                return
            }
        }
    }
}
