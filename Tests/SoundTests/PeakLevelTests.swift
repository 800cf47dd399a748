import Sound
import Testing

@Suite struct PeakLevelTests {
    private func level(_ samples: [Int32], bits: Int = 16) -> PeakLevel {
        var level = PeakLevel(bits: bits)
        samples.withUnsafeBufferPointer { level.measure($0) }
        return level
    }

    @Test func thePeakIsTheGreatestDistanceFromZero() {
        #expect(level([1 << 30, 0]).decibels.rounded() == -6)
        #expect(level([0, -(1 << 29)]).decibels.rounded() == -12)
        #expect(level([.min]).decibels == 0)
    }

    @Test func silenceHasALevelBelowAllOthers() {
        #expect(level([0, 0]).decibels == -150)
        #expect(level([]).decibels == -150)
        #expect(level([1 << 8], bits: 24).decibels > -150)
    }

    @Test func bothEndsOfTheScaleCountAsClips() {
        #expect(level([32_767 << 16, -32_768 << 16, 32_766 << 16, -32_767 << 16]).clips == 2)
        #expect(level([8_388_607 << 8, 8_388_606 << 8, .min], bits: 24).clips == 2)
    }
}
