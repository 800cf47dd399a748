import Sound
import Testing

@Suite struct PlaybackChainTests {
    private static let mono = StreamFormat(rate: 48_000, channels: 1, bits: 24)
    private static let stereo = StreamFormat(rate: 48_000, channels: 2, bits: 24)

    /// Samples of 24 bits that look like nothing, both ends of the scale among them.
    private func noise(_ count: Int) -> [Int32] {
        [.min, .max & ~0xff] + (2..<count).map { Int32(truncatingIfNeeded: $0 &* 2_654_435_761) & ~0xff }
    }

    @Test func whatNeedsNoChangeIsNotEvenCopied() {
        let chain = PlaybackChain(from: Self.stereo, to: Self.stereo)
        #expect(chain.isNeutral)
        noise(2_000).withUnsafeBufferPointer { samples in
            #expect(chain.process(samples).baseAddress == samples.baseAddress)
        }
        #expect(chain.finish().isEmpty)
    }

    @Test func theKnobsReturnToTheExactSoundWithoutAClick() {
        let chain = PlaybackChain(from: Self.mono, to: Self.mono)
        let tone = Tone.sine(hertz: 100, seconds: 1, amplitude: 0.9, in: Self.mono)
        var output: [Int32] = []
        // Each piece ends at another point of the wave.
        for (piece, volume) in [100.0, 53, 0, 100, 21, 77, 100].enumerated() {
            chain.volumePercent = volume
            output += chain.play(Array(tone[piece * 5_000..<(piece + 1) * 5_000]), blockFrames: 70 + piece)
        }
        #expect(chain.isNeutral && chain.insideFrames == 0)
        #expect(chain.play(noise(5_000)) == noise(5_000))
        #expect(output.count == 35_000)
        #expect(output[33_000...] == tone[33_000..<35_000])
        // The sine's own step is 0.012; a jump of the volume would be one of up to 0.9.
        #expect(Tone.greatestStep(output) < 0.016)
    }

    @Test func whatIsSetBeforeTheFirstSampleIsThereAtOnce() {
        let chain = PlaybackChain(from: Self.mono, to: Self.mono)
        chain.volumePercent = 50
        #expect(chain.playToEnd(Array(repeating: 1 << 30, count: 100)).allSatisfy { $0 == 1 << 28 })
    }

    @Test(arguments: [(0.0, 0.0), (50, 0.25), (100, 1), (150, 2.25), (200, 4), (500, 4), (-1, 0)])
    func theVolumeIsASquare(percent: Double, factor: Double) {
        let chain = PlaybackChain(from: Self.mono, to: Self.mono)
        chain.volumePercent = percent
        let output = chain.playToEnd(Array(repeating: 1 << 28, count: 500))
        #expect(output.allSatisfy { abs(Double($0) - Double(1 << 28) * factor) <= 256 })
    }

    @Test func theLiftIsInDecibels() {
        let chain = PlaybackChain(from: Self.mono, to: Self.mono)
        chain.evenDecibels = 20
        #expect(chain.playToEnd([1 << 26]) == [10 << 26])
        chain.evenDecibels = -20
        #expect(abs(chain.playToEnd([10 << 26])[0] - 1 << 26) <= 256)
    }

    @Test(arguments: [-1, -0.7, -0.1, 0.3, 0.5, 1])
    func theSidesHaveConstantPower(pan: Double) {
        for source in [Self.mono, Self.stereo] {
            let chain = PlaybackChain(from: source, to: Self.stereo)
            chain.pan = pan
            let output = chain.playToEnd(Array(repeating: 1 << 29, count: source.channels))
            let left = Double(output[0]) / Double(1 << 29)
            let right = Double(output[1]) / Double(1 << 29)
            #expect(abs(left * left + right * right - 2) < 1e-5)
            #expect((right - left) * pan > 0)
            if abs(pan) == 1 { #expect(min(left, right) == 0) }
        }
    }

    @Test func aDeviceOfOneChannelHasNoSides() {
        for source in [Self.mono, Self.stereo] {
            let chain = PlaybackChain(from: source, to: Self.mono)
            chain.pan = -1
            #expect(chain.playToEnd(Array(repeating: 1 << 29, count: source.channels)) == [1 << 29])
        }
    }

    @Test func sixteenBitsAreRoundedNotCut() {
        let short = StreamFormat(rate: 48_000, channels: 1, bits: 16)
        let output = PlaybackChain(from: Self.mono, to: short)
            .playToEnd([0x0001_7f00, 0x0001_8100, -0x0001_8100, .max & ~0xff, .min])
        #expect(output == [0x0001_0000, 0x0002_0000, -0x0002_0000, 0x7fff_0000, .min])
        // What has 16 bits loses nothing on a device of 24.
        #expect(PlaybackChain(from: short, to: Self.mono).isNeutral)
    }

    @Test func afterAResetNothingOfWhatWasBeforeIsHeard() {
        let device = StreamFormat(rate: 44_100, channels: 2, bits: 16)
        let chain = PlaybackChain(from: Self.mono, to: device)
        chain.speed = 1.5
        chain.volumePercent = 200
        chain.evenDecibels = 24
        _ = chain.play(Array(repeating: .max, count: 20_000))
        #expect(chain.insideFrames > 100)
        chain.reset()
        #expect(chain.insideFrames == 0)
        let fresh = PlaybackChain(from: Self.mono, to: device)
        fresh.speed = 1.5
        fresh.volumePercent = 200
        fresh.evenDecibels = 24
        let tone = Tone.sine(hertz: 300, seconds: 0.5, in: Self.mono)
        let expected = fresh.playToEnd(tone)
        #expect(chain.playToEnd(tone) == expected)
        // The end is a reset too.
        #expect(chain.playToEnd(tone) == expected)
        chain.reset()
        #expect(chain.playToEnd([]).isEmpty)
    }

    /// What went in has come out or is inside, whatever the chain does.
    @Test(arguments: [0.5, 1, 2.2], [8_000, 44_100, 48_000])
    func noFrameIsUnaccountedFor(speed: Double, rate: Int) {
        let device = StreamFormat(rate: rate, channels: 2, bits: 16)
        let chain = PlaybackChain(from: Self.mono, to: device)
        chain.speed = speed
        chain.volumePercent = 70
        let given = chain.play(Tone.sine(hertz: 250, seconds: 1, in: Self.mono), blockFrames: 777).count / 2
        let out = Double(given) * speed * 48_000 / Double(rate)
        #expect(abs(48_000 - out - chain.insideFrames) < (speed == 1 ? 2 : 0.03 * 48_000))
    }
}
