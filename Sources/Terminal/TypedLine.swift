/// What a person has typed into a line, without what was no text: an arrow or an Escape that the terminal's own
/// editing does not know ends up in the line.
public enum TypedLine {
    /// The text of a line, without control characters, the sequences of keys, and spaces at its ends.
    public static func text(_ line: String) -> String {
        var kept = String.UnicodeScalarView()
        var rest = Substring(line).unicodeScalars
        while let scalar = rest.popFirst() {
            switch scalar.value {
            case 0x1b: dropSequence(&rest)
            case 0..<0x20, 0x7f..<0xa0: break
            default: kept.append(scalar)
            }
        }
        let text = String(kept)
        guard let end = text.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(text[...end].drop { $0.isWhitespace })
    }

    /// What follows an Escape: `[ … letter`, or `O letter` (ECMA-48, 5.4).
    private static func dropSequence(_ rest: inout Substring.UnicodeScalarView) {
        switch rest.first {
        case "[":
            rest.removeFirst()
            while let scalar = rest.popFirst(), !(0x40..<0x7f).contains(scalar.value) {}
        case "O": rest = rest.dropFirst(2)
        default: break
        }
    }
}
