import Sound
import Testing

@Suite struct ResamplerTests {
    static let rates = [8_000, 16_000, 44_100, 48_000, 96_000]

    @Test(arguments: rates, rates)
    func pitchLengthAndLevelStay(rate: Int, target: Int) {
        let source = StreamFormat(rate: rate, channels: 1, bits: 16)
        let device = StreamFormat(rate: target, channels: 1, bits: 24)
        let tone = Tone.sine(hertz: 1_000, seconds: 0.5, in: source)
        for blockFrames in [997, tone.count] {
            let output = PlaybackChain(from: source, to: device).playToEnd(tone, blockFrames: blockFrames)
            #expect(output.count == target / 2)
            #expect(abs(Tone.hertz(output, of: device) - 1_000) < 1)
            let peak = output[(output.count / 4)..<(output.count * 3 / 4)].map(\.magnitude).max()!
            #expect(abs(Double(peak) / Double(1 << 30) - 1) < 0.01)
        }
    }

    @Test func soundOfAnyLengthComesOutWhole() {
        let source = StreamFormat(rate: 44_100, channels: 2, bits: 16)
        let device = StreamFormat(rate: 48_000, channels: 2, bits: 16)
        let chain = PlaybackChain(from: source, to: device)
        for (frames, expected) in [(0, 0), (1, 1), (10, 11), (441, 480), (44_101, 48_001)] {
            let silence = [Int32](repeating: 0, count: 2 * frames)
            #expect(chain.playToEnd(silence).count == 2 * expected)
        }
    }

    @Test func ratesThatNobodyUsesDoNoHarm() {
        let device = StreamFormat(rate: 48_000, channels: 1, bits: 16)
        for rate in [1, 50, 399, 768_000] {
            let chain = PlaybackChain(from: StreamFormat(rate: rate, channels: 1, bits: 16), to: device)
            chain.speed = 2
            _ = chain.playToEnd(Array(repeating: 1 << 30, count: 500))
        }
    }
}
