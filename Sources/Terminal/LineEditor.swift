/// A line that a person types key by key, behind what stands there already. Drawing it is another's task.
public struct LineEditor {
    /// What became of the line.
    public enum Outcome: Equatable, Sendable {
        /// It is as typed, without spaces at its ends.
        case entered(String)
        /// It is to be forgotten.
        case cancelled
    }

    /// The line as it stands.
    public private(set) var text: String

    /// - Parameter text: what is there to be changed.
    public init(_ text: String) {
        self.text = text
    }

    /// Takes a key in: Enter and Ctrl-D end the line, Escape forgets it, Backspace takes a character away, and Ctrl-U
    /// all of them.
    ///
    /// - Returns: nil while the line goes on.
    public mutating func take(_ key: Key) -> Outcome? {
        switch key {
        case .character(let character):
            // A control character in UTF-8 (C1) is none that is shown.
            let isControl = character.unicodeScalars.contains { $0.properties.generalCategory == .control }
            if !isControl { text.append(character) }
        case .backspace: _ = text.popLast()
        case .eraseLine: text = ""
        case .enter, .end: return .entered(trimmed)
        case .escape: return .cancelled
        default: break
        }
        return nil
    }

    /// The end of the line, as much of it as has room: that is where something is typed.
    public func shown(columns: Int) -> String {
        let visible = VisibleText.of(text)
        if VisibleText.columns(visible) <= columns { return visible }
        var end: [Character] = []
        // One column is for the sign that something is left out.
        var room = columns - 1
        for character in visible.reversed() {
            room -= VisibleText.columns(String(character))
            if room < 0 { break }
            end.append(character)
        }
        return "…" + String(end.reversed())
    }

    private var trimmed: String {
        guard let last = text.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(text[...last].drop { $0.isWhitespace })
    }
}
