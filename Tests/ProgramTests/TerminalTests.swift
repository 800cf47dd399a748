import Foundation
import TestSupport
import Testing

/// A person at a terminal.
@Suite struct TerminalTests {
    @Test(arguments: ["\n", "q\n", "\u{3}", "\u{4}"])
    func enterQAndControlCEndATake(typed: String) throws {
        let rig = try FileRig()
        let terminal = try PseudoTerminal()
        let before = terminal.settings
        let recording = try rig.start(["record", "-D", "mic"], on: terminal)
        #expect(recording.waits(for: "Recording from mic. Enter stops."))
        terminal.type(typed)
        let ended = recording.finish()
        #expect(ended.status == 0)
        #expect(ended.notes.contains("Saved memo 1"))
        #expect(terminal.settings == before)
    }

    @Test func aMeterMovesUnderARecordingWhereALineCanBeDrawnAnew() throws {
        for (term, isDrawn) in [("xterm", true), ("dumb", false)] {
            let rig = try FileRig()
            rig.environment["TERM"] = term
            let terminal = try PseudoTerminal()
            let recording = try rig.start(["record", "-D", "mic"], on: terminal, showing: true)
            #expect(terminal.waits(for: isDrawn ? "\r● " : "Recording from mic.") != nil)
            _ = recording.ends(within: 1)
            terminal.type("\n")
            let shown = try #require(terminal.waits(for: "and leaves"))
            #expect(shown.contains("●") == isDrawn)
            #expect(shown.contains("\u{1b}") == isDrawn)
            #expect(shown.contains("dB  Enter stops") == isDrawn)
            if isDrawn { #expect(shown.contains("\r\u{1b}[KSaved memo 1")) }
            #expect(recording.finish().status == 0)
        }
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
