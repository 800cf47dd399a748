import Sound
import Testing

@Suite struct ChannelLevelsTests {
    private func levels(_ samples: [Int32], channels: Int = 1, bits: Int = 16) -> ChannelLevels {
        var levels = ChannelLevels(channels: channels, bits: bits)
        _ = samples.withUnsafeBufferPointer { levels.measure($0) }
        return levels
    }

    /// Samples of 24 bits that look like nothing.
    private func samples(_ count: Int) -> [Int32] {
        (0..<count).map { Int32(truncatingIfNeeded: $0 &* 2_654_435_761) & ~0xff }
    }

    @Test(arguments: 1...5, [0, 1, 2, 3, 7, 8, 9, 1_000, 70_001])
    func eachChannelIsMeasuredByItself(channels: Int, frames: Int) {
        let samples = samples(frames * channels)
        let levels = levels(samples, channels: channels, bits: 24)
        #expect(levels.frames == frames)
        for channel in 0..<channels {
            let own = stride(from: channel, to: samples.count, by: channels).map { samples[$0] }
            #expect(levels.peaks[channel] == own.map(\.magnitude).max() ?? 0)
            let squares = own.reduce(0.0) { $0 + Double($1) * Double($1) * 0x1p-62 }
            #expect(abs(levels.squares[channel] - squares) <= squares * 1e-6)
        }
    }

    @Test func fullScaleIsOne() {
        let loudest = levels([.min, 0, 1 << 30, 0], channels: 2)
        #expect(loudest.peaks == [1 << 31, 0])
        #expect(loudest.squares == [1.25, 0])
    }

    @Test func bothEndsOfTheScaleCountAsClipsInEveryChannel() {
        let ends: [Int32] = [32_767 << 16, -32_768 << 16, 32_766 << 16, -32_767 << 16]
        for channels in [1, 2, 4] {
            #expect(levels(ends, channels: channels).clips == 2)
            #expect(levels(ends, channels: channels, bits: 24).clips == 1)
        }
        #expect(levels([8_388_607 << 8, 8_388_606 << 8, .min, 0], bits: 24).clips == 2)
    }

    @Test func piecesAddUpToTheWhole() {
        let samples = samples(30_000)
        var sum = ChannelLevels(channels: 2, bits: 24)
        sum.add(levels(Array(samples[..<10_000]), channels: 2, bits: 24))
        sum.add(levels(Array(samples[10_000...]), channels: 2, bits: 24))
        let whole = levels(samples, channels: 2, bits: 24)
        #expect(sum.peaks == whole.peaks && sum.frames == whole.frames && sum.clips == whole.clips)
        #expect(zip(sum.squares, whole.squares).allSatisfy { abs($0 - $1) < 1e-6 * $1 })
    }

    @Test func afterAResetNothingWasMeasured() {
        var levels = levels([.min, .max], channels: 2)
        levels.reset()
        #expect(levels == ChannelLevels(channels: 2, bits: 16))
    }
}
