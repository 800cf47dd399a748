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
        var measures = Measures(session.writer.stream, silenceSeconds: session.silenceSeconds)
        do {
            let syncing = try NativeThread(name: "sync") { self.keepSyncing(session.writer) }
            do {
                outcome.deviceHangs = try drain(session, &measures)
            } catch {
                outcome.fileError = error
                stop()
            }
            syncWakeUp.raise()
            syncing.join()
            try session.writer.close()
            try session.writer.sync()
        } catch {
            outcome.fileError = outcome.fileError ?? error
            stop()
        }
        encoderEnded.store(true, ordering: .releasing)
        outcome.frames = session.writer.frames
        outcome.levels = measures.levels
        outcome.waveform = measures.waveform.finish()
        outcome.sounding = measures.sounding.range
        outcome.gapFrames = gapFrames.load(ordering: .relaxed)
        outcome.gapMarkers = longGaps.markers(rate: session.writer.stream.rate)
        if !outcome.deviceHangs, captureEnded.load(ordering: .acquiring) { outcome.deviceError = deviceError }
        events.post(.ended(outcome))
    }

    /// Moves frames from the ring to the file until the capture thread has ended and the ring is empty, or it
    /// has been silent for long enough.
    ///
    /// - Returns: whether the capture thread was given up on.
    private func drain(_ session: Session, _ measures: inout Measures) throws -> Bool {
        var deadline: Int64?
        let samplesOfPiece = max(1, session.writer.stream.rate / 20) * session.ring.channels
        while true {
            let ended = captureEnded.load(ordering: .acquiring)
            let count = try session.ring.read { samples in
                // In pieces of 50 ms at most: so exactly are silence and the ends of the sound found. But written
                // at once, as each write of a WAV file brings its header up to date.
                var kept = 0
                while kept < samples.count, !measures.isSilent {
                    let end = min(samples.count, kept + samplesOfPiece)
                    kept += measures.measure(UnsafeBufferPointer(rebasing: samples[kept..<end])).count
                }
                try session.writer.write(UnsafeBufferPointer(rebasing: samples[..<kept]))
                if !samples.isEmpty { publish(&measures.recent) }
            }
            if measures.isSilent {
                stop()
                return false
            }
            if count > 0 {
                spaceBell.ring()
                continue
            }
            if ended { return false }
            if let fault = syncFaults.take().first { throw fault }
            if stopRequested.load(ordering: .acquiring) {
                let now = MonotonicClock.milliseconds
                if now >= deadline ?? .max { return true }
                deadline = deadline ?? now + Self.stopMilliseconds
            }
            dataBell.wait(milliseconds: 200) {
                session.ring.waitingFrames == 0 && captureEnded.load(ordering: .acquiring) == ended
            }
        }
    }

    /// What is measured as the frames pass.
    private struct Measures {
        private(set) var levels: ChannelLevels
        /// What nobody was told yet.
        var recent: ChannelLevels
        private(set) var waveform: WaveformBuilder
        private(set) var sounding: SoundingRange
        private(set) var isSilent = false
        private var piece: ChannelLevels
        private var silence: SilenceDetector?
        private let channels: Int

        init(_ stream: StreamFormat, silenceSeconds: Double?) {
            channels = stream.channels
            levels = ChannelLevels(channels: channels, bits: stream.bits)
            recent = levels
            piece = levels
            waveform = WaveformBuilder(channels: channels)
            sounding = SoundingRange(rate: stream.rate)
            silence = silenceSeconds.map { SilenceDetector(stream: stream, seconds: $0) }
        }

        /// Takes in the next samples, and gives those of them that belong to the take: all, but where it has been
        /// silent for long enough.
        mutating func measure(_ samples: UnsafeBufferPointer<Int32>) -> UnsafeBufferPointer<Int32> {
            var kept = samples
            if let frames = silence?.measure(samples) {
                kept = UnsafeBufferPointer(rebasing: samples[..<(frames * channels)])
                isSilent = true
            }
            piece.reset()
            waveform.measure(kept, into: &piece)
            levels.add(piece)
            recent.add(piece)
            sounding.measure(frames: kept.count / channels, peak: piece.peak)
            return kept
        }
    }

    /// Gives what was measured since the last time to whoever shows it.
    private func publish(_ recent: inout ChannelLevels) {
        live.withLock { levels in
            if levels == nil { levels = recent } else { levels?.add(recent) }
        }
        loudest.max(recent.peak, ordering: .relaxed)
        measured.add(Int64(recent.frames), ordering: .releasing)
        recent.reset()
    }

    /// Has what was written on disk at most a second later, so that a power cut takes no more than that.
    private func keepSyncing(_ writer: AudioFileWriter) {
        while !syncWakeUp.wait(milliseconds: 1_000) {
            do {
                try writer.sync()
            } catch {
                syncFaults.post(error)
                dataBell.ring()
                return
            }
        }
    }
}
