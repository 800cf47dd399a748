import Terminal
import Testing

@Suite struct LineEditorTests {
    init() { _ = VisibleText.prepare() }

    /// What is there, what is typed, and what becomes of it; nil where the line goes on.
    @Test(arguments: [
        ("", "  A title \n", LineEditor.Outcome.entered("A title")), ("old", "\u{4}", .entered("old")),
        ("old", "er\n", .entered("older")), ("old", "\u{15}new\n", .entered("new")),
        ("", "é日\u{7f}\u{7f}\u{7f}e\u{301}x\u{8}\n", .entered("e\u{301}")), ("old", "\u{15}\n", .entered("")),
        ("old", "\u{1b}[Dx\u{1b}OA\u{1}\n", .entered("oldx")), ("", "a\u{9b}b\n", .entered("ab")),
        ("old", "er\u{1b}", .cancelled), ("old", "er", nil),
    ])
    func aLineIsWhatWasTyped(old: String, typed: String, outcome: LineEditor.Outcome?) {
        var (line, decoder) = (LineEditor(old), KeyDecoder())
        let keys = decoder.decode(typed.utf8) + decoder.finish()
        #expect(keys.reduce(nil) { $0 ?? line.take($1) } == outcome)
    }

    @Test(arguments: [
        ("abc", 3, "abc"), ("abcd", 3, "…cd"), ("日本語", 4, "…語"), ("a\u{7}b", 4, "a^Gb"), ("ab", 0, "…"),
    ])
    func itsEndIsShown(text: String, columns: Int, shown: String) {
        #expect(LineEditor(text).shown(columns: columns) == shown)
    }
}
