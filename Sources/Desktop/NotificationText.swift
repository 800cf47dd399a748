/// Text of unknown origin, made fit for a notification.
enum NotificationText {
    /// Text that desktops read as markup (`&`, `<` and `>` are escaped), in lines.
    static func markup(_ text: String) -> String {
        var escaped = ""
        for scalar in plain(text, isOneLine: false).unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// Text in which control characters and what changes the direction of writing are replaced by U+FFFD, and
    /// ends of lines by spaces when it is to be one line. So is what D-Bus does not take as text: NUL, and
    /// the code points that are no characters.
    static func plain(_ text: String, isOneLine: Bool) -> String {
        var plain = ""
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x0a where !isOneLine: plain += "\n"
            case 0x09, 0x0a, 0x0d, 0x85, 0x2028, 0x2029: plain += " "
            case 0..<0x20, 0x7f..<0xa0, 0x61c, 0x200e, 0x200f, 0x202a...0x202e, 0x2066...0x2069,
                0xfdd0...0xfdef:
                plain += "\u{fffd}"
            case let value where value & 0xfffe == 0xfffe: plain += "\u{fffd}"
            default: plain.unicodeScalars.append(scalar)
            }
        }
        return plain
    }
}
