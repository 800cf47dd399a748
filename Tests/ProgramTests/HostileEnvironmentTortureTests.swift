import Foundation
import Linux
import TestSupport
import Testing

/// A shell, an environment or limits that nobody in his senses would give a program.
@Suite(.enabled(if: getuid() == 0, "limits and mounts need root"))
struct HostileEnvironmentTortureTests {
    private static func shell(_ script: String) -> [String] { ["sh", "-c", script + "; exec \"$@\"", "sh"] }

    /// How a program can be started; `FOLDER` is the machine's.
    private static let ways: [(name: String, way: HostileRig.Way)] = [
        ("umask 000", .init(wrapper: shell("umask 000"))), ("umask 777", .init(wrapper: shell("umask 777"))),
        ("no input", .init(wrapper: shell("exec <&-"))),
        ("no output", .init(wrapper: shell("exec >&-"), canTell: false)),
        ("no messages", .init(wrapper: shell("exec 2>&-"), canTell: false)),
        ("no streams", .init(wrapper: shell("exec <&- >&- 2>&-"), canTell: false)),
        ("output to a full disk", .init(wrapper: shell("exec >/dev/full"))),
        ("messages to a full disk", .init(wrapper: shell("exec 2>/dev/full"), canTell: false)),
        ("input from a folder", .init(wrapper: shell("exec </"))),
        ("8 files", .init(wrapper: ["prlimit", "--nofile=8"])),
        ("16 files", .init(wrapper: ["prlimit", "--nofile=16"])),
        ("files of 4 kB", .init(wrapper: ["prlimit", "--fsize=4096"])),
        ("files of 100 kB", .init(wrapper: ["prlimit", "--fsize=100000"])),
        ("400 MB", .init(wrapper: ["prlimit", "--as=400000000"])),
        ("a stack of 256 kB", .init(wrapper: ["prlimit", "--stack=262144"])),
        ("no locked memory, no core", .init(wrapper: ["prlimit", "--memlock=0", "--core=0"])),
        ("HOME empty", .init(environment: ["HOME": ""])), ("HOME=/", .init(environment: ["HOME": "/"])),
        ("HOME nowhere", .init(environment: ["HOME": "/proc/nowhere/\u{1b}[2J"])),
        (
            "XDG folders that are relative",
            // libpulse makes a folder in it.
            .init(
                wrapper: shell("cd \"$TMPDIR\""), environment: ["XDG_DATA_HOME": "x", "XDG_CONFIG_HOME": "y"])
        ),
        ("a wide terminal", .init(environment: ["COLUMNS": "99999999", "LINES": "-1"])),
        ("no zone", .init(environment: ["TZ": "Nowhere/Nothing"])),
        ("a zone that is no text", .init(environment: ["TZ": ":/dev/zero"])),
        ("a zone beyond reason", .init(environment: ["TZ": "X999999999:99:99Y,M13.9.9,J999"])),
        ("no language", .init(environment: ["LANG": "tlh_QO.KOI-99", "LC_ALL": "\u{ff}"])),
        ("ASCII alone", .init(environment: ["LC_ALL": "C"])),
        ("no terminal", .init(environment: ["TERM": "\u{1b}[2J", "NO_COLOR": ""])),
        ("no PATH", .init(environment: ["PATH": "/usr/bin:/proc/nowhere"])),
        ("TMPDIR nowhere", .init(environment: ["TMPDIR": "/proc/nowhere"])),
        ("a bus that is none", .init(environment: ["DBUS_SESSION_BUS_ADDRESS": "nonsense:,;="])),
        ("no sound at all", .init(environment: ["ALSA_CONFIG_PATH": "/proc/nowhere"])),
        ("a sound configuration that is none", .init(environment: ["ALSA_CONFIG_PATH": "/bin/true"])),
        ("a folder that is gone", .init(wrapper: shell("mkdir gone; cd gone; rmdir ../gone"))),
        // Who may not read the configuration is not understood.
        ("nobody's rights", .init(wrapper: nobody, statuses: [1, 2, 3, 5, 6])),
        (
            "one process of nobody's",
            .init(wrapper: ["prlimit", "--nproc=1"] + nobody, statuses: [1, 2, 3, 5, 6])
        ),
    ]
    private static let nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]

    @Test func nothingAroundItDoesHarm() throws {
        let test = TortureCase("hostile environments", share: 0.06)
        let hostile = try HostileRig()
        let commands = HostileRig.commands
        for number in TortureCase.spread(Self.ways.count * commands.count) where test.hasTime {
            let command = commands[(number - 1) % commands.count]
            let (name, way) = Self.ways[(number - 1) / commands.count]
            // The rig's own speaker writes a file.
            if command[0] == "play", name.hasPrefix("files of") { continue }
            try hostile.reset()
            try hostile.run(command, way, in: test, name)
            hostile.expectKept(test, "\(command): \(name)", without: command[0] == "delete")
            expectPrivate(hostile, test, "\(command): \(name)")
        }
        try test.report()
    }

    /// Everything in the store is its owner's alone.
    private func expectPrivate(_ hostile: HostileRig, _ test: TortureCase, _ what: String) {
        let folder = hostile.rig.folder
        let names = FileManager.default.enumerator(atPath: folder.file("store"))?.compactMap { $0 as? String }
        for name in ["store"] + (names ?? []).map({ "store/" + $0 }) {
            let attributes = (try? FileManager.default.attributesOfItem(atPath: folder.file(name))) ?? [:]
            let isFolder = attributes[.type] as? FileAttributeType == .typeDirectory
            let mode = attributes[.posixPermissions] as? Int ?? 0
            if mode != (isFolder ? 0o700 : 0o600) {
                test.found(.leftBehind, "\(what): \(name) has \(String(mode, radix: 8))")
            }
        }
    }

    /// Command lines that nobody types.
    @Test func noCommandLineDoesHarm() throws {
        let test = TortureCase("hostile command lines", share: 0.02)
        let hostile = try HostileRig()
        let long = String(repeating: "x", count: 100_000)
        let wide = String(repeating: "é\u{301}👨‍👩‍👧", count: 4_000)
        let options = ["-t", "-c", "-d", "--at", "--deliver", "-f", "-r", "-b", "--channels", "-D"]
        let hostileWords = [
            long, wide, "", " ", "\n", "\u{1b}[2J", "-", "--", "=", "-9223372036854775808", "1e999", "nan",
        ]
        var lines = hostileWords.map { [$0] }
        lines += hostileWords.flatMap { word in
            HostileRig.commands.map { [$0[0], word] }
                + options.map { ["record", "-y", "-d", "0.1", $0, word] }
        }
        lines += [
            ["delete", "-y"] + (3..<100_003).map(String.init),
            ["play"] + Array(repeating: "9", count: 100_000),
            ["list"] + Array(repeating: "--all", count: 100_000), Array(repeating: "--", count: 100_000),
            ["-" + String(repeating: "y", count: 100_000)],
            ["record", "-" + String(repeating: "y", count: 100_000)],
        ]
        for number in TortureCase.spread(lines.count) where test.hasTime {
            let line = lines[number - 1]
            try hostile.reset()
            let way = HostileRig.Way(statuses: [1, 2, 3, 5, 6])
            try hostile.run(line, way, in: test, "\(line.count) arguments")
            hostile.expectKept(test, "\(line.prefix(3))", without: false)
        }
        try test.report()
    }
}
