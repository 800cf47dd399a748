import Sound
import Terminal
import Testing

@Suite struct RecordingTextTests {
    private func levels(_ samples: [Int32], channels: Int) -> ChannelLevels {
        var levels = ChannelLevels(channels: channels, bits: 16)
        _ = samples.withUnsafeBufferPointer { levels.measure($0) }
        return levels
    }

    @Test(arguments: [80, 40, 24])
    func noLineFillsTheLastColumn(columns: Int) {
        var text = RecordingText()
        for _ in 0..<200 { text.add(levels([.min, 1 << 29], channels: 2)) }
        let lines = text.lines(
            time: "1:02:03", isPaused: false, hints: ["space pause · m mark"], at: 0, columns: columns)
        #expect(lines.count == 4)
        for line in lines { #expect(line.count < columns, "\(line)") }
        #expect(lines[0].hasPrefix("● 1:02:03  ") && lines[0].hasSuffix("  200 clips"))
        #expect(lines[1].hasPrefix("L ") && lines[2].hasPrefix("R "))
    }

    @Test func theShapeRunsFromTheLeftAndKeepsTheNewest() {
        var text = RecordingText()
        func first() -> String {
            text.lines(time: "0:01", isPaused: false, hints: [], at: 0, columns: 12)[0]
        }
        text.add(levels([0, 0], channels: 1))
        text.add(levels([1 << 30], channels: 1))
        #expect(first() == "● 0:01   ▆")
        text.add(levels([0x7f00_0000], channels: 1))
        #expect(first().hasSuffix("▆█"))
    }

    @Test func aPauseIsSaidAndHasNoMeter() {
        var text = RecordingText()
        text.add(levels([1 << 30], channels: 1))
        let lines = text.lines(time: "0:01", isPaused: true, hints: ["space go on"], at: 0, columns: 80)
        #expect(lines == ["‖ 0:01  paused  ▆", "space go on"])
    }
}
