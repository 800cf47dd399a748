/// What the keys do, as it stands below a display.
public enum KeyHints {
    private static let separator = " · "

    /// The hints, `space pause · m mark · …`, over as many lines as the width asks for.
    public static func lines(_ hints: [String], columns: Int) -> [String] {
        var lines: [String] = []
        for hint in hints {
            if let last = lines.last, VisibleText.columns(last + separator + hint) < columns {
                lines[lines.count - 1] = last + separator + hint
            } else {
                lines.append(hint)
            }
        }
        return lines
    }
}
