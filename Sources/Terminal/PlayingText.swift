public import Sound

/// What a person sees while a memo plays: where it stands, its shape with the playhead and the markers, a meter
/// a channel, and what the keys do.
public struct PlayingText {
    private var meters: [MeterText] = []
    private var levels: ChannelLevels?
    private var levelsUntil: Int64 = 0

    /// After so long without a new one the last level is no longer true.
    private static let levelMilliseconds: Int64 = 400

    /// A display of nothing yet.
    public init() {}

    /// Takes in what was played since the last time.
    public mutating func add(_ levels: ChannelLevels, at milliseconds: Int64) {
        if self.levels?.peaks.count != levels.peaks.count { meters = levels.peaks.map { _ in MeterText() } }
        self.levels = levels
        levelsUntil = milliseconds + Self.levelMilliseconds
    }

    /// The lines of a moment, none wider than `columns` − 1.
    ///
    /// - Parameters:
    ///   - status: what plays, and where it stands.
    ///   - waveform: the shape of the memo, or nil.
    ///   - playhead: what is heard, from 0, the memo's start, to 1, its end.
    ///   - markers: the markers' places on that scale.
    ///   - remark: what a marker that has just come by says, or nil.
    ///   - hints: what the keys do.
    ///   - milliseconds: a clock that only goes forward.
    ///   - columns: the width of the terminal.
    public mutating func lines(
        status: [String], waveform: Waveform?, playhead: Double, markers: [Double], remark: String?,
        hints: [String], at milliseconds: Int64, columns: Int
    ) -> [String] {
        let width = max(1, columns - 1)
        var lines = status
        if !markers.isEmpty { lines.append(Self.row(of: markers, columns: width)) }
        lines.append(Self.shape(waveform, playhead: playhead, columns: width))
        if let remark { lines.append("▾ " + remark) }
        if let levels, milliseconds < levelsUntil {
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

    private static func column(_ place: Double, of columns: Int) -> Int {
        min(columns - 1, Int(max(0, min(1, place)) * Double(columns)))
    }

    /// The markers, above their places.
    private static func row(of markers: [Double], columns: Int) -> String {
        var row = [Character](repeating: " ", count: columns)
        for marker in markers { row[column(marker, of: columns)] = "▾" }
        return String(row)
    }

    /// The shape with the playhead in it; a memo without a shape is a line.
    private static func shape(_ waveform: Waveform?, playhead: Double, columns: Int) -> String {
        var shape =
            waveform.map { WaveformText.line($0, filling: columns) }
            ?? [Character](repeating: "─", count: columns)
        shape[column(playhead, of: columns)] = "┃"
        return String(shape)
    }
}
