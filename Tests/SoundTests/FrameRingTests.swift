import Foundation
import Sound
import Testing

@Suite struct FrameRingTests {
    private static let stereo = StreamFormat(rate: 1_000, channels: 2, bits: 16)

    @Test func itHoldsItsSecondsButNoMoreThanItsBytes() {
        #expect(FrameRing(stream: Self.stereo, seconds: 12, mostBytes: 1 << 20).capacityFrames == 12_000)
        #expect(FrameRing(stream: Self.stereo, seconds: 12, mostBytes: 800).capacityFrames == 100)
    }

    @Test func itTakesNothingWhenItIsFullAndGivesNothingWhenItIsEmpty() {
        let ring = FrameRing(stream: Self.stereo, seconds: 1, mostBytes: 80)
        #expect(ring.write { $0.count / 2 } == 10)
        #expect(ring.waitingFrames == 10)
        #expect(ring.write { $0.count / 2 } == 0)
        var samples = 0
        #expect(ring.read { samples += $0.count } == 10)
        #expect(ring.read { samples += $0.count } == 0)
        #expect(samples == 20)
    }

    @Test func framesThatCouldNotBeDrainedStay() {
        struct Refused: Error {}
        let ring = FrameRing(stream: Self.stereo, seconds: 1, mostBytes: 80)
        _ = ring.write { _ in 3 }
        #expect(throws: Refused.self) { try ring.read { _ in throw Refused() } }
        #expect(ring.waitingFrames == 3)
    }

    /// Two threads, pieces of every size across the seam: each sample arrives once and in order.
    @Test func twoThreadsPassEverySampleOnceAndInOrder() async {
        let ring = FrameRing(stream: Self.stereo, seconds: 1, mostBytes: 8 * 997)
        let frames = 2_000_000
        async let writing: Void = {
            var next: Int32 = 0
            var piece = 1
            while Int(next) < frames * 2 {
                let count = ring.write { room in
                    let count = min(room.count / 2, piece, frames - Int(next) / 2)
                    for index in 0..<count * 2 { room[index] = next + Int32(index) }
                    return count
                }
                next += Int32(count * 2)
                piece = piece % 500 + 7
                if count == 0 { await Task.yield() }
            }
        }()
        var expected: Int32 = 0
        var wrong = 0
        while Int(expected) < frames * 2 {
            let count = ring.read { samples in
                for sample in samples {
                    if sample != expected { wrong += 1 }
                    expected += 1
                }
            }
            if count == 0 { await Task.yield() }
        }
        await writing
        #expect(wrong == 0)
    }
}
