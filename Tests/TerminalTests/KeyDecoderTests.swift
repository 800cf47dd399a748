import Terminal
import Testing

@Suite struct KeyDecoderTests {
    private func keys(_ text: String) -> [Key] {
        var decoder = KeyDecoder()
        return decoder.decode(text.utf8) + decoder.finish()
    }

    @Test func whatIsTypedIsWhatIsMeant() {
        #expect(
            keys("q M\r\n\u{4}é") == [
                .character("q"), .character(" "), .character("m"), .enter, .enter, .end, .character("é"),
            ])
    }

    @Test(arguments: ["\u{1b}[A", "\u{1b}OP", "\u{1b}[1;5C", "\u{1b}[15~", "\u{1b}x", "\u{1}"])
    func aKeyWithoutACharacterIsNoEscape(sequence: String) {
        #expect(keys(sequence) == [.other])
        #expect(keys(sequence + "q") == [.other, .character("q")])
    }

    @Test func anEscapeIsOneWhenNothingFollows() {
        var decoder = KeyDecoder()
        #expect(decoder.decode([0x1b]).isEmpty && decoder.isWaiting)
        #expect(decoder.finish() == [.escape])
        // Over a slow line an arrow's bytes come one by one.
        #expect(decoder.decode([0x1b]).isEmpty)
        #expect(decoder.decode([UInt8(ascii: "[")]).isEmpty)
        #expect(decoder.decode([UInt8(ascii: "D")]) == [.other])
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
