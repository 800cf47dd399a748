import Sound
import Testing

@Suite struct LoudnessTests {
    private static let mono = StreamFormat(rate: 48_000, channels: 1, bits: 24)
    private static let stereo = StreamFormat(rate: 48_000, channels: 2, bits: 24)

    private func loudness(_ samples: [Int32], _ stream: StreamFormat, blockFrames: Int = 1_000) -> Double? {
        let loudness = Loudness(stream: stream)
        samples.withUnsafeBufferPointer { all in
            let size = blockFrames * stream.channels
            for start in stride(from: 0, to: all.count, by: size) {
                loudness.measure(.init(rebasing: all[start..<min(start + size, all.count)]))
            }
        }
        return loudness.integratedLUFS
    }

    /// EBU Tech 3341, cases 1 and 2 (for 5 s, which changes nothing in a steady tone).
    @Test(arguments: [-23.0, -33])
    func theStandardsOwnTone(decibels: Double) throws {
        let amplitude = decibels == -23 ? 0.070_794_6 : 0.022_387_2
        for rate in [8_000, 44_100, 48_000] {
            let stream = StreamFormat(rate: rate, channels: 2, bits: 24)
            let tone = Tone.sine(hertz: 1_000, seconds: 5, amplitude: amplitude, in: stream)
            #expect(abs(try #require(loudness(tone, stream)) - decibels) < 0.1)
        }
    }

    @Test func oneChannelIsHeardFromTwoLoudspeakers() throws {
        let one = Tone.sine(hertz: 1_000, seconds: 1, in: Self.mono)
        let two = Tone.sine(hertz: 1_000, seconds: 1, in: Self.stereo)
        let mono = try #require(loudness(one, Self.mono))
        let stereo = try #require(loudness(two, Self.stereo))
        #expect(abs(mono - stereo) < 0.01)
    }

    @Test(arguments: [0.01, 0.1, 0.399, 0.4, 0.45])
    func aShortSoundIsAsLoudAsALongOne(seconds: Double) throws {
        for stream in [Self.mono, Self.stereo] {
            let long = try #require(loudness(Tone.sine(hertz: 1_000, seconds: 1, in: stream), stream))
            let short = try #require(loudness(Tone.sine(hertz: 1_000, seconds: seconds, in: stream), stream))
            #expect(abs(short - long) < 1)
        }
    }

    @Test func silenceHasNoLoudness() {
        #expect(Loudness(stream: Self.mono).integratedLUFS == nil)
        for frames in [1, 4_800, 96_000] {
            #expect(loudness(Array(repeating: 0, count: frames), Self.mono) == nil)
            #expect(loudness(Array(repeating: 256, count: frames), Self.mono) == nil)
        }
    }

    @Test func pausesDoNotCount() throws {
        let tone = Tone.sine(hertz: 1_000, seconds: 2, in: Self.mono)
        let pause = [Int32](repeating: 0, count: 480_000)
        let paused = try #require(loudness(tone + pause + tone, Self.mono))
        let whole = try #require(loudness(tone, Self.mono))
        #expect(abs(paused - whole) < 0.5)
    }

    @Test func layoutsThatNobodyUsesDoNoHarm() {
        for (rate, channels) in [(1, 1), (8_000, 9), (48_000, 65)] {
            let stream = StreamFormat(rate: rate, channels: channels, bits: 16)
            _ = loudness(Array(repeating: 1 << 30, count: 10 * channels), stream)
        }
    }

    @Test(arguments: [(-18.0, 0.0), (-30, 12), (-42, 24), (-60, 24), (-9, -9), (0, -18)])
    func allMemosComeToOneLevel(lufs: Double, decibels: Double) {
        #expect(Loudness.evenGainDecibels(lufs: lufs) == decibels)
    }

    @Test func theLiftMakesAQuietMemoAsLoudAsTheOthers() throws {
        let quiet = Tone.sine(hertz: 500, seconds: 1, amplitude: 0.01, in: Self.mono)
        let chain = PlaybackChain(from: Self.mono, to: Self.mono)
        chain.evenDecibels = Loudness.evenGainDecibels(lufs: try #require(loudness(quiet, Self.mono)))
        #expect(chain.evenDecibels > 10)
        #expect(abs(try #require(loudness(chain.playToEnd(quiet), Self.mono)) + 18) < 0.1)
    }
}
