public import Sound

/// A waveform in a line of text.
public enum WaveformText {
    private static let blocks: [Character] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]

    /// The shape in block characters, at most so many columns wide.
    public static func line(_ waveform: Waveform, columns: Int) -> String {
        String(waveform.heights(columns: columns).map { blocks[Int(($0 * 8).rounded(.up))] })
    }
}
