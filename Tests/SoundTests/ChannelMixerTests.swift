import Sound
import Testing

@Suite struct ChannelMixerTests {
    private func mix(_ frame: [Double], to targets: Int) -> [Double] {
        let chain = PlaybackChain(
            from: StreamFormat(rate: 48_000, channels: frame.count, bits: 24),
            to: StreamFormat(rate: 48_000, channels: targets, bits: 24))
        return chain.playToEnd(frame.map { Int32($0 * 0x1p30) & ~0xff }).map { Double($0) * 0x1p-30 }
    }

    private func isClose(_ left: [Double], _ right: [Double]) -> Bool {
        left.count == right.count && zip(left, right).allSatisfy { abs($0 - $1) < 1e-6 }
    }

    @Test(arguments: [
        ([1], [1, 1]),
        ([1], [1, 1, 1, 1]),
        ([1, 0], [0.5]),
        ([0.75, -0.25], [0.25]),
        // Left, right, centre.
        ([1, 0, 0], [0.585_786, 0]),
        ([0, 0, 1], [0.414_214, 0.414_214]),
        ([0, 0, 1], [0.414_214]),
        // The back of four.
        ([0, 0, 1, 0], [0.414_214, 0]),
        // 5.1: front left, centre, low frequencies, back right.
        ([1, 0, 0, 0, 0, 0], [0.414_214, 0]),
        ([0, 0, 1, 0, 0, 0], [0.292_893, 0.292_893]),
        ([0, 0, 0, 1, 0, 0], [0, 0]),
        ([0, 0, 0, 0, 0, 1], [0, 0.292_893]),
        ([0, 0, 0, 0, 0, 1], [0.146_447]),
        // 6.1: the one at the back; 7.1: a side.
        ([0, 0, 0, 0, 1, 0, 0], [0.226_541, 0.226_541]),
        ([0, 0, 0, 0, 0, 0, 1, 0], [0.226_541, 0]),
        // To more channels, and to those that are there.
        ([1, 0.5], [1, 0.5, 0, 0]),
        ([0, 0, 1, 0.5, 0.25, 0], [0, 0, 1, 0.5, 0.25, 0, 0, 0]),
    ])
    func oneFrame(source: [Double], target: [Double]) {
        #expect(isClose(mix(source, to: target.count), target))
    }

    @Test(arguments: 1...9, 1...9)
    func theLoudestFrameNeverExceedsFullScale(sources: Int, targets: Int) {
        let output = mix(Array(repeating: 1.999_999, count: sources), to: targets)
        #expect(output.count == targets)
        #expect(output.allSatisfy { $0 >= 0 && $0 < 2 })
        #expect(output.max()! > 1.9)
    }
}
