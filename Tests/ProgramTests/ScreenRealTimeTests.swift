import Foundation
import TestSupport
import Testing

/// What a person sees, on a real terminal of two widths, kept as text in `Screens`. Run with
/// `TOMORROW_WRITE_SCREENS=1` it writes the screens anew, and fails, so that somebody looks at them.
@Suite(.serialized) struct ScreenRealTimeTests {
    @Test(arguments: [80, 40])
    func aTakeIsRecordedPausedReviewedRecordedAgainAndThrownAway(columns: Int) throws {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Screens/record-\(columns).txt")
        if ProcessInfo.processInfo.environment["TOMORROW_WRITE_SCREENS"] != nil {
            try FileManager.default.createDirectory(
                at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
            try screens(columns: columns).write(to: path, atomically: true, encoding: .utf8)
            Issue.record("\(path.lastPathComponent) was written: look at it")
        }
        let expected = try String(contentsOf: path, encoding: .utf8)
        // A machine that is shared can lose sound, and says so: what holds in one run of three holds.
        var shown = ""
        for _ in 1...3 where shown != expected { shown = try screens(columns: columns) }
        #expect(shown == expected)
    }

    /// What the screens of a whole use show.
    private func screens(columns: Int) throws -> String {
        let rig = try FaultyCardRig("channels \(columns == 80 ? 1 : 2) level 8192")
        let clock = Rig.Clock("2026-11-30 09:00:00")
        let channels = columns == 80 ? "1" : "2"
        let terminal = try TmuxTerminal(
            columns: columns,
            [Rig.program, "record", "-D", "mic", "--channels", channels, "-t", "A walk in the sun"],
            environment: rig.environment(at: clock))
        var screens: [(String, String)] = []
        func keep(_ name: String, _ text: String) throws {
            // A screen can be caught while it is being drawn: what is seen twice is whole.
            var shown = Self.settled(try terminal.waits(for: text))
            while true {
                let again = Self.settled(try terminal.waits(for: text))
                if again == shown { break }
                shown = again
            }
            screens.append((name, shown))
        }
        _ = try terminal.waits(for: "● 0:01")
        try keep("recording", "Esc throw away")
        try terminal.type("m")
        _ = try terminal.waits(for: "Marker at 0:01.")
        try terminal.type("Space")
        try keep("paused", "space go on")
        try terminal.type("Escape")
        try keep("asked whether to throw it away", "Throw this take away?")
        usleep(300_000)
        try terminal.type("n")
        _ = try terminal.waits(for: "space go on")
        try terminal.type("Enter")
        try keep("review", "6 imagination")
        try terminal.type("3")
        _ = try terminal.waits(for: "courage\n")
        try terminal.type("t")
        _ = try terminal.waits(for: "Title: A walk in the sun")
        try terminal.type("C-u", "Call mother", "Enter")
        try keep("named", "“Call mother”")
        try terminal.type("a")
        try keep("asked whether to record again", "and record again?")
        usleep(300_000)
        try terminal.type("y")
        _ = try terminal.waits(for: "● 0:01")
        try terminal.type("C-c")
        _ = try terminal.waits(for: "Saved memo 2")
        _ = try terminal.waits(for: "6 imagination")
        try terminal.type("d")
        _ = try terminal.waits(for: "Throw it away?")
        usleep(300_000)
        try terminal.type("y")
        // The first one is still there to be seen.
        for _ in 1...200 where try !terminal.screen().hasSuffix("Thrown away.") { usleep(50_000) }
        screens.append(("over", Self.settled(try terminal.screen())))
        #expect(rig.folder.names(in: "store/audio").isEmpty)

        let text = screens.map { "— \($0.0) —\n\($0.1)\n" }.joined(separator: "\n")
        for line in text.split(separator: "\n") { #expect(line.count <= columns, "\(line)") }
        return text
    }

    /// A screen without what differs from run to run: the time it took, and how long the shape is by then.
    private static func settled(_ screen: String) -> String {
        screen.replacing(/\b0:0\d\b/, with: "0:01").replacing(/[▁-█]+/, with: "▄▄▄▄")
    }
}
