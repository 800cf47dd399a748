import Foundation
import Linux
import TestSupport
import Testing

/// Takes that are long. They run faster than time, as the microphone has no pace, and with a release build, as
/// the speed of any other says nothing.
@Suite(
    .serialized,
    .enabled(
        if: Rig.givenProgram != nil,
        "TOMORROW_PROGRAM names no release build to measure: 'Scripts/test --all' makes one"))
struct LongTakeSlowTests {
    /// How a take ended that was stopped.
    private struct Ending {
        let seconds: Double
        let peakKilobytes: Int
        /// From the signal to the end of the process.
        let milliseconds: Int64
    }

    /// Stereo noise of a second; the microphone repeats the end of it for ever.
    private static let noise = Noise.bits16(frames: 48_000, channels: 2)

    /// Records until the file has so many bytes, then stops.
    ///
    /// A device without a pace makes as much sound in a second as a real one in half an hour, and all of it
    /// still waits for the disk. So the take is held while the disk gets even. What is left is what there is at
    /// the end of any take: the sound in the ring, at most 12 seconds of it, and the work of finishing.
    private func record(_ format: String, bytes: Int) throws -> Ending {
        let rig = try FileRig(microphone: Self.noise)
        let recording = try rig.start(
            ["record", "-y", "-D", "mic", "--channels", "2", "-f", format, "--json"])
        #expect(rig.waitsForSound(bytes: bytes, seconds: 240))
        recording.send(SIGSTOP)
        let name = try #require(rig.folder.names(in: "store/audio").first)
        #expect(try rig.tool("sync", "--data", rig.folder.file("store/audio/" + name)).status == 0)
        let began = MonotonicClock.milliseconds
        recording.send(SIGTERM)
        recording.send(SIGCONT)
        var peak = 0
        while !recording.ends(within: 0), MonotonicClock.milliseconds < began + 60_000 {
            peak = max(peak, recording.peakKilobytes ?? 0)
            _ = waitForReading([], milliseconds: 1)
        }
        let ended = MonotonicClock.milliseconds
        let result = recording.finish()
        #expect(result.status == 0)
        let memo = try #require(Rig.object(result.output)["memo"] as? [String: Any])
        return Ending(
            seconds: memo["duration_seconds"] as? Double ?? 0, peakKilobytes: peak,
            milliseconds: ended - began)
    }

    @Test(arguments: ["flac", "wav", "opus"])
    func anHourTakesNoMoreMemoryAndNoLongerToStopThanAMinute(format: String) throws {
        let rig = try FileRig(microphone: Self.noise)
        let measured = try rig.run(
            "record", "-y", "-D", "mic", "--channels", "2", "-d", "60", "-f", format, "--json")
        let memo = try #require(Rig.object(measured.output)["memo"] as? [String: Any])
        let bytes = try #require(memo["bytes"] as? Int)

        let minutes = try (0..<3).map { _ in try record(format, bytes: bytes) }
        let hour = try record(format, bytes: bytes * 61)
        #expect(minutes.allSatisfy { $0.seconds >= 59 && $0.seconds < 600 }, "\(minutes)")
        #expect(hour.seconds >= 3_600)
        let usual = minutes.sorted { $0.milliseconds < $1.milliseconds }[1]
        // 50 ms more for a machine that does other things too.
        #expect(Double(hour.milliseconds) <= 1.5 * Double(usual.milliseconds) + 50, "\(hour) \(minutes)")
        #expect(Double(hour.peakKilobytes) <= 1.05 * Double(usual.peakKilobytes), "\(hour) \(minutes)")
    }

    /// Eighty minutes of 192 kHz in stereo with 24 bits.
    private static let seconds = 4_800
    private static let frames = 192_000 * seconds

    private static var hasRoom: Bool {
        let folder = FileManager.default.temporaryDirectory
        let values = try? folder.resourceValues(forKeys: [.volumeAvailableCapacityKey])
        return values?.volumeAvailableCapacity ?? 0 > 7 << 30
    }

    @Test(.enabled(if: hasRoom, "there are no 7 GiB free for a take of more than 5"))
    func aWAVOfMoreThanFourGiBIsOneMemoThatEverybodyReads() throws {
        let rig = try FileRig(microphone: Noise.bits24(frames: 192_000, channels: 2))
        let recorded = try rig.run(
            "record", "-y", "-D", "mic", "--channels", "2", "-r", "192000", "-b", "24", "-f", "wav", "-d",
            "\(Self.seconds)")
        #expect(recorded.status == 0)
        let names = rig.folder.names(in: "store/audio")
        #expect(names.count == 1)
        let memos = try rig.memos("--waiting")
        #expect(memos.count == 1)
        #expect(memos.first?["duration_seconds"] as? Double == Double(Self.seconds))
        #expect(memos.first?["bytes"] as? Int ?? 0 > 5 << 30)
        let path = rig.folder.file("store/audio/" + (names.first ?? ""))
        #expect(try IndependentProgram.frames(of: path) == Self.frames)
        #expect(try IndependentProgram.framesByFFmpeg(of: path) == Self.frames)
    }
}
