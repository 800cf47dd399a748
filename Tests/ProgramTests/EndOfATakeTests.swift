import Foundation
import TestSupport
import Testing

/// However a take ends, it is a memo afterwards.
@Suite struct EndOfATakeTests {
    @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
    func aSignalEndsTheTakeAndKeepsIt(signal: Int32) throws {
        let rig = try FileRig()
        let recording = try rig.start(["record", "-D", "mic", "--json"])
        #expect(recording.waits(for: "Recording"))
        recording.send(signal)
        let ended = recording.finish()
        #expect(ended.status == 0)
        let memo = try #require(Rig.object(ended.output)["memo"] as? [String: Any])
        #expect(memo["interrupted"] as? Bool == false)
        #expect(memo["duration_seconds"] as? Double ?? 0 > 0)
    }

    @Test func stopEndsATakeFromAnotherProcess() throws {
        let rig = try FileRig()
        #expect(try rig.run("stop").status == 3)
        let recording = try rig.start(["record", "-D", "mic"])
        #expect(recording.waits(for: "Recording"))
        let running = Rig.object(try rig.run("status", "--json").output)["recording"] as? [Any]
        #expect(running?.count == 1)
        #expect(try rig.memos("--all").isEmpty)
        let stopped = try rig.run("stop")
        #expect(stopped.status == 0)
        #expect(stopped.notes == "Stopped memo 1.\n")
        // Stop waits: the memo is there when it returns.
        #expect(try rig.memos("--waiting").count == 1)
        #expect(recording.finish().status == 0)
        #expect(try rig.run("stop").status == 3)
    }

    @Test(arguments: ["flac", "wav", "opus"])
    func aKilledTakeIsAMemoAtTheNextCommand(format: String) throws {
        let rig = try FileRig()
        let recording = try rig.start(["record", "-D", "mic", "-f", format])
        #expect(rig.waitsForSound())
        recording.send(SIGKILL)
        #expect(recording.finish().signal == SIGKILL)
        let memo = try #require(try rig.memos("--waiting").first)
        #expect(memo["interrupted"] as? Bool == true)
        let seconds = memo["duration_seconds"] as? Double ?? 0
        #expect(seconds > 0)
        let file = rig.folder.file("store/audio/" + (rig.folder.names(in: "store/audio").first ?? ""))
        #expect(try IndependentProgram.frames(of: file) == Int((seconds * 48_000).rounded()))
        #expect(try IndependentProgram.isWhole(file))
    }

    @Test func aTakeWithoutADeviceIsRefusedInOneClearLine() throws {
        let rig = try Rig()
        let refused = try rig.run("record")
        #expect(refused.status == 5)
        let lines = refused.notes.split(separator: "\n")
        #expect(lines.first?.hasPrefix("tomorrow: cannot record from default: ") == true)
        #expect(lines.count == 2)
        #expect(lines.last?.hasPrefix("  ") == true)
        #expect(refused.output.isEmpty)
        #expect(rig.folder.names(in: "store/audio").isEmpty)
        #expect(try rig.run("record", "--verbose").notes.contains("libasound: "))
    }

    @Test func aFullDiskEndsATakeAndKeepsIt() throws {
        let rig = try FileRig()
        // The shell's limit on the size of a file, in blocks of 512 bytes, stands for the disk's.
        let limited = try Child(
            [
                "sh", "-c", "ulimit -f 4000; exec \"$@\"", "sh", Rig.program, "record", "-D",
                "mic", "--json",
            ],
            environment: rig.environment)
        let ended = limited.finish()
        #expect(ended.status == 6)
        #expect(ended.notes.contains("File too large"))
        let memo = try #require(Rig.object(ended.output)["memo"] as? [String: Any])
        #expect(memo["duration_seconds"] as? Double ?? 0 > 10)
        let name = try #require(rig.folder.names(in: "store/audio").first)
        #expect(try IndependentProgram.isWhole(rig.folder.file("store/audio/" + name)))
    }

    @Test func stopLetsASuspendedTakeGoOnToItsEnd() throws {
        let rig = try FileRig()
        let recording = try rig.start(["record", "-D", "mic"])
        #expect(recording.waits(for: "Recording"))
        recording.send(SIGSTOP)
        #expect(try rig.run("stop").status == 0)
        #expect(recording.finish().status == 0)
        #expect(try rig.memos("--waiting").count == 1)
    }

    @Test func stopNeverSignalsAStranger() throws {
        let rig = try FileRig()
        try rig.run("record", "-D", "mic", "-d", "1")
        // A take whose recorder's number is another's by now, and whose file somebody else has locked.
        let stranger = try Child(["sleep", "60"], environment: rig.environment)
        _ = try rig.tool(
            "sqlite3", rig.folder.file("store/memos.db"),
            "UPDATE memos SET frames = NULL, recorder = \(stranger.pid)")
        let file = rig.folder.file("store/audio/" + (rig.folder.names(in: "store/audio").first ?? ""))
        let locker = try Child(
            ["flock", "--exclusive", "--no-fork", file, "sh", "-c", "echo locked >&2; exec sleep 60"],
            environment: rig.environment)
        #expect(locker.waits(for: "locked"))
        #expect(try rig.run("stop").status == 1)
        #expect(!stranger.ends(within: 0))
        stranger.send(SIGKILL)
        locker.send(SIGTERM)
    }

    @Test func aStoreThatIsRemovedWhileATakeRunsIsMadeAnew() throws {
        let rig = try FileRig()
        let recording = try rig.start(["record", "-D", "mic", "-t", "kept"])
        #expect(rig.waitsForSound())
        try FileManager.default.removeItem(atPath: rig.folder.file("store"))
        recording.send(SIGTERM)
        #expect(recording.finish().status == 0)
        #expect(try rig.memos("--waiting").first?["title"] as? String == "kept")
        #expect(rig.folder.names(in: "store/audio").count == 1)
    }

    @Test func aSilentTakeIsSaidToBeSilent() throws {
        let rig = try FileRig(microphone: Data(count: 960_000))
        let recorded = try rig.run("record", "-D", "mic", "-d", "1")
        #expect(recorded.status == 0)
        #expect(recorded.notes.contains("It is silent: mic gave no sound above −60 dBFS."))
    }

    @Test func filesAndFoldersAreTheirOwnersAlone() throws {
        let rig = try FileRig()
        let lax = try Child(
            ["sh", "-c", "umask 000; exec \"$@\"", "sh", Rig.program, "record", "-D", "mic", "-d", "1"],
            environment: rig.environment)
        #expect(lax.finish().status == 0)
        let modes = try rig.tool("find", rig.folder.file("store"), "-printf", "%y %m\n").output
        #expect(Set(modes.split(separator: "\n")) == ["d 700", "f 600"])
    }
}
