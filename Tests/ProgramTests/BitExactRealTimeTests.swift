import Foundation
import TestSupport
import Testing

/// A recording through a sound server in real time, there and back.
@Suite(.serialized, .rerunAfterStalls) struct BitExactRealTimeTests {
    @Test func twentySecondsThroughASoundServerComeBackBitForBit() throws {
        let rate = 48_000
        let said = Noise.bits16(frames: 25 * rate)
        let today = Rig.Clock("2026-11-30 09:00:00")
        let rig = try PulseRig()
        let recording = try rig.start(["record", "-D", "mic", "-d", "22", "-f", "flac"], at: today)
        #expect(recording.waits(for: "Recording from mic"))
        let speaking = try rig.speak(try rig.folder.write("said.raw", said))
        #expect(recording.finish().status == 0)
        speaking.send(SIGTERM)

        let heard = rig.folder.file("heard.raw")
        let listening = try rig.listen(to: heard)
        #expect(try rig.run("play", "-D", "speaker", at: today.adding(seconds: 86_400)).status == 0)
        listening.send(SIGTERM)
        _ = listening.finish()
        let came = try Data(contentsOf: URL(fileURLWithPath: heard))
        // The speech began a moment after the recording; from its first 100 ms on, 20 seconds are the same.
        let start = try #require(came.range(of: said[9_600..<19_200])?.lowerBound)
        // Not inside #expect, which would compute the difference of two megabytes.
        let isExact =
            came[start..<min(came.count, start + 20 * rate * 2)] == said[9_600..<9_600 + 20 * rate * 2]
        #expect(isExact)
    }
}
