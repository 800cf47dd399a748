import Foundation
import TestSupport
import Testing

/// What befalls a store, what every command says then, and what `doctor` makes of it.
@Suite struct DoctorTests {
    private static let noon = Rig.Clock("2026-11-30 12:00:00")
    private static let nextDay = noon.adding(seconds: 86_400)

    /// A machine with two titled memos, the second of them in the place of a deleted one.
    private func rig() throws -> FileRig {
        let rig = try FileRig()
        for title in ["first", "deleted", "second"] {
            try rig.run("record", "-y", "-D", "mic", "-d", "1", "-t", title, at: Self.noon)
        }
        try rig.run("delete", "2", "-y", at: Self.noon)
        try rig.run("expire", at: Self.noon)
        return rig
    }

    private func doctor(_ rig: Rig, _ options: String..., at clock: Rig.Clock = nextDay) throws -> (
        status: Int32?, problems: [String], mended: [String], text: String
    ) {
        let ended = try rig.start(["doctor", "--json"] + options, at: clock).finish()
        let findings = Rig.object(ended.output)["findings"] as? [[String: Any]] ?? []
        func subjects(_ condition: ([String: Any]) -> Bool) -> [String] {
            findings.filter(condition).compactMap { $0["subject"] as? String }.filter {
                // What the test's machine has beside the store is not the point.
                !["devices", "schedule", "space"].contains($0)
            }
        }
        return (
            ended.status, subjects { $0["ok"] as? Bool == false }, subjects { $0["mended"] as? Bool == true },
            ended.output + ended.notes
        )
    }

    private func expectBothMemos(_ rig: FileRig, titles: [String?]) throws {
        let memos = try rig.memos(at: Self.nextDay)
        #expect(memos.compactMap { $0["id"] as? Int } == [1, 3])
        #expect(memos.map { $0["title"] as? String } == titles)
        #expect(memos.allSatisfy { $0["duration_seconds"] as? Double == 1 })
        #expect(try rig.run("play", "1", "3", "-D", "speaker", at: Self.nextDay).status == 0)
        // The file holds what was played last.
        #expect(rig.takePlayed().count >= 96_000)
    }

    @Test func aHealthyStoreIsHealthy() throws {
        let rig = try rig()
        let line = "*/5 * * * * tomorrow expire # by tomorrow schedule"
        try rig.folder.writeProgram("bin/crontab", "echo '\(line)'\n")
        rig.environment["PATH"] = rig.folder.file("bin") + ":/usr/bin:/bin"
        let found = try doctor(rig, at: Self.noon)
        #expect(found.problems.isEmpty && found.mended.isEmpty, "\(found.text)")
        let text = try rig.run("doctor", at: Self.noon).output
        #expect(text.contains("ok      database: is whole\n"))
        #expect(text.contains("ok      files: agree with the database\n"))
        #expect(text.contains("ok      schedule: 'expire' last ran Mon 2026-11-30 12:00"))
        let bare = try Rig().run("doctor").output
        #expect(bare.contains("ok      store: there is none yet at "))
        #expect(
            bare.contains("wrong   devices: 0 to record from, 0 to play to\n          Is there a sound card,")
        )
    }

    /// What is done to the database, and whether the titles can still be read.
    static let damages: [(name: String, keepsTitles: Bool)] = [
        ("another file", false), ("cut", false), ("zeroed in the middle", false),
        ("zeroed in the index", true),
    ]

    @Test(arguments: damages)
    func aDamagedDatabaseIsToldInEveryCommandAndMadeAnewFromTheFiles(name: String, keepsTitles: Bool) throws {
        let rig = try rig()
        let path = rig.folder.file("store/memos.db")
        var data = try Data(contentsOf: URL(fileURLWithPath: path))
        switch name {
        case "another file": data = Data(String(repeating: "no database ", count: 1_000).utf8)
        case "cut": data.removeLast(data.count / 2)
        case "zeroed in the middle":
            data.replaceSubrange(4096..<data.count, with: Data(count: data.count - 4096))
        default:
            let root = Int(
                try rig.tool(
                    "sqlite3", path, "SELECT rootpage FROM sqlite_schema WHERE name = 'memos_by_expiry'"
                ).output.filter(\.isNumber))!
            data.replaceSubrange((root - 1) * 4096..<root * 4096, with: Data(count: 4096))
        }
        try data.write(to: URL(fileURLWithPath: path))
        for command in [["list"], ["play"], ["record", "-D", "mic", "-d", "1", "-y"], ["status"]] {
            let ended = try rig.start(command, at: Self.nextDay).finish()
            #expect(ended.status == 6, "\(command)")
            let lines = ended.notes.split(separator: "\n").filter { $0.hasPrefix("tomorrow: ") }
            #expect(lines.count == 1 && lines[0].contains("memos.db: "), "\(command): \(ended.notes)")
            #expect(ended.notes.contains("'tomorrow doctor --fix'"))
        }
        let found = try doctor(rig)
        #expect(found.status == 6 && found.problems.contains("database"), "\(found.text)")
        let mended = try doctor(rig, "--fix")
        #expect(mended.problems.isEmpty && mended.mended.contains("database"), "\(mended.text)")
        let kept = keepsTitles ? "2" : "none"
        #expect(mended.text.contains("2 memos are back from their files, \(kept) of them with title"))
        try expectBothMemos(rig, titles: keepsTitles ? ["first", "second"] : [nil, nil])
        #expect(!rig.folder.names(in: "store").contains { $0.hasPrefix("memos.db.") })
        let next = try rig.run("record", "-y", "-D", "mic", "-d", "1", "--json", at: Self.nextDay)
        #expect((Rig.object(next.output)["memo"] as? [String: Any])?["id"] as? Int == 4)
    }

    /// SQLite alone would wait for a pipe's other end, and make a database where a link leads.
    @Test(arguments: ["memos.db", "memos.db-journal"], ["a pipe", "a link"])
    func whatIsNoFileIsNoDatabase(name: String, kind: String) throws {
        let rig = try rig()
        let path = rig.folder.file("store/" + name)
        try FileManager.default.removeItem(atPath: path)
        let isMade = kind == "a pipe" ? mkfifo(path, 0o600) : symlink(rig.folder.file("elsewhere"), path)
        try #require(isMade == 0)
        for command in [["list"], ["status", "--short"], ["expire"]] {
            let ended = try rig.start(command, at: Self.nextDay).finish(within: 20)
            #expect(ended.status == 6, "\(command)")
            #expect(ended.notes.contains("tomorrow: cannot open \(path): it is not a regular file"))
        }
        #expect(try doctor(rig, "--fix").mended.contains("database"))
        #expect(try rig.memos(at: Self.nextDay).count == 2)
        #expect(!rig.folder.names().contains("elsewhere"))
        #expect(!rig.folder.names(in: "store").contains { $0.hasPrefix("memos.db.") })
    }

    /// What becomes of the database.
    @Test(arguments: ["emptied", "deleted"])
    func aDatabaseThatWasLostIsToldOnce(loss: String) throws {
        let rig = try rig()
        let path = rig.folder.file("store/memos.db")
        try FileManager.default.removeItem(atPath: path)
        if loss == "emptied" { try rig.folder.write("store/memos.db", "") }
        let told = try rig.run("list", "--waiting", at: Self.noon)
        #expect(told.status == 0)
        #expect(
            told.notes
                == "The database was lost; 2 memos are back from their files, without titles and categories.\n"
        )
        #expect(try rig.run("list", "--waiting", at: Self.noon).notes.isEmpty)
    }

    @Test func anOldCopyOfTheDatabaseLosesNoSoundAndGivesNoNumberTwice() throws {
        let rig = try FileRig()
        try rig.run("record", "-y", "-D", "mic", "-d", "1", "-t", "first", at: Self.noon)
        let path = rig.folder.file("store/memos.db")
        let old = try Data(contentsOf: URL(fileURLWithPath: path))
        for _ in 0..<2 { try rig.run("record", "-y", "-D", "mic", "-d", "1", at: Self.noon) }
        try rig.run("delete", "1", "-y", at: Self.noon)
        try rig.run("expire", at: Self.noon)
        try old.write(to: URL(fileURLWithPath: path))
        let next = try rig.run("record", "-y", "-D", "mic", "-d", "1", "--json", at: Self.noon)
        #expect((Rig.object(next.output)["memo"] as? [String: Any])?["id"] as? Int == 4)
        #expect(try doctor(rig, at: Self.noon).problems == ["files"])
        #expect(try doctor(rig, "--fix", at: Self.noon).mended == ["files"])
        #expect(try rig.memos("--all", at: Self.noon).compactMap { $0["id"] as? Int } == [2, 3, 4])
    }

    @Test func databasesOfOthersAreLeftAlone() throws {
        for (change, words) in [
            ("PRAGMA user_version = 99", "a newer version of tomorrow wrote it"),
            ("PRAGMA application_id = 7", "it is not a database of tomorrow"),
        ] {
            let rig = try rig()
            let path = rig.folder.file("store/memos.db")
            _ = try rig.tool("sqlite3", path, change)
            let before = try Data(contentsOf: URL(fileURLWithPath: path))
            for command in [["list"], ["expire"], ["doctor", "--fix"]] {
                let ended = try rig.start(command, at: Self.nextDay).finish()
                #expect(ended.status == 6, "\(command)")
                #expect((ended.output + ended.notes).contains(words))
            }
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        }
    }

    @Test func permissionsThatAreTooWideAreMended() throws {
        let rig = try rig()
        let audio = rig.folder.names(in: "store/audio")[0]
        for (name, mode) in [("store", 0o755), ("store/memos.db", 0o644), ("store/audio/" + audio, 0o664)] {
            #expect(chmod(rig.folder.file(name), mode_t(mode)) == 0)
            #expect(try doctor(rig, at: Self.noon).problems == ["permissions"])
            #expect(try doctor(rig, "--fix", at: Self.noon).mended == ["permissions"])
            #expect(try doctor(rig, at: Self.noon).problems.isEmpty)
        }
    }

    @Test func rowsAndFilesThatDoNotAgreeAreCounted() throws {
        let rig = try rig()
        let audio = rig.folder.file("store/audio/")
        let names = rig.folder.names(in: "store/audio")
        try FileManager.default.copyItem(
            atPath: audio + names[0], toPath: audio + names[0].replacing(/^1/, with: "9"))
        try FileManager.default.copyItem(
            atPath: audio + names[0], toPath: audio + names[0].replacing(/flac$/, with: "part"))
        try FileManager.default.removeItem(atPath: audio + names[1])
        let found = try rig.run("doctor", at: Self.noon)
        #expect(
            found.output.contains(
                "there is 1 memo without a file, 1 file without a memo, 1 file that nobody makes any more"),
            "\(found.output)")
        #expect(try doctor(rig, "--fix", at: Self.noon).mended == ["files"])
        #expect(try doctor(rig, at: Self.noon).problems.isEmpty)
        #expect(try rig.memos("--all", at: Self.noon).compactMap { $0["id"] as? Int } == [1, 9])
    }
}
