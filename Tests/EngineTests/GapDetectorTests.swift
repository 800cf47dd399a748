import Testing

@testable import Engine

@Suite struct GapDetectorTests {
    /// Plays a device to a detector: at each moment so many frames come.
    private func found(_ pieces: [(milliseconds: Int64, frames: Int)], reported: Set<Int64> = []) -> [Int64] {
        var detector = GapDetector(rate: 1_000)
        return pieces.map {
            detector.missing(
                count: $0.frames, available: 0, at: $0.milliseconds,
                wasReported: reported.contains($0.milliseconds))
        }
    }

    /// A frame a millisecond, in pieces of so many, from a moment on.
    private func steady(_ from: Int64, _ to: Int64, piece: Int = 20) -> [(milliseconds: Int64, frames: Int)] {
        stride(from: from, to: to, by: piece).map { ($0, piece) }
    }

    @Test func aSteadyDeviceHasNoGap() {
        #expect(found(steady(0, 60_000)).allSatisfy { $0 == 0 })
    }

    @Test func aDeviceWithAnotherIdeaOfASecondHasNoGap() {
        for drift in [-20, 20] as [Int64] {
            // 0.1 % is ten times worse than any sound card.
            let pieces = steady(0, 600_000).map {
                (milliseconds: $0.milliseconds + $0.milliseconds * drift / 20_000, frames: $0.frames)
            }
            #expect(found(pieces).allSatisfy { $0 == 0 })
        }
    }

    @Test func aServerThatWorksInPiecesOfTwoSecondsHasNoGap() {
        #expect(found(steady(0, 60_000, piece: 2_000)).allSatisfy { $0 == 0 })
    }

    @Test func aServerThatStallsAndThenCatchesUpHasNoGap() {
        let pieces = steady(0, 10_000) + [(milliseconds: 11_500, frames: 1_520)] + steady(11_520, 30_000)
        #expect(found(pieces).allSatisfy { $0 == 0 })
    }

    @Test func aDeviceWithoutAClockHasNoGap() {
        #expect(found((0..<5_000).map { (Int64($0), 1_000) }).allSatisfy { $0 == 0 })
    }

    @Test func aReportedLossIsCountedAtOnce() {
        let pieces = steady(0, 1_000) + steady(1_300, 5_000)
        let gaps = found(pieces, reported: [1_300])
        #expect(gaps.filter { $0 > 0 } == [300])
        #expect(gaps.firstIndex(of: 300) == 50)
    }

    @Test func aReportedLossOfNothingIsNone() {
        #expect(found(steady(0, 5_000), reported: [1_000]).allSatisfy { $0 == 0 })
    }

    @Test func aLossThatNobodyReportsIsFoundWithinSomeSeconds() {
        let pieces = steady(0, 10_000) + steady(26_000, 60_000)
        let gaps = found(pieces)
        #expect(gaps.filter { $0 > 0 } == [16_000])
        let moment = gaps.firstIndex(of: 16_000).map { pieces[$0].milliseconds }
        #expect(moment ?? 0 <= 26_000 + 6_000)
    }

    @Test func severalLossesAddUp() {
        let pieces = steady(0, 10_000) + steady(11_000, 30_000) + steady(30_500, 60_000)
        #expect(found(pieces).reduce(0, +) == 1_500)
    }

    @Test func whatIsMissingAtTheEndIsFoundUnlessTheDeviceWasAhead() {
        var paced = GapDetector(rate: 1_000)
        for moment in stride(from: Int64(20), through: 1_000, by: 20) {
            _ = paced.missing(count: 20, available: 0, at: moment, wasReported: false)
        }
        #expect(paced.missingAtEnd(at: 1_400) == 0)
        #expect(paced.missingAtEnd(at: 4_000) == 3_000)
        #expect(paced.missingAtEnd(at: 4_000) == 0)
        // Ten seconds of sound in a moment, and then a wait.
        var ahead = GapDetector(rate: 1_000)
        for _ in 1...10 { _ = ahead.missing(count: 1_000, available: 0, at: 5, wasReported: false) }
        #expect(ahead.missingAtEnd(at: 3_000) == 0)
        var never = GapDetector(rate: 1_000)
        #expect(never.missingAtEnd(at: 9_000) == 0)
    }
}
