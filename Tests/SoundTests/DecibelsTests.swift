import Sound
import Testing

@Suite struct DecibelsTests {
    @Test func aPeakIsBelowFullScale() {
        #expect(Decibels.ofPeak(1 << 31) == 0)
        #expect(Decibels.ofPeak(1 << 30).rounded() == -6)
        #expect(Decibels.ofPeak(1 << 29).rounded() == -12)
    }

    @Test func silenceHasALevelBelowAllOthers() {
        #expect(Decibels.ofPeak(0) == -150)
        // The least that 24 bits can say.
        #expect(Decibels.ofPeak(1 << 8) > -150)
        #expect(ChannelLevels(channels: 1, bits: 16).rmsDecibels(channel: 0) == -150)
    }

    @Test func theMeanLevelIsEachChannelsOwn() {
        var levels = ChannelLevels(channels: 2, bits: 16)
        // A square wave has the same peak and mean.
        let samples: [Int32] = [1 << 30, 1 << 28, -(1 << 30), -(1 << 28)]
        _ = samples.withUnsafeBufferPointer { levels.measure($0) }
        #expect(abs(levels.rmsDecibels(channel: 0) + 6.02) < 0.01)
        #expect(abs(levels.rmsDecibels(channel: 1) + 18.06) < 0.01)
    }
}
