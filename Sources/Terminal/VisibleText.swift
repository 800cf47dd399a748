import CLinux
import Glibc

/// Text of unknown origin, made safe and fitted for a terminal.
public enum VisibleText {
    /// Tells the C library that text is UTF-8 (`setlocale`), without which `wcwidth` knows no width. Once,
    /// before any thread is started. The C library's own messages stay in English, as ours are.
    ///
    /// - Returns: whether the environment's locale is one of UTF-8 (`nl_langinfo`), or one that is not installed here.
    public static func prepare() -> Bool {
        let isKnown = setlocale(LC_CTYPE, "") != nil
        let isUTF8 = strcmp(nl_langinfo(nl_item(CODESET)), "UTF-8") == 0
        setlocale(LC_CTYPE, "C.UTF-8")
        return isUTF8 || !isKnown
    }

    /// The text with its control characters, and what changes the direction of writing, made visible:
    /// a title can neither move the cursor nor end the line.
    public static func of(_ text: String) -> String {
        if isPlain(text) { return text }
        var visible = ""
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0..<0x20: visible.unicodeScalars += ["^", Unicode.Scalar(UInt8(scalar.value) + 0x40)]
            case 0x7f: visible += "^?"
            case 0x80..<0xa0, 0x61c, 0x200b, 0x200e, 0x200f, 0x2028...0x202e, 0x2060...0x206f, 0xfeff,
                0xe0000...0xe007f:
                visible += "<U+" + String(scalar.value, radix: 16, uppercase: true) + ">"
            default: visible.unicodeScalars.append(scalar)
            }
        }
        return visible
    }

    /// The columns that a text takes on a terminal (`wcwidth`, by character: a family of emoji that are
    /// joined counts once).
    public static func columns(_ text: String) -> Int {
        isPlain(text) ? text.utf8.count : text.reduce(0) { $0 + columns($1) }
    }

    /// Whether a text is printable ASCII alone, as most are: then bytes, characters and columns are one,
    /// and finding the characters' borders, which is slow, can be left out.
    private static func isPlain(_ text: String) -> Bool {
        text.utf8.allSatisfy { (0x20..<0x7f).contains($0) }
    }

    /// The text, cut between characters where it is wider than a width.
    public static func cut(_ text: String, columns width: Int) -> String {
        columns(text) <= width ? text : fitted(text, columns: width)
    }

    /// The text with line ends between words where it is wider than a width; each line begins with the spaces
    /// that the text begins with.
    public static func wrapped(_ text: String, columns width: Int) -> String {
        if columns(text) <= width { return text }
        let indent = String(text.prefix { $0 == " " })
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, columns(last) + 1 + columns(String(word)) <= width {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(indent + word)
            }
        }
        return lines.joined(separator: "\n")
    }

    /// The text with spaces behind it up to a width, or cut between characters, with an ellipsis.
    public static func fitted(_ text: String, columns width: Int) -> String {
        let columns = columns(text)
        if columns <= width { return text + String(repeating: " ", count: width - columns) }
        var cut = ""
        var used = 0
        for character in text {
            let next = Self.columns(character)
            if used + next > width - 1 { break }
            cut.append(character)
            used += next
        }
        return cut + "…" + String(repeating: " ", count: max(0, width - 1 - used))
    }

    private static func columns(_ character: Character) -> Int {
        character.unicodeScalars.reduce(0) { max($0, Int(wcwidth(wchar_t($1.value)))) }
    }
}
