import Terminal
import Testing

@Suite struct KeyDecoderTests {
    private func keys(_ text: String) -> [Key] {
        var decoder = KeyDecoder()
        return decoder.decode(text.utf8) + decoder.finish()
    }

    @Test func whatIsTypedIsWhatIsMeant() {
        #expect(
            keys("q M\r\n\u{4}é\u{15}") == [
                .character("q"), .character(" "), .character("M"), .enter, .enter, .end, .character("é"),
                .eraseLine,
            ])
    }

    @Test(arguments: ["\u{1b}[E", "\u{1b}OP", "\u{1b}[1;5C", "\u{1b}[15~", "\u{1b}x", "\u{1}"])
    func aKeyWithoutACharacterIsNoEscape(sequence: String) {
        #expect(keys(sequence) == [.other])
        #expect(keys(sequence + "q") == [.other, .character("q")])
    }

    @Test(arguments: [
        ("\u{1b}[A", Key.up), ("\u{1b}OB", .down), ("\u{1b}[C", .right), ("\u{1b}OD", .left),
        ("\u{1b}[H", .home),
        ("\u{1b}OH", .home), ("\u{1b}[1~", .home), ("\u{7f}", .backspace), ("\u{8}", .backspace),
    ])
    func theKeysThatMoveHaveNames(sequence: String, key: Key) {
        #expect(keys(sequence + "q") == [key, .character("q")])
    }

    @Test func anEscapeIsOneWhenNothingFollows() {
        var decoder = KeyDecoder()
        #expect(decoder.decode([0x1b]).isEmpty && decoder.isWaiting)
        #expect(decoder.finish() == [.escape])
        // Over a slow line an arrow's bytes come one by one.
        #expect(decoder.decode([0x1b]).isEmpty)
        #expect(decoder.decode([UInt8(ascii: "[")]).isEmpty)
        #expect(decoder.decode([UInt8(ascii: "D")]) == [.left])
        #expect(!decoder.isWaiting)
    }

    @Test func anyBytesGiveKeysAndAnEnd() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<2_000 {
            var decoder = KeyDecoder()
            _ = decoder.decode((0..<20).map { _ in UInt8.random(in: 0...255, using: &generator) })
            _ = decoder.finish()
            #expect(!decoder.isWaiting)
        }
    }
}
