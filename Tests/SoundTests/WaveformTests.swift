import Sound
import Testing

@Suite struct WaveformTests {
    private func waveform(_ samples: [Int32], channels: Int = 1, piece: Int = 1_000) -> Waveform {
        var builder = WaveformBuilder(channels: channels)
        for begin in stride(from: 0, to: samples.count, by: piece * channels) {
            samples[begin..<min(samples.count, begin + piece * channels)].withUnsafeBufferPointer {
                builder.measure($0)
            }
        }
        return builder.finish()
    }

    @Test(arguments: [0, 1, 2, 511, 512, 513, 1_023, 1_024, 1_025, 5_000, 100_000])
    func aTakeOfAnyLengthHasAtMost512Pairs(frames: Int) {
        let pairs = waveform(Array(repeating: .max, count: frames)).pairs
        #expect(pairs.count <= 512)
        #expect(pairs.count >= min(frames, 256))
        #expect(pairs.allSatisfy { $0.peak == 255 && $0.rms == 255 })
    }

    @Test func aLoudPlaceIsWhereItWas() {
        var samples = [Int32](repeating: 0, count: 600_000)
        samples[450_000] = .min
        let waveform = waveform(samples)
        let place = waveform.pairs.firstIndex { $0.peak == 255 } ?? 0
        #expect(abs(Double(place) / Double(waveform.pairs.count) - 0.75) < 0.01)
        #expect(waveform.pairs.count { $0.peak > 0 } == 1)
    }

    @Test func thePiecesInWhichSoundComesDoNotMatter() {
        let samples = (0..<40_000).map { Int32(truncatingIfNeeded: $0 &* 2_654_435_761) }
        #expect(waveform(samples, channels: 2, piece: 1) == waveform(samples, channels: 2, piece: 7_777))
    }

    @Test(arguments: [1, 2, 5])
    func levelsAreMeasuredInTheSamePass(channels: Int) {
        let samples = (0..<(9_000 * channels)).map { Int32(truncatingIfNeeded: $0 &* 2_654_435_761) }
        var (alone, both) = (WaveformBuilder(channels: channels), WaveformBuilder(channels: channels))
        var (expected, levels) = (
            ChannelLevels(channels: channels, bits: 24), ChannelLevels(channels: channels, bits: 24)
        )
        samples.withUnsafeBufferPointer {
            alone.measure($0)
            expected.measure($0)
            both.measure($0, into: &levels)
        }
        #expect(both.finish() == alone.finish())
        #expect(levels.peaks == expected.peaks && levels.clips == expected.clips)
        #expect(levels.frames == 9_000)
        #expect(zip(levels.squares, expected.squares).allSatisfy { abs($0 - $1) < 1e-6 * $1 })
    }

    @Test func levelsAreDecibels() {
        // Half of full scale is 6 dB of 72 less.
        let half = waveform([1 << 30]).pairs[0]
        #expect(half.peak == 234 && half.rms == 234)
        #expect(waveform([1 << 18]).pairs[0].peak == 0)
    }

    @Test func itIsTheSameAfterItWasStored() throws {
        let waveform = waveform((0..<3_000).map { Int32($0) << 16 })
        #expect(Waveform(bytes: waveform.bytes) == waveform)
        #expect(Waveform(bytes: [1]) == nil)
        #expect(Waveform(bytes: Array(repeating: 1, count: 2_000)) == nil)
    }

    @Test func itFitsIntoAnyNumberOfColumns() {
        let waveform = waveform((0..<512).map { Int32($0) << 22 })
        for columns in [1, 7, 80, 512, 1_000] {
            #expect(waveform.heights(columns: columns).count == min(columns, 512))
        }
        #expect(Waveform(bytes: [])?.heights(columns: 80) == [])
    }
}
