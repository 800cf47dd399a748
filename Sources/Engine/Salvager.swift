import AudioFile
import Linux
public import Memos
import Sound

/// Makes memos of takes that were interrupted: mends the file, finds what it holds, finishes the row.
public enum Salvager {
    /// What became of the interrupted takes.
    public struct Report: Sendable {
        /// Those that are memos now.
        public var saved: [Memo] = []
        /// The numbers of those that held no frame and are gone.
        public var empty: [Int64] = []
        /// What could not be mended and stays as it is, in words.
        public var failures: [any Error] = []
    }

    /// Salvages what nobody records any more. Quick when there is nothing to do; two processes at once
    /// never work on the same take.
    ///
    /// - Throws: `StoreError` when the store itself cannot be used.
    public static func salvage(_ store: Store) throws -> Report {
        var report = Report()
        for take in try store.claimInterrupted() {
            do {
                if let memo = try salvage(take, in: store) {
                    report.saved.append(memo)
                } else {
                    report.empty.append(take.memo.id)
                }
            } catch {
                report.failures.append(error)
            }
        }
        return report
    }

    /// Mends one take, whose lock this process holds.
    ///
    /// - Parameters:
    ///   - outcome: how its recording ended, or nil when nobody knows.
    ///   - markers: what a person has marked; where there is nothing, what the row has already.
    /// - Returns: the memo, or nil when there was no frame to keep: the take is then gone.
    /// - Throws: `AudioFileError` or `StoreError`; nothing is lost then.
    public static func salvage(
        _ take: Take, in store: Store, after outcome: Recorder.Outcome? = nil, markers: [Marker] = []
    ) throws -> Memo? {
        guard let format = AudioFileFormat.named(take.memo.format) else {
            throw AudioFileError(attempt: "mend \(take.memo.file)", reason: "its format is not known")
        }
        let mended = try Mending.mend(take.file, name: take.memo.file, format: format)
        guard mended.frames > 0 else {
            try store.discard(take)
            return nil
        }
        // A file that was adopted has no recorder, and was whole unless it had to be cut.
        return try finish(
            take, in: store, frames: mended.frames, after: outcome, markers: markers,
            wasInterrupted: mended.wasCut || take.memo.recorder != nil)
    }

    /// Makes a memo of a take whose file is whole.
    ///
    /// - Parameters:
    ///   - outcome: how its recording ended, or nil when nobody knows.
    ///   - markers: what a person has marked.
    /// - Throws: `AudioFileError` or `StoreError`; nothing is lost then.
    public static func finish(
        _ take: Take, in store: Store, frames: Int64, after outcome: Recorder.Outcome?,
        markers: [Marker] = [],
        wasInterrupted: Bool
    ) throws -> Memo {
        // What the file itself says is what a player will see.
        let stream = try AudioFileReader(descriptor: take.file, name: take.memo.file).stream
        let levels = outcome?.levels
        let marked = markers.isEmpty ? take.memo.markers : markers
        let marks = (marked + (outcome?.gapMarkers ?? [])).filter { $0.frame <= frames }
        return try store.finish(
            take,
            with: MemoSound(
                rate: stream.rate, channels: stream.channels, bits: stream.bits, frames: frames,
                bytes: try take.file.status().bytes, peakDecibels: levels.map { Decibels.ofPeak($0.peak) },
                clips: levels?.clips, gapFrames: outcome?.gapFrames, wasInterrupted: wasInterrupted),
            waveform: outcome?.waveform?.bytes, markers: marks.sorted { $0.frame < $1.frame })
    }
}
