public import Sound

/// What a person sees while a take runs: the time and the running shape of the sound, a meter a channel, and
/// what the keys do.
public struct RecordingText {
    private var meters: [MeterText] = []
    private var peaks: [UInt32] = []
    private var levels: ChannelLevels?
    private var clips = 0

    /// More than any terminal is wide.
    private static let mostPeaks = 1_000

    /// A display of nothing yet.
    public init() {}

    /// Takes in what was heard since the last time: one more column of the shape.
    public mutating func add(_ levels: ChannelLevels) {
        self.levels = levels
        clips += levels.clips
        peaks.append(levels.peak)
        if peaks.count > Self.mostPeaks { peaks.removeFirst(peaks.count - Self.mostPeaks) }
    }

    /// The lines of a moment, none wider than `columns` − 1: a terminal that has its last column filled goes to
    /// the next line.
    ///
    /// - Parameters:
    ///   - time: how long it has been recording, as a person reads it.
    ///   - isPaused: whether it is not recording now.
    ///   - hints: what the keys do, or a question.
    ///   - milliseconds: a clock that only goes forward.
    ///   - columns: the width of the terminal.
    public mutating func lines(
        time: String, isPaused: Bool, hints: [String], at milliseconds: Int64, columns: Int
    ) -> [String] {
        let width = columns - 1
        let start = (isPaused ? "‖ " : "● ") + time + (isPaused ? "  paused" : "") + "  "
        let end = clips == 0 ? "" : clips == 1 ? "  1 clip" : "  \(clips) clips"
        let shape = WaveformText.line(
            peaks: peaks.suffix(max(0, width - start.count - end.count)).map { $0 })
        var lines = [start + shape + end]
        if let levels, !isPaused {
            if meters.isEmpty { meters = levels.peaks.map { _ in MeterText() } }
            for channel in meters.indices.prefix(MeterText.most) {
                lines.append(
                    meters[channel].line(
                        label: MeterText.label(channel, of: meters.count),
                        peak: Decibels.ofPeak(levels.peaks[channel]),
                        rms: levels.rmsDecibels(channel: channel), at: milliseconds, columns: width))
            }
        }
        return (lines + hints).map { VisibleText.cut($0, columns: width) }
    }
}
