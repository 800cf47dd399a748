public import Sound

/// A waveform in a line of text.
public enum WaveformText {
    private static let blocks: [Character] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

    /// The shape in block characters, at most so many columns wide.
    public static func line(_ waveform: Waveform, columns: Int) -> String {
        line(waveform.heights(columns: columns))
    }

    /// The shape in block characters, exactly so many columns wide: a short memo's is stretched.
    static func line(_ waveform: Waveform, filling columns: Int) -> [Character] {
        let shape = Array(line(waveform, columns: columns))
        guard !shape.isEmpty else { return Array(repeating: " ", count: columns) }
        return (0..<columns).map { shape[$0 * shape.count / columns] }
    }

    /// The shape of peaks, each a distance from zero of a possible 2³¹, a column each.
    static func line(peaks: [UInt32]) -> String {
        line(peaks.map { (Double($0) / 2_147_483_648).squareRoot() })
    }

    private static func line(_ heights: [Double]) -> String {
        String(heights.map { blocks[Int(($0 * 8).rounded(.up))] })
    }
}
