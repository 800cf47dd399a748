import Foundation
import TestSupport
import Testing

/// Recording and playing at once, through a sound server in real time, while every core of the machine is busy.
@Suite struct SoakTortureTests {
    private static let rate = 48_000
    /// Each frame's number, from 1 to this and again; 0 is silence, which is nobody's.
    private static let period = 32_767

    @Test func nothingIsLostWhileTheMachineIsBusy() throws {
        let torture = TortureCase("recording and playing under load", share: 0.1)
        let seconds = max(10, torture.secondsLeft - 5)
        let rig = try PulseRig()
        let today = Rig.Clock("2026-11-30 09:00:00")
        let numbers = (1...Self.period).map { Int16($0) }
        let block = Noise.data(numbers)
        let path = try rig.folder.write("numbers.raw", Data())
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        for _ in 0...(seconds + 60) * Self.rate / Self.period { try file.write(contentsOf: block) }
        try file.close()

        // The memo that is played comes from a microphone that has no pace.
        let recorder = try Rig()
        try recorder.configureSound(
            "pcm.mic { type file slave.pcm null file /dev/null infile \"\(path)\" format raw }")
        recorder.environment["TOMORROW_STORE"] = rig.environment["TOMORROW_STORE"]
        let made = try recorder.run("record", "-y", "-D", "mic", "-d", "\(seconds)", at: today)
        try #require(made.status == 0, "\(made.notes)")

        let busy = try (0..<ProcessInfo.processInfo.activeProcessorCount).map { _ in
            try Child(["sh", "-c", "while :; do :; done"], environment: rig.environment)
        }
        let heard = rig.folder.file("heard.raw")
        let listening = try rig.listen(to: heard)
        let speaking = try rig.speak(path)
        let tomorrow = today.adding(seconds: 86_400)
        let recording = try rig.start(["record", "-y", "-D", "mic", "-d", "\(seconds)"], at: tomorrow)
        let playing = try rig.start(["play", "1", "-D", "speaker"], at: tomorrow)
        for child in [recording, playing] {
            let ended = child.finish(within: Int32(seconds + 60))
            if ended.signal == SIGKILL { torture.found(.hung, ended.notes) }
            if ended.status != 0 { torture.found(.wrongExit, ended.notes) }
        }
        for child in [speaking, listening] + busy {
            child.send(SIGTERM)
            _ = child.finish(within: 10)
        }

        let name = rig.folder.names(in: "store/audio").first { $0.hasPrefix("2-") }
        let decoded = rig.folder.file("recorded.raw")
        _ = try rig.tool("sox", rig.folder.file("store/audio/" + (try #require(name))), decoded)
        for (what, path) in [("recorded", decoded), ("played", heard)] {
            let (frames, lost) = try Self.count(path)
            torture.tried()
            // What came before the voice began to speak is silence.
            if frames < (seconds - 5) * Self.rate { torture.found(.lost, "\(what): \(frames) frames") }
            if lost > 0 { torture.found(.lost, "\(what): \(lost) of \(frames) frames") }
            torture.remark("\(what) \(frames) frames")
        }
        try torture.report()
    }

    /// How many frames of a raw file have a number, and how many numbers are missing between them.
    private static func count(_ path: String) throws -> (frames: Int, lost: Int) {
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        var (frames, lost, last) = (0, 0, 0)
        while let data = try file.read(upToCount: 1 << 20), !data.isEmpty {
            data.withUnsafeBytes { bytes in
                for sample in bytes.bindMemory(to: Int16.self) where sample != 0 {
                    if last != 0 { lost += (Int(sample) - last - 1 + 2 * period) % period }
                    last = Int(sample)
                    frames += 1
                }
            }
        }
        return (frames, lost)
    }
}
