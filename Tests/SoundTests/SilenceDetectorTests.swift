import Sound
import Testing

@Suite struct SilenceDetectorTests {
    private let stream = StreamFormat(rate: 1_000, channels: 2, bits: 16)
    private let loud = Int32(SilenceDetector.threshold) + 256

    /// Feeds stretches of so many frames of one value, in pieces, and gives the frame of the moment.
    private func moment(seconds: Double, _ stretches: [(frames: Int, value: Int32)], piece: Int = 17) -> Int?
    {
        var detector = SilenceDetector(stream: stream, seconds: seconds)
        let samples = stretches.flatMap { Array(repeating: $0.value, count: $0.frames * 2) }
        for begin in stride(from: 0, to: samples.count, by: piece * 2) {
            let found = samples[begin..<min(samples.count, begin + piece * 2)].withUnsafeBufferPointer {
                detector.measure($0)
            }
            if let found { return begin / 2 + found }
        }
        return nil
    }

    @Test(arguments: [1, 17, 50, 1_000])
    func itIsTheEndOfTheFirstSilenceThatIsLongEnough(piece: Int) {
        let speech: [(Int, Int32)] = [(500, loud), (900, 5), (500, -loud), (3_000, 0)]
        #expect(moment(seconds: 1, speech, piece: piece) == 2_900)
        #expect(moment(seconds: 2.5, speech, piece: piece) == 4_400)
        #expect(moment(seconds: 4, speech, piece: piece) == nil)
    }

    @Test func silenceFromTheStartCountsToo() {
        #expect(moment(seconds: 1, [(5_000, 0)]) == 1_000)
    }

    @Test func oneLoudSampleOfOneChannelIsSound() {
        var samples = [Int32](repeating: 0, count: 4_000)
        samples[1_501] = -loud
        var detector = SilenceDetector(stream: stream, seconds: 1)
        #expect(samples.withUnsafeBufferPointer { detector.measure($0) } == 1_800)
    }
}
