import Sound
import Testing

@Suite struct LimiterTests {
    private static let speeds = [0.5, 1, 1.5, 2, 3]
    private static let rates = [8_000, 44_100, 48_000, 96_000]

    private func outputs(_ input: [Int32], speed: Double, rate: Int) -> (plain: [Int32], loud: [Int32]) {
        let source = StreamFormat(rate: 48_000, channels: 1, bits: 24)
        let chain = PlaybackChain(from: source, to: StreamFormat(rate: rate, channels: 1, bits: 16))
        chain.speed = speed
        let plain = chain.playToEnd(input, blockFrames: 999)
        chain.volumePercent = 200
        chain.evenDecibels = 24
        return (plain, chain.playToEnd(input, blockFrames: 999))
    }

    /// A full-scale square lifted by 36 dB is the same square: of the same signs, and no quieter. Its own
    /// ringing at another rate is what it may be turned down for.
    @Test(arguments: speeds, rates)
    func theLoudestSquareDoesNotWrap(speed: Double, rate: Int) {
        let square = (0..<12_000).map { ($0 / 240).isMultiple(of: 2) ? Int32.max & ~0xff : .min }
        let (plain, loud) = outputs(square, speed: speed, rate: rate)
        #expect(plain.count == loud.count)
        #expect(plain.contains { $0 > 1_800_000_000 } && plain.contains { $0 < -1_800_000_000 })
        for (plain, loud) in zip(plain, loud) where plain.magnitude > 1 << 20 {
            if (plain < 0) != (loud < 0) || Double(loud.magnitude) < 0.8 * Double(plain.magnitude) {
                Issue.record("\(plain) became \(loud)")
                return
            }
        }
    }

    @Test(arguments: speeds, rates)
    func fullScaleOfEitherSignKeepsIt(speed: Double, rate: Int) {
        for sample in [Int32.max & ~0xff, .min] {
            let (plain, loud) = outputs(Array(repeating: sample, count: 12_000), speed: speed, rate: rate)
            // The last 10 ms may be silence that pushed out the rest.
            for output in [plain, loud] {
                #expect(output.dropLast(rate / 50).allSatisfy { ($0 < 0) == (sample < 0) && $0 != 0 })
            }
        }
    }

    private let stereo = StreamFormat(rate: 48_000, channels: 2, bits: 24)

    @Test func aLoudMomentIsTurnedDownSmoothlyAndInBothChannels() {
        let chain = PlaybackChain(from: stereo, to: stereo)
        chain.volumePercent = 200
        // The left is loud from 0.1 to 0.2 s, the right is quiet throughout.
        var input: [Int32] = []
        for frame in 0..<48_000 {
            input += [(4_800..<9_600).contains(frame) ? 1 << 30 : 1 << 26, 1 << 26]
        }
        let output = chain.playToEnd(input)
        #expect(output.count == input.count)
        let right = stride(from: 1, to: output.count, by: 2).map { Double(output[$0]) / Double(1 << 28) }
        #expect(right[4_700] == 1)
        #expect(abs(right[4_800] - 0.5) < 1e-6 && abs(right[9_599] - 0.5) < 0.01)
        #expect(right[14_400] > right[10_000] && right[40_000] == 1)
        // From 1 to 0.5 in 2 ms.
        #expect(zip(right, right.dropFirst()).allSatisfy { abs($1 - $0) < 0.006 })
        #expect(output.max()! >= Int32.max - 512)
    }

    /// The quiet right channel shows the factor that the left one, of single peaks of any height, had.
    @Test func everyPeakIsTurnedDownInTime() {
        let chain = PlaybackChain(from: stereo, to: stereo)
        chain.volumePercent = 200
        var input: [Int32] = []
        var random: UInt32 = 1
        for _ in 0..<20_000 {
            random = random &* 1_664_525 &+ 1_013_904_223
            let isPeak = random >> 16 & 63 == 0
            input += [isPeak ? Int32(bitPattern: random) & ~0xff : 0, 1 << 26]
        }
        let output = chain.playToEnd(input, blockFrames: 501)
        for frame in stride(from: 0, to: input.count, by: 2) {
            let factor = Double(output[frame + 1]) / Double(1 << 26)
            guard abs(Double(input[frame])) * factor > 0x1p31 * 1.000_01 else { continue }
            Issue.record("frame \(frame / 2), \(input[frame]), was multiplied by \(factor)")
            return
        }
        #expect(stride(from: 1, to: output.count, by: 2).contains { output[$0] > 1 << 27 })
    }

    @Test func whatIsNotTooLoudPassesUnchangedAndComplete() {
        let mono = StreamFormat(rate: 48_000, channels: 1, bits: 24)
        let chain = PlaybackChain(from: mono, to: mono)
        chain.volumePercent = 200
        let quiet = (0..<10_001).map { Int32(truncatingIfNeeded: $0 &* 2_654_435_761) / 4 & ~0xff }
        for blockFrames in [1, 50, 10_001] {
            #expect(chain.playToEnd(quiet, blockFrames: blockFrames) == quiet.map { $0 * 4 })
        }
    }

    /// A shout is not a distorted one: what is left of a loud sine beside its own frequency.
    @Test func aSineStaysASine() {
        let mono = StreamFormat(rate: 48_000, channels: 1, bits: 24)
        let chain = PlaybackChain(from: mono, to: mono)
        chain.volumePercent = 200
        chain.evenDecibels = 24
        let tone = Tone.sine(hertz: 120, seconds: 0.5, amplitude: 0.9, in: mono)
        let output = chain.playToEnd(tone).dropFirst(4_800)
        let reference = tone.dropFirst(4_800).map { Double($0) }
        let factor =
            zip(output, reference).reduce(0) { $0 + Double($1.0) * $1.1 }
            / reference.reduce(0) { $0 + $1 * $1 }
        let rest = zip(output, reference).reduce(0) { $0 + pow2(Double($1.0) - factor * $1.1) }
        let all = output.reduce(0) { $0 + pow2(Double($1)) }
        // −40 dB; cut at full scale it would be −7 dB.
        #expect(rest / all < 1e-4)
    }

    private func pow2(_ value: Double) -> Double { value * value }
}
