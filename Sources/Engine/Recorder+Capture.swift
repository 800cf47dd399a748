import Linux
import Sound
import Synchronization

/// The capture thread: from the device into the ring. It does not allocate, lock or log while sound flows.
extension Recorder {
    func capture(_ open: () throws -> any FrameSource) {
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
}
