import AudioFile
import Linux
import Sound
import Synchronization

/// The encoder thread: from the ring into the file; and the thread that has the file on disk meanwhile.
extension Recorder {
    /// How long a device may take to end when it is told to.
    private static let stopMilliseconds: Int64 = 1_500

    func encode() {
        guard let session else { return }
        var outcome = Outcome()
        var level = PeakLevel(bits: session.writer.stream.bits)
        var waveform = WaveformBuilder(channels: session.writer.stream.channels)
        do {
            let syncing = try NativeThread(name: "sync") { self.keepSyncing(session.file) }
            do {
                outcome.deviceHangs = try drain(session, &level, &waveform)
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
        outcome.waveform = waveform.finish()
        outcome.gapFrames = gapFrames.load(ordering: .relaxed)
        if !outcome.deviceHangs, captureEnded.load(ordering: .acquiring) { outcome.deviceError = deviceError }
        events.post(.ended(outcome))
    }

    /// Moves frames from the ring to the file until the capture thread has ended and the ring is empty, or it
    /// has been silent for long enough.
    ///
    /// - Returns: whether the capture thread was given up on.
    private func drain(
        _ session: Session, _ level: inout PeakLevel, _ waveform: inout WaveformBuilder
    ) throws -> Bool {
        var deadline: Int64?
        var silence = session.silenceSeconds.map {
            SilenceDetector(stream: session.writer.stream, seconds: $0)
        }
        var isSilent = false
        var recent = ChannelLevels(
            channels: session.writer.stream.channels, bits: session.writer.stream.bits)
        while true {
            let ended = captureEnded.load(ordering: .acquiring)
            let count = try session.ring.read { samples in
                var kept = samples
                if let frames = silence?.measure(samples) {
                    kept = UnsafeBufferPointer(rebasing: samples[..<(frames * session.ring.channels)])
                    isSilent = true
                }
                recent.reset()
                waveform.measure(kept, into: &recent)
                level.add(recent)
                recentPeak.max(recent.peaks.max() ?? 0, ordering: .relaxed)
                try session.writer.write(kept)
            }
            writtenFrames.store(session.writer.frames, ordering: .relaxed)
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
