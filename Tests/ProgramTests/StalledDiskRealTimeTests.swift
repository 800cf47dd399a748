import Foundation
import Linux
import TestSupport
import Testing

/// Disks that take no writes for a while, and disks that lose their power. The card numbers its frames, in real
/// time.
@Suite(.serialized) struct StalledDiskRealTimeTests {
    private static var canFreeze: Bool {
        getuid() == 0 && FileManager.default.fileExists(atPath: "/dev/loop-control")
    }

    private func size(_ path: String) -> Int {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int ?? -1
    }

    @Test(.enabled(if: canFreeze, "freezing a disk needs root and a loop device"))
    func aDiskThatStallsForTenSecondsCostsNothing() throws {
        let rig = try FaultyCardRig("rate 48000")
        try rig.folder.mountImage(on: "store", megabytes: 32)
        let recording = try rig.start(["record", "-y", "-D", "mic", "-d", "14", "--json"])
        #expect(recording.waits(for: "Recording"))
        #expect(rig.waitsForSound(bytes: 5_000))
        let disk = try FrozenDisk(rig.folder.file("store"))
        let name = try #require(rig.folder.names(in: "store/audio").first)
        let frozenSize = size(rig.folder.file("store/audio/" + name))
        #expect(!recording.ends(within: 10))
        #expect(size(rig.folder.file("store/audio/" + name)) == frozenSize)
        try disk.thaw()

        let ended = recording.finish()
        #expect(ended.status == 0)
        let memo = try #require(Rig.object(ended.output)["memo"] as? [String: Any])
        #expect(memo["duration_seconds"] as? Double == 14)
        #expect(memo["gap_seconds"] as? Double == 0)
        let stretches = try rig.stretches(of: name)
        #expect(stretches.count == 1)
        #expect(stretches.first?.first == 1 && stretches.first?.frames == 14 * 48_000)
    }

    @Test(arguments: ["flac", "wav", "opus"])
    func aPowerCutTakesNoMoreThanTwoSeconds(format: String) throws {
        let takes = try (0..<3).map { _ in try ShadowedTake(format) }
        for (take, milliseconds) in zip(takes, [4_900, 5_900, 6_900] as [Int64]) {
            // The file is synced once a second: just before the next time is the worst moment.
            let left = take.began + milliseconds - MonotonicClock.milliseconds
            _ = waitForReading([], milliseconds: Int32(max(0, left)))
            take.recording.send(SIGKILL)
            let recorded = Double(MonotonicClock.milliseconds - take.began) / 1_000
            #expect(take.recording.finish().signal == SIGKILL)

            let name = try #require(take.rig.folder.names(in: "store/audio").first)
            let file = take.rig.folder.file("store/audio/" + name)
            let killed = size(file)
            try take.power.cut()
            #expect(size(file) < killed)
            let memos = try take.rig.memos("--waiting")
            #expect(memos.count == 1)
            #expect(memos.first?["interrupted"] as? Bool == true)
            let kept = memos.first?["duration_seconds"] as? Double ?? 0
            #expect(kept > recorded - 2 && kept < recorded, "\(kept) of \(recorded) s")
            #expect(try IndependentProgram.isWhole(file))
        }
    }
}
