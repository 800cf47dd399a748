/// What we draw, for a terminal that shows ASCII alone.
public enum ASCIIText {
    /// The text with each sign of ours in a letter of ASCII as wide as it; what others wrote stays as it is.
    public static func of(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { letters[$0] ?? $0 }))
    }

    private static let letters: [Unicode.Scalar: Unicode.Scalar] = {
        let signs =
            [
                "▁": "_", "▂": ".", "▃": "-", "▄": "=", "▅": "+", "▆": "*", "▇": "%", "█": "#", "▮": "#",
                "▯": "=",
                "│": "|", "┃": "|", "‖": "|", "─": "-", "·": ".", "▾": "v", "▶": ">", "●": "*", "○": "o",
                "◌": ".",
                "←": "<", "→": ">", "↑": "^", "↓": "v", "…": "~", "“": "\"", "”": "\"", "−": "-", "–": "-",
            ] as [Unicode.Scalar: Unicode.Scalar]
        return signs
    }()
}
