import Sound
import Terminal
import Testing

@Suite struct ASCIITextTests {
    @Test func everySignThatIsDrawnBecomesOneLetter() {
        let waveform = Waveform(bytes: (0...255).flatMap { [UInt8($0), 0] })
        let drawn = "▾▶●○◌‖┃─·←→↑↓…“”▮▯│" + (waveform.map { WaveformText.line($0, columns: 80) } ?? "")
        #expect(drawn.contains("▁") && drawn.contains("█"))
        let text = ASCIIText.of(drawn)
        #expect(text.count == drawn.count)
        #expect(text.utf8.allSatisfy { (0x20..<0x7f).contains($0) }, "\(text)")
    }

    @Test func whatOthersWroteStaysAsItIs() {
        for text in ["", "plain", "日本語", "👨‍👩‍👧", "é", "\u{1b}[31m"] { #expect(ASCIIText.of(text) == text) }
    }
}
