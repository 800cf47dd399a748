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

    /// On a store that is not there yet, and on a large one.
    @Test(arguments: [0, 10_000])
    func twentyProcessesDoEverythingAtOnce(memos count: Int) throws {
        let rig = try FileRig()
        if count > 0 { try fill(rig, count) }
        let record = ["record", "-y", "-D", "mic", "-d", "0.5", "--json"]
        let commands =
            Array(repeating: record, count: 8) + Array(repeating: ["list", "--json"], count: 3)
            + Array(repeating: ["play", "latest", "-D", "speaker"], count: 3)
            + [["delete", "1", "-y"], ["delete", "2", "-y"], ["delete", "1", "-y"]]
            + Array(repeating: ["expire"], count: 3)
        let probes = try (0..<3).map { _ in
            try Child([Rig.probe, "rows", rig.folder.file("store"), "15"], environment: rig.environment)
        }
        let children = try (0..<2).flatMap { _ in try commands.map { (try rig.start($0), $0[0]) } }
        var recorded: [Int] = []
        for (child, command) in children {
            let ended = child.finish()
            // Nothing to hear yet, no such memo, one that is being recorded: those are answers.
            let allowed: [Int32?] = ["play": [0, 3, 4], "delete": [0, 1, 3]][command] ?? [0]
            #expect(allowed.contains(ended.status), "\(command): \(ended.notes)")
            #expect(!ended.notes.contains("locked"), "\(command): \(ended.notes)")
            if command == "record" {
                let memo = Rig.object(ended.output)["memo"] as? [String: Any]
                recorded.append(try #require(memo?["id"] as? Int))
            }
        }
        var waits: [Int] = []
        for probe in probes {
            let ended = probe.finish()
            #expect(ended.status == 0, "\(ended.notes)")
            waits += ended.output.split(separator: "\n").compactMap { Int($0) }
        }
        #expect(Set(recorded).count == recorded.count)
        let ids = try rig.memos("--all").compactMap { $0["id"] as? Int }
        #expect(Set(ids).count == ids.count)
        // All that was there or was recorded is there, but for what was deleted.
        #expect(Set(1...max(count, 1)).union(recorded).subtracting([1, 2]).isSubset(of: ids))
        #expect(rig.folder.names(in: "store/audio").count == ids.count)
        #expect(try rig.run("doctor").output.contains("files: agree with the database"))
        waits.sort()
        print(
            "\(count) memos: a row came after \(waits[waits.count / 2]) ms (median), \(waits.last!) ms at most"
        )
        #expect(waits.count == 45 && waits.last! < 4_000)
    }

    /// Makes a store with many memos that can be heard tomorrow.
    private func fill(_ rig: FileRig, _ count: Int) throws {
        try rig.run("record", "-y", "-D", "mic", "-d", "0.5")
        let audio = rig.folder.file("store/audio/")
        let name = try #require(rig.folder.names(in: "store/audio").first)
        var rows = "BEGIN;"
        for id in 2...count {
            let other = name.replacing(/^1-/, with: "\(id)-")
            try FileManager.default.linkItem(atPath: audio + name, toPath: audio + other)
            rows += """
                INSERT INTO memos (file, format, started_at, utc_offset, show_at, expire_at, rate, channels, bits,
                frames, bytes, interrupted) SELECT '\(other)', format, started_at, utc_offset, show_at, expire_at,
                rate, channels, bits, frames, bytes, interrupted FROM memos WHERE id = 1;
                """
        }
        try rig.folder.write("rows.sql", rows + "COMMIT;")
        let ended = try rig.tool(
            "sqlite3", rig.folder.file("store/memos.db"), ".read " + rig.folder.file("rows.sql"))
        try #require(ended.status == 0, "\(ended.notes)")
        try #require(try rig.run("expire").status == 0)
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
