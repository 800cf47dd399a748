import Foundation
import Linux
import TestSupport
import Testing

/// Something else stands where one of our files should be: every command says so, in time, and follows it nowhere.
@Suite(.enabled(if: getuid() == 0, "making a device needs root"))
struct HostileNeighbourTortureTests {
    /// What can be in a place of ours.
    private enum Neighbour: String, CaseIterable {
        case linkToNowhere = "a link to nowhere"
        case linkToFile = "a link to a file"
        case linkToFolder = "a link to a folder"
        case linkToItself = "a link to itself"
        case folder = "a folder"
        case pipe = "a pipe"
        case socket = "a socket"
        case null = "/dev/null"
        case zero = "/dev/zero"
        case full = "/dev/full"
        case empty = "an empty file"
        case zeros = "zeros"
        case text = "text"
        case nothing = "nothing"

        /// Puts it into a place.
        func put(at path: String, strangers: String) throws {
            var code: Int32 = 0
            switch self {
            case .linkToNowhere: code = symlink(strangers + "/nowhere", path)
            case .linkToFile: code = symlink(strangers + "/file", path)
            case .linkToFolder: code = symlink(strangers + "/folder", path)
            case .linkToItself: code = symlink(path, path)
            case .folder: code = mkdir(path, 0o700)
            case .pipe: code = mkfifo(path, 0o600)
            case .socket: code = mknod(path, S_IFSOCK | 0o600, 0)
            case .null: code = Self.device(path, 3)
            case .zero: code = Self.device(path, 5)
            case .full: code = Self.device(path, 7)
            case .empty: try Self.write(Data(), path)
            case .zeros: try Self.write(Data(count: 100_000), path)
            case .text: try Self.write(Data(String(repeating: "hello\n", count: 999).utf8), path)
            case .nothing: break
            }
            if code != 0 { throw SystemError.last }
        }

        /// One of the devices of memory, whose major number is 1.
        private static func device(_ path: String, _ minor: dev_t) -> Int32 {
            mknod(path, S_IFCHR | 0o600, 1 << 8 | minor)
        }

        private static func write(_ data: Data, _ path: String) throws {
            try data.write(to: URL(fileURLWithPath: path))
        }
    }

    /// What is ours; `AUDIO` is the file of memo 1, `PART` one that is being made.
    private static let places = [
        "store", "store/audio", "store/memos.db", "store/memos.db-journal", "store/memos.db.damaged",
        "store/reserve", "store/scratch", "store/audio/AUDIO", "store/audio/PART", "home",
        "home/.config/tomorrow", "home/.config/tomorrow/config", "in.wav", "out.wav", "out.flac",
    ]

    @Test func nothingElseInOurPlaceDoesHarm() throws {
        let test = TortureCase("hostile neighbours", share: 0.12)
        let hostile = try HostileRig()
        let folder = hostile.rig.folder
        let audio = try #require(folder.names(in: "template/audio").first)
        let input = try Data(contentsOf: URL(fileURLWithPath: folder.file("in.wav")))
        let commands = HostileRig.commands
        let count = Self.places.count * Neighbour.allCases.count * commands.count
        for number in TortureCase.spread(count) where test.hasTime {
            let command = commands[(number - 1) % commands.count]
            let neighbour = Neighbour.allCases[(number - 1) / commands.count % Neighbour.allCases.count]
            let place = Self.places[(number - 1) / commands.count / Neighbour.allCases.count]
                .replacingOccurrences(of: "AUDIO", with: audio)
                .replacingOccurrences(of: "PART", with: audio.replacing(/flac$/, with: "part"))
            // Folders may be elsewhere: whoever links to one means it.
            let isFolder = ["store", "home", "home/.config/tomorrow"].contains(place)
            if isFolder, [.folder, .linkToFolder].contains(neighbour) { continue }
            // It waits for whoever will write into it, as every reader of a pipe does.
            if neighbour == .pipe, place == "in.wav", command[0] == "import" { continue }
            try hostile.reset()
            let path = folder.file(place)
            try? FileManager.default.moveItem(atPath: path, toPath: folder.file("aside"))
            try neighbour.put(at: path, strangers: folder.file("strangers"))
            var way = HostileRig.Way()
            // A configuration that cannot be read is a mistake in it.
            if place.hasPrefix("home") { way.statuses.insert(2) }
            let what = "\(neighbour.rawValue) as \(place)"
            let ended = try hostile.run(command, way, in: test, what)
            hostile.expectKept(test, "\(command): \(what)", without: command[0] == "delete")
            if ended?.status == 0, command[0] == "record" || command[0] == "import" {
                expectSaved(hostile, test, what)
            }
            if command[0] != "record", !place.hasSuffix(".wav"), !place.hasSuffix(".flac") || place == audio {
                try expectBack(hostile, command, place, test, what)
            }
            try? FileManager.default.removeItem(atPath: folder.file("in.wav"))
            try folder.write("in.wav", input)
        }
        try test.report()
    }

    /// A memo that was reported as saved is in the next list.
    private func expectSaved(_ hostile: HostileRig, _ test: TortureCase, _ what: String) {
        let memos = (try? hostile.rig.memos("--all", at: hostile.now)) ?? []
        // In a store that was made anew it is the first one.
        let isNew = what.hasSuffix(" as store")
        if !memos.contains(where: { isNew || $0["id"] as? Int ?? 0 > 2 || $0["title"] is NSNull }) {
            test.found(.lost, "\(what): a memo that was saved is in no list")
        }
    }

    /// With everything in its place again both memos are there.
    private func expectBack(
        _ hostile: HostileRig, _ command: [String], _ place: String, _ test: TortureCase, _ what: String
    ) throws {
        let folder = hostile.rig.folder
        guard FileManager.default.fileExists(atPath: folder.file("aside")) else { return }
        try? FileManager.default.removeItem(atPath: folder.file(place))
        try FileManager.default.moveItem(atPath: folder.file("aside"), toPath: folder.file(place))
        _ = try hostile.rig.run("expire", at: hostile.now)
        let wanted = command[0] == "delete" ? 1 : 2
        let count = try hostile.rig.memos("--all", at: hostile.now).count
        if count < wanted { test.found(.lost, "\(command): \(what): \(count) memos when it had gone") }
    }
}
