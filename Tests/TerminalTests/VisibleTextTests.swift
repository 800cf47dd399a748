import Terminal
import Testing

@Suite struct VisibleTextTests {
    init() { _ = VisibleText.prepare() }

    static let hostile: [(text: String, visible: String)] = [
        ("plain", "plain"), ("日本語 und Grüße", "日本語 und Grüße"), ("a\u{1b}[31mb", "a^[[31mb"),
        ("two\nlines\ttab", "two^Jlines^Itab"), ("\u{7f}\u{0}", "^?^@"), ("\u{9b}2J", "<U+9B>2J"),
        ("\u{202e}gpj", "<U+202E>gpj"), ("👨‍👩‍👧", "👨‍👩‍👧"),
    ]

    @Test(arguments: hostile)
    func whatCouldSteerATerminalIsMadeVisible(text: String, visible: String) {
        #expect(VisibleText.of(text) == visible)
    }

    static let widths: [(text: String, columns: Int)] = [
        ("", 0), ("abc", 3), ("日本", 4), ("e\u{301}", 1), ("👨‍👩‍👧", 2), ("…", 1),
    ]

    @Test(arguments: widths)
    func aTextIsAsWideAsATerminalShowsIt(text: String, columns: Int) {
        #expect(VisibleText.columns(text) == columns)
    }

    @Test func aTextIsFittedBetweenCharacters() {
        #expect(VisibleText.fitted("日本語", columns: 8) == "日本語  ")
        #expect(VisibleText.fitted("日本語", columns: 6) == "日本語")
        #expect(VisibleText.fitted("日本語", columns: 5) == "日本…")
        #expect(VisibleText.fitted("日本語", columns: 4) == "日… ")
    }

    @Test func aLongTextIsBrokenBetweenWords() {
        #expect(VisibleText.wrapped("short", columns: 10) == "short")
        #expect(VisibleText.wrapped("one two three", columns: 8) == "one two\nthree")
        #expect(VisibleText.wrapped("  one two three", columns: 8) == "  one\n  two\n  three")
        #expect(VisibleText.wrapped("unbreakable", columns: 4) == "unbreakable")
        #expect(VisibleText.wrapped("一二 三四", columns: 5) == "一二\n三四")
    }

    @Test func hintsStayWhole() {
        let hints = ["space pause", "m mark", "Enter stop"]
        #expect(KeyHints.lines(hints, columns: 80) == ["space pause · m mark · Enter stop"])
        #expect(KeyHints.lines(hints, columns: 25) == ["space pause · m mark", "Enter stop"])
        #expect(KeyHints.lines(hints, columns: 3) == hints)
    }
}
