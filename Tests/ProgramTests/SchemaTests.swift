import Foundation
import TestSupport
import Testing

/// The keys and types of the JSON of every command, as jq reads it.
@Suite struct SchemaTests {
    /// Every path of an object, with the types that are seen there: what stands in a list counts as one.
    /// Of devices only ours, as machines have different ones.
    private static let filter = """
        [.[] | (if .devices then .devices |= map(select(.name == "mic")) else . end) | [paths(true) as $p | {p: ($p | map(if type == "number" then "[]" else . end) | join(".")),
            t: (getpath($p) | type)}]] | add | group_by(.p)
            | .[] | .[0].p + ": " + ([.[].t] | unique | join(" or "))
        """

    /// `schedule status` with a line of cron, then with a timer of systemd.
    private func schedules(of rig: Rig, at clock: Rig.Clock) throws -> [String] {
        try rig.folder.writeProgram(
            "bin/crontab",
            """
            case $1 in
            -l) cat "$HOME/table" 2> /dev/null || { echo "no crontab for somebody" >&2; exit 1; } ;;
            -r) rm "$HOME/table" ;;
            -) cat > "$HOME/table" ;;
            esac
            """)
        rig.environment["PATH"] = rig.folder.file("bin") + ":/usr/bin:/bin"
        func status() throws -> String { try rig.run("schedule", "status", "--json", at: clock).output }
        #expect(try rig.run("schedule", "install", at: clock).status == 0)
        let cron = try status()
        #expect(try rig.run("schedule", "remove", at: clock).status == 0)
        // As a package's timer is enabled: there need not be a systemd here.
        let wants = rig.folder.file("home/.config/systemd/user/timers.target.wants")
        try FileManager.default.createDirectory(atPath: wants, withIntermediateDirectories: true)
        try rig.run("schedule", "timer").output.write(
            toFile: wants + "/tomorrow.timer", atomically: true, encoding: .utf8)
        return try [cron, status()]
    }

    @Test func theJSONOfEveryCommandIsTheOneThatWasLookedAt() throws {
        let rig = try FileRig()
        let today = Rig.Clock("2026-11-30 09:00:00")
        let tomorrow = today.adding(seconds: 86_400)
        func run(_ arguments: String..., at clock: Rig.Clock) throws -> String {
            try rig.start(arguments + ["--json"], at: clock).finish().output
        }
        let empty = try run("status", at: today)
        let record = [
            try run("record", "-D", "mic", "-d", "1", "-t", "A title", "-c", "fun", at: today),
            try run("record", "-D", "mic", "-d", "1", at: today), try run("record", "-D", "none", at: today),
        ]
        let source = rig.folder.file("a.wav")
        _ = try rig.tool("sox", "-n", "-r", "48000", "-b", "16", source, "synth", "1", "sine", "440")
        let imported = try run("import", source, at: tomorrow)
        let waiting = try run("status", at: today)
        let place = "UPDATE memos SET position = 100, peak_decibels = NULL, gap_frames = NULL WHERE id = 2"
        _ = try rig.tool("sqlite3", rig.folder.file("store/memos.db"), place)
        try rig.run("edit", "1", "--add-marker", "0.5=Here", "--add-marker", "0.2", at: tomorrow)
        try rig.run("play", "1", "-D", "speaker", at: tomorrow)
        var schemas: [(String, [String])] = [
            ("record", record), ("import", [imported]), ("list", [try run("list", at: tomorrow)]),
            ("show", [try run("show", "1", at: tomorrow), try run("show", "2", at: tomorrow)]),
            ("devices", [try run("devices", at: tomorrow)]),
            ("doctor", [try run("doctor", at: tomorrow)]),
        ]
        let schedule = [try run("schedule", "status", at: today)] + (try schedules(of: rig, at: tomorrow))
        schemas.append(("schedule", schedule))
        let recording = try rig.start(["record", "-D", "mic"], at: tomorrow)
        #expect(recording.waits(for: "Recording"))
        let during = try run("status", at: tomorrow)
        recording.send(SIGTERM)
        #expect(recording.finish().status == 0)
        schemas.append(("expire", [try run("expire", at: tomorrow.adding(seconds: 86_400 * 2))]))
        schemas.append(("status", [empty, waiting, during, try run("status", at: tomorrow)]))

        var text = ""
        for (command, outputs) in schemas {
            try rig.folder.write("json", outputs.joined())
            let read = try rig.tool("jq", "-rs", Self.filter, rig.folder.file("json"))
            #expect(read.status == 0, "\(command): \(read.notes)")
            text += "# \(command)\n" + read.output + "\n"
        }
        let difference = Golden.difference(text, from: "json.txt")
        #expect(difference == nil, "\(difference ?? "")")
    }
}
