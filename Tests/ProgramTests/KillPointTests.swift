import Foundation
import TestSupport
import Testing

/// The program killed before, after and in the middle of each call with which it changes a file. Whatever it was
/// at, one more `expire` brings the store to where it would have come.
@Suite struct KillPointTests {
    /// A few of the points; the others are for those who have time.
    @Test(arguments: KillPointSweep.Scenario.allCases)
    func oneMoreExpireMendsWhatAKillLeft(scenario: KillPointSweep.Scenario) throws {
        let sweep = try KillPointSweep(scenario)
        try sweep.run(each: 17)
    }
}

/// All of the points.
@Suite struct KillPointSlowTests {
    @Test(arguments: KillPointSweep.Scenario.allCases)
    func oneMoreExpireMendsWhatAKillLeft(scenario: KillPointSweep.Scenario) throws {
        let sweep = try KillPointSweep(scenario)
        try sweep.run(each: 1)
    }
}

/// One command, killed at point after point, each time on the same store.
struct KillPointSweep {
    enum Scenario: String, CaseIterable {
        /// `expire` with all that it can find: what is over, an interrupted take, files without a row, a row
        /// without a file, a file in the making.
        case expire
        /// `expire` on a folder that it need not look at.
        case expireOfASealedFolder
        /// The first command on a database of the first version.
        case migration
        /// A short take, from nothing to a memo.
        case record
        /// A memo is deleted.
        case delete
        /// A file is imported: as it is, and encoded anew.
        case importOfAFormatOfOurs, importOfAnother
        /// A memo is exported: as it is, and encoded anew.
        case exportInItsFormat, exportInAnother
        /// A damaged database is made anew. Before that began, nothing but another such command helps.
        case rebuild
    }

    private let scenario: Scenario
    private let rig: FileRig
    private let command: [String]
    private static let monday = Rig.Clock("2026-11-30 12:00:00")
    private static let tuesday = monday.adding(seconds: 86_400)
    private static let wednesday = monday.adding(seconds: 2 * 86_400)

    /// Prepares the store.
    init(_ scenario: Scenario) throws {
        self.scenario = scenario
        rig = try FileRig()
        let record = ["record", "-y", "-D", "mic", "-d", "0.1", "-t"]
        try #require(try rig.start(record + ["gone one"], at: Self.monday).finish().status == 0)
        try #require(try rig.start(record + ["gone two"], at: Self.monday).finish().status == 0)
        try #require(try rig.start(record + ["stays"], at: Self.tuesday).finish().status == 0)
        switch scenario {
        case .expire:
            command = ["expire"]
            try Self.disorder(rig, record)
        case .expireOfASealedFolder:
            command = ["expire"]
            try #require(try rig.run("expire", at: Self.tuesday).status == 0)
        case .migration:
            command = ["list"]
            try Self.makeOld(rig)
        case .record: command = record + ["new", "--json"]
        case .importOfAFormatOfOurs, .importOfAnother:
            let path = rig.folder.file(scenario == .importOfAnother ? "new.aiff" : "new.wav")
            let made = try rig.tool(
                "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "anoisesrc=d=0.1:r=48000", path)
            try #require(made.status == 0, "\(made.notes)")
            command = ["import", path, "-t", "new", "--json"]
        case .exportInItsFormat: command = ["export", "3", rig.folder.file("out.flac"), "--force"]
        case .exportInAnother: command = ["export", "3", rig.folder.file("out.wav"), "--force"]
        case .delete: command = ["delete", "3", "-y"]
        case .rebuild:
            command = ["doctor", "--fix"]
            try Self.damage(rig)
        }
        _ = try rig.tool("cp", "-a", rig.folder.file("store"), rig.folder.file("template"))
    }

    /// Makes a mess of a store.
    private static func disorder(_ rig: FileRig, _ record: [String]) throws {
        try #require(try rig.start(record + ["without a file"], at: tuesday).finish().status == 0)
        let audio = rig.folder.file("store/audio/")
        func name(_ id: Int) -> String {
            rig.folder.names(in: "store/audio").first { $0.hasPrefix("\(id)-") } ?? ""
        }
        func copy(_ id: Int, as other: Int, ending: String = "flac") throws {
            let new = name(id).replacing(/^[0-9]+/, with: "\(other)").replacing(/flac$/, with: ending)
            try FileManager.default.copyItem(atPath: audio + name(id), toPath: audio + new)
        }
        try copy(3, as: 21)
        try copy(1, as: 22)
        try copy(3, as: 3, ending: "part")
        try FileManager.default.removeItem(atPath: audio + name(4))
        let recording = try rig.start(["record", "-D", "mic", "-t", "interrupted"], at: tuesday)
        try #require(rig.waitsForSound())
        recording.send(SIGKILL)
        _ = recording.finish()
    }

    /// Takes back what the second version's step does.
    private static func makeOld(_ rig: FileRig) throws {
        let ended = try rig.tool(
            "sqlite3", rig.folder.file("store/memos.db"),
            """
            ALTER TABLE memos DROP COLUMN announced_at; ALTER TABLE memos DROP COLUMN reminded_at;
            DROP INDEX memos_by_expiry; CREATE INDEX memos_by_expiry ON memos (expire_at);
            DROP TABLE state; CREATE TABLE unwiped (memo INTEGER NOT NULL) STRICT; PRAGMA user_version = 1;
            """)
        try #require(ended.status == 0, "\(ended.notes)")
    }

    /// Zeroes a page of the database that holds no memo.
    private static func damage(_ rig: FileRig) throws {
        let path = rig.folder.file("store/memos.db")
        let page = try rig.tool(
            "sqlite3", path, "SELECT rootpage FROM sqlite_schema WHERE name = 'memos_by_expiry'")
        let root = try #require(Int(page.output.filter(\.isNumber)))
        var data = try Data(contentsOf: URL(fileURLWithPath: path))
        data.replaceSubrange((root - 1) * 4096..<root * 4096, with: Data(count: 4096))
        try data.write(to: URL(fileURLWithPath: path))
    }

    /// Kills at each n-th point, and looks at what one more `expire` makes of it.
    func run(each stride: Int) throws {
        let expected = try stateAfter(killing: nil)
        var points = 0
        var runs = 0
        for when in ["before", "middle", "after"] {
            var number = 1
            while true {
                let state = try stateAfter(killing: "\(when):\(number)")
                guard state.wasKilled else { break }
                runs += 1
                check(state, expected, "\(scenario.rawValue), killed \(when) call \(number)")
                number += stride
            }
            points += number - 1
        }
        #expect(runs > 2)
        print("\(scenario.rawValue): about \(points) kill points, \(runs) of them tried")
    }

    private struct State {
        var wasKilled = false
        var output = ""
        var memos = ""
        var count = 0
        var files: [String] = []
        var hasTraces = false
        var exported = Data()
    }

    /// Runs the command on a copy of the store, perhaps to its violent end, and then `expire`.
    private func stateAfter(killing point: String?) throws -> State {
        let store = rig.folder.file("store")
        try FileManager.default.removeItem(atPath: store)
        _ = try rig.tool("cp", "-a", rig.folder.file("template"), store)
        for ending in ["flac", "wav"] { try rig.folder.write("out." + ending, "old") }
        var environment = rig.environment(at: Self.wednesday)
        if let point {
            environment["KILL_POINT"] = point
            environment["LD_PRELOAD"]? += ":" + Rig.killPoint
        }
        let ended = try Child([Rig.program] + command, environment: environment).finish()
        if scenario == .rebuild { try rig.run("doctor", "--fix", at: Self.wednesday) }
        let expired = try rig.run("expire", at: Self.wednesday)
        #expect(expired.status == 0, "\(point ?? ""): \(expired.notes)")
        let memos = try rig.memos("--all", at: Self.wednesday)
        let described = memos.map { memo in
            ["id", "title", "state", "duration_seconds", "interrupted"].map { "\(memo[$0] ?? "")" }
                .joined(separator: " ")
        }
        return State(
            wasKilled: ended.signal == SIGKILL, output: ended.output,
            memos: described.joined(separator: "\n"), count: memos.count,
            files: rig.folder.names(in: "store/audio"),
            hasTraces: rig.folder.contents().contains {
                $0.path.hasPrefix("store/") && $0.data.range(of: Data("gone ".utf8)) != nil
            },
            exported: try ["flac", "wav"].reduce(Data()) {
                try $0 + Data(contentsOf: URL(fileURLWithPath: rig.folder.file("out." + $1)))
            })
    }

    private func check(_ state: State, _ expected: State, _ comment: Comment) {
        #expect(!state.hasTraces, comment)
        // Of a take's first block half may be there: nothing in it can be heard, and it is not swept away.
        let unheard = scenario == .record ? 0...1 : 0...0
        #expect(unheard.contains(state.files.count - state.count), comment)
        switch scenario {
        case .expire, .expireOfASealedFolder, .migration, .rebuild:
            #expect(state.memos == expected.memos, comment)
            #expect(state.files == expected.files, comment)
        case .record:
            // The take is there or was not yet; once it was reported, it is there whole.
            #expect(state.memos.contains("3 stays available 0.1 0"), comment)
            #expect(state.count == 1 || state.count == 2, comment)
            if !state.output.isEmpty { #expect(state.memos == expected.memos, comment) }
        case .importOfAFormatOfOurs, .importOfAnother:
            // The memo is there whole, or nothing is; once it was reported, it is there.
            #expect([expected.memos, "3 stays available 0.1 0"].contains(state.memos), comment)
            if !state.output.isEmpty { #expect(state.memos == expected.memos, comment) }
        case .exportInItsFormat, .exportInAnother:
            #expect(state.memos == expected.memos, comment)
            #expect(state.files == expected.files, comment)
            #expect([expected.exported, Data("oldold".utf8)].contains(state.exported), comment)
        case .delete:
            // The memo is there, or nothing of it is.
            #expect(state.count == 0 || state.memos == "3 stays available 0.1 0", comment)
        }
    }
}
