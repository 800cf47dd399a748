import Foundation
import Linux
import TestSupport
import Testing

/// A machine with a store of two memos, which is made anew before every command, and a folder of somebody else's
/// that no command may touch. What a command does there is judged by the contract.
final class HostileRig {
    /// The machine. Memo 1 can be heard and memo 2 waits at ``now``; `in.wav` is a file of sound.
    let rig: FileRig
    let now = Rig.Clock("2026-12-01 12:00:00")
    private var strangers: [String: Data] = [:]
    private let sound: Data
    private let kept: [Data]

    /// Every command that meets the store or a file, as it is typed.
    static let commands: [[String]] = [
        ["list"], ["list", "--all", "--json"], ["status"], ["status", "--short"], ["show", "1"],
        ["play", "1", "-D", "speaker"], ["record", "-y", "-D", "mic", "-d", "0.1"], ["import", "in.wav"],
        ["export", "1", "out.wav"], ["export", "1", "out.flac", "--force"], ["edit", "1", "-t", "another"],
        ["expire"], ["expire", "--json"], ["doctor"], ["doctor", "--fix"], ["schedule", "status"], ["stop"],
        ["delete", "1", "-y"],
    ]
    /// The longest that a command may take, in seconds; each sound of these is shorter than half of one.
    static let patience: Int32 = 5

    init() throws {
        rig = try FileRig()
        for (title, clock) in [("heard", now.adding(seconds: -86_400)), ("waiting", now)] {
            try rig.run("record", "-y", "-D", "mic", "-d", "0.2", "-t", title, at: clock)
        }
        let folder = rig.folder
        let sound = try Data(
            contentsOf: URL(
                fileURLWithPath: folder.file("store/audio/" + (folder.names(in: "store/audio").first ?? ""))))
        try rig.run("export", "1", folder.file("in.wav"), at: now)
        try FileManager.default.moveItem(atPath: folder.file("store"), toPath: folder.file("template"))
        self.sound = sound
        kept = folder.names(in: "template/audio").compactMap {
            try? Data(contentsOf: URL(fileURLWithPath: folder.file("template/audio/" + $0)))
        }
        try #require(kept.count == 2)
        try makeStrangers()
    }

    /// Makes what is not ours, anew.
    private func makeStrangers() throws {
        let folder = rig.folder
        try? FileManager.default.removeItem(atPath: folder.file("strangers"))
        try FileManager.default.createDirectory(
            atPath: folder.file("strangers/folder"), withIntermediateDirectories: true)
        try folder.write("strangers/file", sound)
        try folder.write("strangers/folder/file", "not yours")
        strangers = Self.files(below: folder.file("strangers"))
    }

    private static func files(below path: String) -> [String: Data] {
        let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        return Dictionary(
            uniqueKeysWithValues: names.map { name in
                let attributes = (try? FileManager.default.attributesOfItem(atPath: path + "/" + name)) ?? [:]
                let mode = "\(attributes[.posixPermissions] ?? 0) \(attributes[.type] ?? "")"
                let isFile = attributes[.type] as? FileAttributeType == .typeRegular
                let contents = isFile ? FileManager.default.contents(atPath: path + "/" + name) : nil
                return (name, Data(mode.utf8) + (contents ?? Data()))
            })
    }

    /// Puts the store back, and takes away what the last command has made.
    func reset() throws {
        let folder = rig.folder
        for name in ["store", "home", "aside", "out.wav", "out.flac", "speaker.raw"] {
            try? FileManager.default.removeItem(atPath: folder.file(name))
        }
        try FileManager.default.copyItem(atPath: folder.file("template"), toPath: folder.file("store"))
        try FileManager.default.createDirectory(
            atPath: folder.file("home/.config/tomorrow"), withIntermediateDirectories: true)
        try folder.write("home/.config/tomorrow/config", "day-start = 00:00\n")
    }

    /// Where a command was run, and how.
    struct Way {
        /// What stands before the program's name: a shell that changes something, for example.
        var wrapper: [String] = []
        var environment: [String: String] = [:]
        /// Statuses that the contract has for it, beside 0.
        var statuses: Set<Int32> = [1, 3, 5, 6]
        /// Whether what goes wrong can be told.
        var canTell = true
    }

    /// Runs a command and judges it: no signal, in time, a status of the contract, one line that says why; nothing
    /// of the strangers' changed.
    @discardableResult
    func run(
        _ command: [String], _ way: Way = Way(), in test: TortureCase, _ place: String
    ) throws -> Child.Result? {
        test.tried()
        let what = "\(command.joined(separator: " ").prefix(60)): \(place)"
        let folder = rig.folder.path
        let arguments = command.map {
            ["in.wav", "out.wav", "out.flac"].contains($0) ? folder + "/" + $0 : $0
        }
        // Only the program's clock is another, not that of what stands before it.
        var moved = rig.environment(at: now).merging(way.environment) { $1 }
        let preload = moved.removeValue(forKey: "LD_PRELOAD") ?? ""
        let child = try Child(
            way.wrapper + ["env", "LD_PRELOAD=" + preload, Rig.program] + arguments, environment: moved,
            notes: try rig.folder.write("notes", ""))
        guard child.ends(within: Self.patience) else {
            test.found(.hung, what)
            child.send(SIGKILL)
            return nil
        }
        let ended = child.finish()
        let notes = (try? String(contentsOfFile: folder + "/notes", encoding: .utf8)) ?? ""
        let words = notes.prefix(600)
        if let signal = ended.signal { test.found(.wrongExit, "\(what): signal \(signal): \(words)") }
        if let status = ended.status, status != 0 {
            let isOfShell = status > 128
            if isOfShell || !way.statuses.contains(status) {
                test.found(.wrongExit, "\(what): status \(status): \(words)")
            }
            let lines = notes.split(separator: "\n").filter {
                $0.hasPrefix("tomorrow: ") && !$0.contains("/.config")
            }
            // What checks several things may find more than one of them wrong.
            let isTold =
                command[0] == "doctor" && !ended.output.isEmpty || lines.count == 1
                || command[0] == "expire" && !lines.isEmpty || notes.contains("/.config")
            if way.canTell, !isTold { test.found(.wrongExit, "\(what): not one line: \(words)") }
        }
        let found = Self.files(below: folder + "/strangers")
        if found != strangers {
            test.found(.lost, "\(what): something that is not ours was changed: \(found.keys.sorted())")
            try makeStrangers()
        }
        let stray = rig.folder.names().filter { $0.hasPrefix(".tomorrow") || $0.hasSuffix(".part") }
        if !stray.isEmpty { test.found(.leftBehind, "\(what): \(stray)") }
        return ended
    }

    /// Whether the sound of the memos is still there, wherever it was put; without the first where that may be gone.
    func expectKept(_ test: TortureCase, _ what: String, without isFirstGone: Bool) {
        let found = rig.folder.contents().filter {
            !$0.path.hasPrefix("template") && !$0.path.hasPrefix("strangers") && !$0.path.hasPrefix("out.")
        }.map(\.data)
        for sound in kept.dropFirst(isFirstGone ? 1 : 0) where !found.contains(sound) {
            test.found(.lost, "\(what): a memo's sound is gone")
        }
    }
}
