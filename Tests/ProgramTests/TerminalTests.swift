import Foundation
import TestSupport
import Testing

/// A person at a terminal.
@Suite struct TerminalTests {
    /// A take that runs at a terminal where a line can be drawn anew.
    private func record(_ rig: Rig, _ terminal: PseudoTerminal, _ options: String...) throws -> Child {
        rig.environment["TERM"] = "xterm"
        let recording = try rig.start(["record", "-D", "mic"] + options, on: terminal, showing: true)
        try #require(terminal.waits(for: "Esc throw away") != nil)
        return recording
    }

    @Test(arguments: ["\n", "q", "\u{3}", "\u{4}"])
    func enterQAndControlCEndATakeAndTheReviewKeepsIt(typed: String) throws {
        let rig = try FileRig()
        let terminal = try PseudoTerminal()
        let before = terminal.settings
        let recording = try record(rig, terminal)
        #expect(terminal.settings != before)
        #expect(terminal.types(typed, andSees: "d throw away"))
        // It is a memo before anybody has said what to do with it.
        #expect(try rig.memos("--waiting").count == 1)
        #expect(terminal.types(typed, andSees: "Kept memo 1"))
        #expect(recording.finish().status == 0)
        #expect(terminal.settings == before)
        #expect(try rig.memos("--waiting").count == 1)
    }

    @Test func withoutADisplayTheKeysWorkAndNothingIsAsked() throws {
        let rig = try FileRig()
        let terminal = try PseudoTerminal()
        let before = terminal.settings
        let recording = try rig.start(["record", "-D", "mic"], on: terminal)
        #expect(recording.waits(for: "Recording from mic. Enter stops, space pauses, "))
        terminal.type("\u{1b}m q")
        let ended = recording.finish()
        #expect(ended.status == 0)
        #expect(ended.notes.contains("Saved memo 1"))
        #expect(!ended.notes.contains("\u{1b}"))
        #expect(terminal.settings == before)
    }

    @Test func aDumbTerminalGetsPlainLines() throws {
        let rig = try FileRig()
        rig.environment["TERM"] = "dumb"
        let terminal = try PseudoTerminal()
        let recording = try rig.start(["record", "-D", "mic"], on: terminal, showing: true)
        #expect(terminal.waits(for: "Enter stops, space pauses, ") != nil)
        #expect(terminal.types(" ", andSees: "Paused; the microphone is free."))
        #expect(terminal.types(" ", andSees: "Recording goes on."))
        #expect(terminal.types("\u{1b}", andSees: "Throw this take away?"))
        usleep(200_000)
        #expect(terminal.types("n", andSees: "It goes on."))
        terminal.type("q")
        #expect(terminal.waits(for: "d throw away") != nil)
        #expect(terminal.types("2", andSees: "Category: presence."))
        let shown = try #require(terminal.waits(for: "Category: presence."))
        #expect(!shown.contains("\u{1b}") && !shown.contains("●"))
        terminal.type("\n")
        #expect(recording.finish().status == 0)
        #expect(try rig.memos("--waiting").first?["category"] as? String == "presence")
    }

    @Test func aTerminalThatIsMadeNarrowAndWideAgainKeepsWhatStoodAboveTheDrawing() throws {
        let rig = try FileRig()
        let terminal = try TmuxTerminal(
            columns: 80, [Rig.program, "record", "-D", "mic", "-d", "1"], environment: rig.environment)
        _ = try terminal.waits(for: "throw away\n1 focus")
        let above = try terminal.screen().split(separator: "\n").prefix(3)
        #expect(above.last?.hasPrefix("It opens") == true)
        for _ in 1...2 {
            try terminal.resize(columns: 40)
            usleep(300_000)
            try terminal.resize(columns: 80)
            usleep(300_000)
            let shown = try terminal.screen(history: 100).split(separator: "\n")
            #expect(shown.prefix(3) == above, "\(shown)")
            #expect(shown.last?.hasPrefix("1 focus · 2 presence · 3 courage · 4 fun") == true)
        }
    }

    @Test func pausingClosesTheDeviceAndLosesNothing() throws {
        let rig = try FileRig()
        let terminal = try PseudoTerminal()
        let recording = try record(rig, terminal, "-y", "--json")
        func deviceIsOpen() throws -> Bool {
            try rig.tool("ls", "-l", "/proc/\(recording.pid)/fd").output.contains("mic.raw")
        }
        #expect(try deviceIsOpen())
        for _ in 1...3 {
            #expect(terminal.types(" ", andSees: "space go on"))
            #expect(try !deviceIsOpen())
            #expect(try rig.memos("--all").isEmpty)
            #expect(terminal.types(" ", andSees: "space pause"))
            #expect(try deviceIsOpen())
        }
        #expect(terminal.types(" ", andSees: "space go on"))
        // A take can end while it is paused, and by another process too.
        #expect(try rig.run("stop").status == 0)
        let ended = recording.finish()
        #expect(ended.status == 0)
        let memo = try #require(Rig.object(ended.output)["memo"] as? [String: Any])
        #expect(memo["gap_seconds"] as? Double == 0)
        #expect(memo["interrupted"] as? Bool == false)
        let file = rig.folder.file("store/audio/" + (rig.folder.names(in: "store/audio").first ?? ""))
        let seconds = memo["duration_seconds"] as? Double ?? 0
        #expect(try IndependentProgram.frames(of: file) == Int((seconds * 48_000).rounded()))
    }

    @Test func aDeviceThatIsGoneAfterAPauseLeavesTheTakePaused() throws {
        let rig = try FileRig()
        let terminal = try PseudoTerminal()
        let recording = try record(rig, terminal, "-y")
        #expect(terminal.types(" ", andSees: "space go on"))
        let microphone = rig.folder.file("mic.raw")
        try FileManager.default.moveItem(atPath: microphone, toPath: microphone + ".away")
        #expect(terminal.types(" ", andSees: "tomorrow: cannot record from mic: "))
        #expect(terminal.waits(for: "space go on") != nil)
        try FileManager.default.moveItem(atPath: microphone + ".away", toPath: microphone)
        #expect(terminal.types(" ", andSees: "space pause"))
        #expect(terminal.types("q", andSees: "Saved memo 1"))
        #expect(recording.finish().status == 0)
    }

    @Test func markersStayWithTheMemo() throws {
        let rig = try FileRig()
        let terminal = try PseudoTerminal()
        let recording = try record(rig, terminal, "-y", "--json")
        #expect(terminal.types("m", andSees: "Marker at "))
        #expect(terminal.types("m", andSees: "Marker at "))
        terminal.type("q")
        let memo = try #require(Rig.object(recording.finish().output)["memo"] as? [String: Any])
        let markers = try #require(memo["markers"] as? [[String: Any]])
        #expect(markers.count == 2)
        let positions = markers.compactMap { $0["position_seconds"] as? Double }
        #expect(positions == positions.sorted() && positions[0] > 0)
        #expect(positions[1] <= memo["duration_seconds"] as? Double ?? 0)
        #expect(markers.allSatisfy { $0["text"] is NSNull })
        #expect((try rig.memos("--all").first?["markers"] as? [Any])?.count == 2)
    }

    @Test func markersOutliveAKill() throws {
        let rig = try FileRig()
        let terminal = try PseudoTerminal()
        let recording = try record(rig, terminal)
        #expect(rig.waitsForSound())
        #expect(terminal.types("m", andSees: "Marker at "))
        // Capture is ahead of the file by the ring's 12 s at most, and a marker behind the end of the file is dropped.
        #expect(rig.waitsForSound(bytes: rig.soundBytes + 13 * 48_000 * 2))
        // The marker is written after it is shown.
        #expect(terminal.types(" ", andSees: "space go on"))
        recording.send(SIGKILL)
        _ = recording.finish()
        let memo = try #require(try rig.memos("--all").first)
        #expect(memo["interrupted"] as? Bool == true)
        #expect((memo["markers"] as? [Any])?.count == 1)
    }

    @Test func aTakeIsThrownAwayAfterAsking() throws {
        let rig = try FileRig()
        let terminal = try PseudoTerminal()
        let before = terminal.settings
        let recording = try record(rig, terminal)
        // An arrow begins with the same byte, and is no Escape.
        #expect(terminal.types("\u{1b}[Am", andSees: "Marker at"))
        #expect(terminal.types("\u{1b}", andSees: "Throw this take away?"))
        usleep(200_000)
        #expect(terminal.types("x", andSees: "Esc throw away"))
        #expect(terminal.types("\u{1b}", andSees: "Throw this take away?"))
        // Nor is a word that happens to have the letter in it a yes.
        #expect(terminal.types("yes, away", andSees: "Throw this take away? [y/N]"))
        usleep(200_000)
        #expect(terminal.types("any", andSees: "Esc throw away"))
        #expect(terminal.types("\u{1b}", andSees: "Throw this take away?"))
        usleep(200_000)
        #expect(terminal.types("y", andSees: "Thrown away."))
        #expect(recording.finish().status == 1)
        #expect(rig.folder.names(in: "store/audio").isEmpty)
        #expect(try rig.memos("--all").isEmpty)
        #expect(terminal.settings == before)
    }

    @Test func whatWasTypedBeforeTheTakeDoesNotEndIt() throws {
        let rig = try FileRig()
        let terminal = try PseudoTerminal()
        terminal.type("\nq\n")
        let recording = try record(rig, terminal, "-y")
        #expect(!recording.ends(within: 1))
        terminal.type("q")
        #expect(recording.finish(within: 20).status == 0)
    }

    @Test func throwingAwayATakeLeavesTheMemosOfANewStoreAlone() throws {
        let rig = try FileRig()
        let terminal = try PseudoTerminal()
        let recording = try record(rig, terminal)
        try FileManager.default.removeItem(atPath: rig.folder.file("store"))
        try rig.run("record", "-D", "mic", "-d", "1", "-t", "another")
        #expect(terminal.types("\u{1b}", andSees: "Throw this take away?"))
        usleep(200_000)
        #expect(terminal.types("y", andSees: "Thrown away."))
        #expect(recording.finish().status == 1)
        #expect(try rig.memos("--all").first?["title"] as? String == "another")
    }

    @Test func deleteAsksAndTakesOnlyYesForAnAnswer() throws {
        let rig = try FileRig()
        try rig.run("record", "-D", "mic", "-d", "1", "-t", "keep me")
        for (answer, status) in [("n\n", 1), ("\n", 1), ("\u{4}", 1), ("y\n", 0)] as [(String, Int32)] {
            let terminal = try PseudoTerminal()
            let deleting = try rig.start(["delete", "1"], on: terminal)
            #expect(deleting.waits(for: "Delete memo 1 “keep me” for good? [y/N]"))
            terminal.type(answer)
            #expect(deleting.finish().status == status)
            #expect(try rig.memos("--waiting").count == (status == 0 ? 0 : 1))
        }
    }
}
