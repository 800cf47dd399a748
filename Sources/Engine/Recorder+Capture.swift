import AudioFile
import Linux
import Sound
import Synchronization

/// The capture thread: from the device into the ring. It does not allocate, lock or log while sound flows.
extension Recorder {
    func capture(_ open: () throws -> any FrameSource) {
        var source: (any FrameSource)?
        do {
            let opened = try open()
            source = opened
            events.post(.opened(opened.stream))
            while !hasSession.load(ordering: .acquiring), !stopRequested.load(ordering: .acquiring) {
                control.wait(milliseconds: -1)
                control.lower()
            }
            if let session { try capture(session, from: &source, reopening: open) }
        } catch {
            deviceError = error
        }
        captureEnded.store(true, ordering: .releasing)
        if hasSession.load(ordering: .acquiring) {
            dataBell.ring()
        } else {
            events.post(.ended(Outcome(deviceError: deviceError)))
        }
        source?.close()
    }

    /// Captures from pause to pause until the take is over. The device is closed while it is paused.
    private func capture(
        _ session: Session, from source: inout (any FrameSource)?,
        reopening open: () throws -> any FrameSource
    ) throws {
        var left = session.frameLimit ?? .max
        while let opened = source {
            try capture(session, from: opened, &left)
            guard left > 0, !stopRequested.load(ordering: .acquiring) else { return }
            opened.close()
            source = nil
            var refusal: (any Error)?
            while source == nil {
                events.post(.paused(refusal))
                while pauseRequested.load(ordering: .acquiring), !stopRequested.load(ordering: .acquiring) {
                    control.wait(milliseconds: -1)
                    control.lower()
                }
                if stopRequested.load(ordering: .acquiring) { return }
                do {
                    let reopened = try open()
                    source = reopened
                    guard reopened.stream == opened.stream else { throw ChangedDevice() }
                } catch {
                    // Rather a pause that goes on than a take that ends: the person decides.
                    source?.close()
                    source = nil
                    refusal = error
                    pauseRequested.store(true, ordering: .releasing)
                }
            }
        }
    }

    /// Captures until the take is stopped, paused or full.
    private func capture(_ session: Session, from source: any FrameSource, _ left: inout Int64) throws {
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
            if gap > 0 { left -= fill(gap, most: left) }
            if stashed > 0 { left -= put(UnsafeBufferPointer(stash), frames: min(left, Int64(stashed))) }
            capturedFrames.store((session.frameLimit ?? .max) - left, ordering: .relaxed)
            dataBell.ring()
            return moved + stashed
        }
        while left > 0, !stopRequested.load(ordering: .acquiring), !pauseRequested.load(ordering: .acquiring)
        {
            guard try take(piece) == 0 else { continue }
            // Whoever stops sets the flag before he wakes us. Any other call, such as the one that began the
            // session and may come late, must not keep us awake.
            control.lower()
            waitForSpace(session.ring)
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
        let late = gaps.missingAtEnd(at: MonotonicClock.millisecondsWithSleep)
        if late > 0, left > 0, !encoderEnded.load(ordering: .acquiring) {
            left -= fill(late, most: left)
            capturedFrames.store((session.frameLimit ?? .max) - left, ordering: .relaxed)
        }
    }

    /// A gap is kept as silence, so that the rest stays in its place; one that is longer becomes a second and
    /// a marker.
    private static let mostSilenceSeconds: Int64 = 60

    /// Puts silence into the ring where the device has lost frames.
    ///
    /// - Returns: how many frames.
    private func fill(_ gap: Int64, most: Int64) -> Int64 {
        guard let session else { return 0 }
        let rate = Int64(session.writer.stream.rate)
        gapFrames.add(gap, ordering: .relaxed)
        let isShort = gap <= Self.mostSilenceSeconds * rate
        if !isShort { longGaps.note(at: (session.frameLimit ?? .max) - most, length: gap) }
        return put(nil, frames: min(most, isShort ? gap : rate))
    }

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
                dataBell.ring()
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
        spaceBell.wait(milliseconds: 50) { ring.waitingFrames == ring.capacityFrames }
    }
}

/// A device that is another one after a pause.
struct ChangedDevice: Error, CustomStringConvertible {
    var description: String { "it has changed its rate or its channels" }
}
