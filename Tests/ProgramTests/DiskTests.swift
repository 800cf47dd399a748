import AudioFile
import Foundation
import TestSupport
import Testing

/// Real disks that are full or read-only.
@Suite(.enabled(if: getuid() == 0, "mounting a disk needs root"))
struct DiskTests {
    private static let noon = Rig.Clock("2026-11-30 12:00:00")
    private static let nextDay = noon.adding(seconds: 86_400)

    /// A machine whose store is on a small disk.
    private func rig(_ options: String) throws -> FileRig {
        let rig = try FileRig()
        try rig.folder.mountDisk(on: "store", options: options)
        return rig
    }

    /// Takes the last byte of the store's disk.
    private func fill(_ rig: FileRig) throws {
        _ = try rig.tool("dd", "if=/dev/zero", "of=" + rig.folder.file("store/ballast"), "bs=512")
    }

    @Test(arguments: AudioFileFormat.all.map(\.name))
    func aFullDiskEndsATakeAndTheMemoIsThere(format: String) throws {
        let rig = try rig("size=3m")
        let ended = try rig.run("record", "-D", "mic", "-f", format, "--json", at: Self.noon)
        #expect(ended.status == 6)
        #expect(ended.notes.contains("cannot write 1-"))
        #expect(ended.notes.contains("No space left on device"))
        let memo = try #require(Rig.object(ended.output)["memo"] as? [String: Any])
        #expect(memo["duration_seconds"] as? Double ?? 0 > 20)
        let file = rig.folder.file("store/audio/" + (rig.folder.names(in: "store/audio").first ?? ""))
        let seconds = memo["duration_seconds"] as? Double ?? 0
        #expect(try IndependentProgram.frames(of: file) == Int((seconds * 48_000).rounded()))
        #expect(try IndependentProgram.isWhole(file))

        try fill(rig)
        #expect(try rig.memos("--waiting", at: Self.noon).count == 1)
        #expect(try rig.run("play", "-D", "speaker", at: Self.nextDay).status == 0)
        #expect(try rig.run("record", "-D", "mic", "-d", "1").status == 6)
        #expect(try rig.run("delete", "1", "-y", at: Self.noon).status == 0)
        #expect(try rig.memos("--all", at: Self.noon).isEmpty)
        #expect(try rig.run("record", "-D", "mic", "-d", "1", at: Self.noon).status == 0)
    }

    @Test(arguments: ["flac", "wav", "opus", "alac"])
    func aTakeForWhichThereIsNoRoomIsRefusedBeforeItBegins(format: String) throws {
        let rig = try rig("size=3m")
        let asked = ["record", "-D", "mic", "-f", format]
        for options in [["-d", "1h"], ["-d", "1h", "--at", "11:00"]] {
            let refused = try rig.start(asked + options, at: Self.noon).finish(within: 20)
            #expect(refused.status == 6)
            let lines = refused.notes.split(separator: "\n")
            #expect(
                lines.first?.hasPrefix("tomorrow: cannot record 1:00:00: the disk of ") == true)
            #expect(lines.count == 2, "\(refused.notes)")
            #expect(rig.folder.names(in: "store/audio").isEmpty)
        }
        #expect(try rig.start(asked + ["-d", "5"], at: Self.noon).finish().status == 0)
    }

    @Test func whoRecordsOnADiskThatIsAlmostFullIsWarnedOnce() throws {
        let rig = try rig("size=3m")
        let ended = try rig.run("record", "-D", "mic", at: Self.noon)
        #expect(ended.status == 6)
        #expect(ended.notes.components(separatedBy: "The disk is almost full").count == 2)
        let (roomy, quiet) = (try FileRig(), try self.rig("size=80m"))
        for rig in [roomy, quiet] {
            #expect(try !rig.run("record", "-D", "mic", "-d", "1").notes.contains("almost full"))
        }
    }

    @Test func aTakeThatWasKilledIsSalvagedOnAFullDisk() throws {
        let rig = try rig("size=8m")
        let recording = try rig.start(["record", "-D", "mic"], at: Self.noon)
        #expect(rig.waitsForSound())
        recording.send(SIGKILL)
        _ = recording.finish()
        try fill(rig)
        #expect(try rig.memos("--waiting", at: Self.noon).first?["interrupted"] as? Bool == true)
    }

    @Test func expireFreesAFullDisk() throws {
        let rig = try rig("size=3m")
        try rig.run("record", "-D", "mic", at: Self.noon)
        try fill(rig)
        let expired = try rig.run("expire", at: Self.noon.adding(seconds: 3 * 86_400))
        #expect(expired.status == 0)
        #expect(expired.output.hasPrefix("Removed 1 memo, "))
        #expect(rig.folder.names(in: "store/audio").isEmpty)
    }

    @Test func aFullDiskWithoutADatabaseCanBeListedAndFreed() throws {
        let rig = try rig("size=3m")
        try fill(rig)
        #expect(try rig.run("record", "-D", "mic", "-d", "1", at: Self.noon).status == 6)
        #expect(try rig.run("list", at: Self.noon).status == 0)
        #expect(try rig.run("expire", at: Self.noon).status == 0)

        let lost = try self.rig("size=3m")
        try lost.run("record", "-D", "mic", "-d", "1", at: Self.noon)
        try FileManager.default.removeItem(atPath: lost.folder.file("store/memos.db"))
        try FileManager.default.removeItem(atPath: lost.folder.file("store/reserve"))
        try fill(lost)
        #expect(try lost.memos("--all", at: Self.noon).count == 1)
        #expect(try lost.run("delete", "1", "-y", at: Self.noon).status == 0)
        #expect(lost.folder.names(in: "store/audio").isEmpty)
    }

    @Test func aReadOnlyStoreCanBeListedAndPlayed() throws {
        let rig = try rig("size=8m")
        try rig.run("record", "-D", "mic", "-d", "1", at: Self.noon)
        try rig.folder.remount("store", readOnly: true)
        #expect(try rig.memos(at: Self.nextDay).count == 1)
        #expect(try rig.run("play", "1", "-D", "speaker", at: Self.nextDay).status == 0)
        #expect(rig.takePlayed().count >= 96_000)
        #expect(try rig.run("status", at: Self.nextDay).status == 0)
        for command in [["record", "-D", "mic", "-d", "1"], ["delete", "1", "-y"]] {
            let refused = try rig.start(command, at: Self.nextDay).finish()
            #expect(refused.status == 6, "\(command)")
            #expect(refused.notes.split(separator: "\n").count == 1, "\(refused.notes)")
        }
        #expect(try rig.memos(at: Self.nextDay).count == 1)
        try rig.folder.remount("store", readOnly: false)
    }

    @Test func aStoreOfWhichOneMayOnlyReadCanBeListedAndPlayed() throws {
        let rig = try FileRig()
        try rig.run("record", "-D", "mic", "-d", "1", at: Self.noon)
        // Nobody's, and readable by all: root itself may write whatever the permissions say.
        for name in ["store", "store/audio"] { #expect(chmod(rig.folder.file(name), 0o555) == 0) }
        for name in ["memos.db", "audio/" + rig.folder.names(in: "store/audio")[0]] {
            #expect(chmod(rig.folder.file("store/" + name), 0o444) == 0)
        }
        #expect(chmod(rig.folder.path, 0o755) == 0)
        rig.environment["HOME"] = "/proc/nowhere"
        // The clock is moved for the program alone: what moves it belongs to whoever it was begun by.
        let clock = rig.environment(at: Self.nextDay).filter { rig.environment[$0.key] != $0.value }
        func run(_ arguments: String...) throws -> Child.Result {
            try Child(
                ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "env"]
                    + clock.map { "\($0.key)=\($0.value)" } + [Rig.program] + arguments,
                environment: rig.environment
            ).finish()
        }
        try #require(try run("--version").status == 0, "the program is where nobody may run it")
        #expect(Rig.object(try run("list", "--json").output)["memos"] as? [[String: Any]] != nil)
        #expect(try run("list").output.contains("leaves"))
        #expect(try run("status", "--short").output == "1 to hear\n")
        #expect(try run("show", "1").status == 0)
        let refused = try run("delete", "1", "-y")
        #expect(refused.status == 6 && refused.notes.split(separator: "\n").count == 1, "\(refused.notes)")
        #expect(try run("doctor").output.contains("wrong   store: cannot write to "))
        #expect(try run("expire").status == 6)
    }
}
