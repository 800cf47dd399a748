import Sound
import Testing

@Suite struct SoundingRangeTests {
    private let loud: UInt32 = 1 << 30

    private func range(_ pieces: (frames: Int, peak: UInt32)...) -> Range<Int64>? {
        var range = SoundingRange(rate: 1_000)
        for piece in pieces { range.measure(frames: piece.frames, peak: piece.peak) }
        return range.range
    }

    @Test func silenceAtBothEndsIsCutButForAMoment() {
        #expect(range((1_000, 0), (50, loud), (500, 0), (50, loud), (2_000, 0)) == 800..<1_800)
    }

    @Test func whereThereIsNothingToCutThereIsNoRange() {
        #expect(range((100, 0), (50, loud), (100, 0)) == nil)
        #expect(range((1_000, SilenceDetector.threshold)) == nil)
        #expect(range() == nil)
    }
}
