import Foundation
import TestSupport
import Testing

/// One command on a store with a memo that can be heard and two that are over: however it is cut off, one more
/// `expire` brings the store to where it would have come, or was.
struct StoreScenario {
    enum Kind: Sendable, CustomStringConvertible, CustomTestStringConvertible {
        /// `expire` with all that it can find: what is over, an interrupted take, files without a row, a row
        /// without a file, a file in the making.
        case expire
        /// `expire` on a folder that it need not look at.
        case expireOfASealedFolder
        /// The first command on a database of the first version.
        case migration
        /// A short take, from nothing to a memo of a format.
        case record(String)
        /// An interrupted take of a format becomes a memo.
        case mend(String)
        /// A memo is deleted; is given a title, a category and a marker; is played.
        case delete, edit, play
        /// A file is imported: as it is, and encoded anew.
        case importOfAFormatOfOurs, importOfAnother
        /// A memo is exported: as it is, and encoded anew.
        case exportInItsFormat, exportInAnother
        /// A damaged database is made anew. Before that began, nothing but another such command helps.
        case rebuild

        var description: String {
            switch self {
            case .expire: "expire"
            case .expireOfASealedFolder: "expire of a sealed folder"
            case .migration: "migration"
            case .record(let format): "record \(format)"
            case .mend(let format): "mend \(format)"
            case .delete: "delete"
            case .edit: "edit"
            case .play: "play"
            case .importOfAFormatOfOurs: "import as it is"
            case .importOfAnother: "import, encoded"
            case .exportInItsFormat: "export as it is"
            case .exportInAnother: "export, encoded"
            case .rebuild: "rebuild"
            }
        }

        var testDescription: String { description }

        var isRecord: Bool { if case .record = self { true } else { false } }
        var isExport: Bool {
            if case .exportInItsFormat = self { true } else { description == "export, encoded" }
        }
    }

    let kind: Kind
    let rig: FileRig
    /// What is typed behind `tomorrow`.
    let command: [String]
    /// What the microphone hears.
    let microphone = Noise.bits16(frames: 480_000)
    /// When the command runs: two of the three memos are over.
    static let wednesday = monday.adding(seconds: 2 * 86_400)
    private static let monday = Rig.Clock("2026-11-30 12:00:00")
    private static let tuesday = monday.adding(seconds: 86_400)

    /// Prepares the store.
    ///
    /// - Parameter seconds: how long a take of ``Kind/record(_:)`` is.
    init(_ kind: Kind, seconds: Double = 0.1) throws {
        self.kind = kind
        rig = try FileRig(microphone: microphone)
        let record = ["record", "-y", "-D", "mic", "-d", "0.1", "-t"]
        try #require(try rig.start(record + ["gone one"], at: Self.monday).finish().status == 0)
        try #require(try rig.start(record + ["gone two"], at: Self.monday).finish().status == 0)
        try #require(try rig.start(record + ["stays"], at: Self.tuesday).finish().status == 0)
        switch kind {
        case .expire:
            command = ["expire"]
            try Self.disorder(rig, record)
        case .expireOfASealedFolder:
            command = ["expire"]
            try #require(try rig.run("expire", at: Self.tuesday).status == 0)
        case .migration:
            command = ["list"]
            try Self.makeOld(rig)
        case .record(let format):
            // The room that a take keeps for a full disk has to be made, too.
            try FileManager.default.removeItem(atPath: rig.folder.file("store/reserve"))
            command = ["record", "-y", "-D", "mic", "-d", "\(seconds)", "-f", format, "-t", "new", "--json"]
        case .mend(let format):
            command = ["list"]
            try Self.interrupt(rig, format)
        case .importOfAFormatOfOurs, .importOfAnother:
            let isOurs = if case .importOfAFormatOfOurs = kind { true } else { false }
            let path = rig.folder.file(isOurs ? "new.wav" : "new.aiff")
            let made = try rig.tool(
                "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "anoisesrc=d=0.1:r=48000", path)
            try #require(made.status == 0, "\(made.notes)")
            command = ["import", path, "-t", "new", "--json"]
        case .exportInItsFormat: command = ["export", "3", rig.folder.file("out.flac"), "--force"]
        case .exportInAnother: command = ["export", "3", rig.folder.file("out.wav"), "--force"]
        case .delete: command = ["delete", "3", "-y"]
        case .edit: command = ["edit", "3", "-t", "other", "-c", "fun", "--add-marker", "0.05=here"]
        case .play: command = ["play", "3", "-D", "null"]
        case .rebuild:
            command = ["doctor", "--fix"]
            try Self.damage(rig)
        }
        _ = try rig.tool("cp", "-a", rig.folder.file("store"), rig.folder.file("template"))
    }

    /// Has everything as it was before the command.
    func restore() throws {
        try FileManager.default.removeItem(atPath: rig.folder.file("store"))
        _ = try rig.tool("cp", "-a", rig.folder.file("template"), rig.folder.file("store"))
        for ending in ["flac", "wav"] { try rig.folder.write("out." + ending, "old") }
        for name in rig.folder.names() where name.hasSuffix(".part") {
            try FileManager.default.removeItem(atPath: rig.folder.file(name))
        }
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
        try interrupt(rig, "flac")
    }

    /// Leaves a take that nobody records any more.
    private static func interrupt(_ rig: FileRig, _ format: String) throws {
        let recording = try rig.start(
            ["record", "-D", "mic", "-f", format, "-t", "interrupted"], at: tuesday)
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
}
