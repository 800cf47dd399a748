import Foundation
import TestSupport
import Testing

/// Any number of processes at once, and whatever befalls the store between them.
@Suite struct ManyProcessesTests {
    @Test func twentyProcessesMakeTwentyMemosOnAStoreThatDidNotExist() throws {
        let rig = try FileRig()
        let recordings = try (0..<20).map { _ in try rig.start(["record", "-D", "mic", "-d", "1"]) }
        let lists = try (0..<5).map { _ in try rig.start(["list", "--json"]) }
        for ended in (recordings + lists).map({ $0.finish() }) {
            #expect(ended.status == 0, "\(ended.notes)")
            #expect(!ended.notes.contains("locked"))
        }
        let memos = try rig.memos("--waiting")
        #expect(memos.compactMap { $0["id"] as? Int } == Array(1...20))
        #expect(
            memos.allSatisfy { $0["duration_seconds"] as? Double == 1 && $0["interrupted"] as? Bool == false }
        )
    }

    @Test func aLostDatabaseComesBackFromTheFilesWithTheNextList() throws {
        let rig = try FileRig()
        let yesterday = Rig.Clock("2026-11-29 12:00:00")
        let today = yesterday.adding(seconds: 86_400)
        let tomorrow = yesterday.adding(seconds: 2 * 86_400)
        try rig.run("record", "-D", "mic", "-d", "1", at: yesterday)
        try rig.run("record", "-D", "mic", "-d", "2", at: today)
        for name in rig.folder.names(in: "store") where name.hasPrefix("memos.db") {
            try FileManager.default.removeItem(atPath: rig.folder.file("store/" + name))
        }
        #expect(try rig.memos("--all", at: today).compactMap { $0["duration_seconds"] as? Double } == [1, 2])
        #expect(try rig.run("play", "1", "-D", "speaker", at: today).status == 0)
        #expect(try rig.run("play", "2", "-D", "speaker", at: today).status == 4)
        let expired = Rig.object(try rig.run("expire", "--json", at: tomorrow).output)
        #expect(expired["removed_count"] as? Int == 1)
        #expect(try rig.memos(at: tomorrow).compactMap { $0["id"] as? Int } == [2])
        #expect(rig.folder.names(in: "store/audio").count == 1)
    }

    @Test func aDamagedOrNewerDatabaseIsToldInOneLine() throws {
        let rig = try FileRig()
        try rig.run("record", "-D", "mic", "-d", "1")
        try rig.folder.write("store/memos.db", String(repeating: "no database ", count: 1_000))
        for command in [["list"], ["play"], ["expire"], ["record", "-D", "mic", "-d", "1"], ["status"]] {
            let ended = try rig.start(command).finish()
            #expect(ended.status == 6, "\(command)")
            #expect(ended.notes.split(separator: "\n").count == 2)
            #expect(ended.notes.contains("memos.db: file is not a database"))
        }
        #expect(rig.folder.names(in: "store/audio").count == 1)
    }

    @Test func commandsOnAStoreThatDoesNotExistLeaveNothingBehind() throws {
        let rig = try Rig()
        #expect(try rig.run("list").status == 0)
        #expect(try rig.run("status", "--short").output.isEmpty)
        #expect(try rig.run("expire").notes.isEmpty)
        #expect(try rig.run("play").status == 3)
        #expect(try rig.run("delete", "1", "-y").status == 3)
        #expect(rig.folder.names() == ["home"])
    }
}
