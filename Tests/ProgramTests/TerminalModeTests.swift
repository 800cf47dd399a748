import Foundation
import TestSupport
import Testing

/// The terminal is as it was, after every way out and in between.
@Suite struct TerminalModeTests {
    private let rig: FileRig
    private let terminal: PseudoTerminal
    private let before: [UInt32]

    init() throws {
        rig = try FileRig()
        rig.environment["TERM"] = "xterm"
        terminal = try PseudoTerminal()
        before = terminal.settings
    }

    /// Where a person can be while the program has the terminal.
    enum Place: String, CaseIterable, Sendable {
        case record, review

        var options: String { self == .record ? "" : "-d 1" }
        var hint: String { self == .record ? "Esc throw away" : "6 imagination" }
    }

    @Test(arguments: Place.allCases)
    func controlZGivesTheTerminalBackAndFgTakesItAgain(place: Place) throws {
        // dash leaves the terminal's mode alone, so that it is all the program's doing.
        let shell = try rig.startShell(
            "$TOMORROW record -D mic \(place.options); echo 'it stopped' >&2; read line; fg; echo over >&2",
            on: terminal)
        #expect(terminal.waits(for: place.hint) != nil)
        let single = terminal.settings
        #expect(single != before)
        #expect(terminal.types("\u{1a}", andSees: "it stopped"))
        #expect(terminal.settings == before)
        #expect(terminal.types("\n", andSees: place.hint))
        #expect(terminal.settings == single)
        // And once more.
        if place == .record { #expect(terminal.types("q", andSees: Place.review.hint)) }
        #expect(terminal.types("\n", andSees: "over"))
        #expect(terminal.settings == before)
        #expect(shell.finish().status == 0)
        #expect(try rig.memos("--all").count == 1)
    }

    @Test(arguments: Place.allCases, [SIGHUP, SIGTERM, SIGQUIT, SIGINT])
    func aSignalGivesTheTerminalBack(place: Place, signal: Int32) throws {
        let recording = try start(place, "-y")
        recording.send(signal)
        #expect(recording.finish(within: 20).status == 0)
        #expect(terminal.settings == before)
    }

    @Test(arguments: Place.allCases, ["TRAP", "OVERFLOW"])
    func aCrashGivesTheTerminalBack(place: Place, trouble: String) throws {
        rig.prepare(trouble: trouble)
        let recording = try start(place)
        #expect(terminal.settings != before && rig.waitsForSound())
        try rig.comes(trouble)
        // Any key ends the wait in which it is struck.
        terminal.type("m")
        let ended = recording.finish(within: 20)
        #expect(ended.signal == (trouble == "TRAP" ? SIGILL : SIGSEGV))
        #expect(terminal.settings == before)
        // And nothing is lost.
        rig.environment["LD_PRELOAD"] = nil
        let memo = try #require(try rig.memos("--all").first)
        #expect(memo["interrupted"] as? Bool == (place == .record))
        #expect(memo["duration_seconds"] as? Double ?? 0 > 0)
    }

    @Test(arguments: ["capture", "encoder"], ["TRAP", "OVERFLOW"])
    func aCrashOfAnotherThreadGivesTheTerminalBackToo(thread: String, trouble: String) throws {
        // A device with a pace of its own is waited for.
        let rig = try FaultyCardRig("rate 48000")
        rig.environment["TERM"] = "xterm"
        rig.prepare(trouble: trouble, thread: thread)
        let recording = try rig.start(["record", "-D", "mic", "-f", "wav"], on: terminal, showing: true)
        #expect(terminal.waits(for: Place.record.hint) != nil)
        #expect(terminal.settings != before)
        try rig.comes(trouble)
        #expect(recording.finish(within: 20).signal == (trouble == "TRAP" ? SIGILL : SIGSEGV))
        #expect(terminal.settings == before)
    }

    @Test func aCountdownGoesOnAfterControlZ() throws {
        let shell = try rig.startShell(
            "$TOMORROW record -D mic -d 1 --at 23:00; echo 'it stopped' >&2; read line; fg; echo over >&2",
            on: terminal)
        #expect(terminal.waits(for: "Recording starts at ") != nil)
        #expect(terminal.types("\u{1a}", andSees: "it stopped"))
        #expect(terminal.settings == before)
        #expect(terminal.types("\n", andSees: "Recording starts at "))
        terminal.type("\u{3}")
        _ = shell.finish(within: 20)
        #expect(terminal.settings == before)
        #expect(rig.folder.names(in: "store/audio").isEmpty)
    }

    @Test func whoWaitsCanBeginAtOnceOrGiveUp() throws {
        var waiting = try rig.start(
            ["record", "-D", "mic", "-d", "1", "-y", "--at", "23:00"], on: terminal, showing: true)
        #expect(terminal.waits(for: "q gives up") != nil)
        #expect(terminal.types("\n", andSees: "Saved memo 1"))
        #expect(waiting.finish(within: 20).status == 0)
        let other = try PseudoTerminal()
        waiting = try rig.start(["record", "-D", "mic", "--at", "23:00", "--json"], on: other, showing: true)
        #expect(other.waits(for: "q gives up") != nil)
        #expect(other.types("q", andSees: "tomorrow: Recording was given up"))
        let ended = waiting.finish(within: 20)
        #expect(ended.status == 1)
        #expect(Rig.object(ended.output)["memo"] is NSNull)
        #expect(other.settings == before && terminal.settings == before)
    }

    @Test func nobodyIsAskedInTheBackground() throws {
        let shell = try rig.startShell(
            "$TOMORROW record -D mic -d 1 & wait $!; echo \"over $?\" >&2", on: terminal)
        let shown = try #require(terminal.waits(for: "over 0"))
        // Nor is anything drawn there, where something else may be on the screen.
        #expect(!shown.contains("●") && !shown.contains("Enter keep"))
        _ = shell.finish()
        #expect(try rig.memos("--all").count == 1)
    }

    @Test func aTerminalThatForbidsWritingFromTheBackgroundStopsNothing() throws {
        let shell = try rig.startShell(
            "stty tostop; $TOMORROW record -D mic & read line; $TOMORROW stop; wait $!; echo \"over $?\" >&2",
            on: terminal)
        #expect(terminal.waits(for: "Recording from mic") != nil)
        #expect(terminal.types("\n", andSees: "over 0"))
        _ = shell.finish()
        #expect(try rig.memos("--all").count == 1)
    }

    @Test func controlZLetsGoOfTheMicrophone() throws {
        let shell = try rig.startShell(
            "$TOMORROW record -D mic -y --json; ls -l /proc/$(pgrep -n -x tomorrow)/fd >&2; "
                + "echo 'it stopped' >&2; read line; fg; echo over >&2", on: terminal)
        #expect(terminal.waits(for: Place.record.hint) != nil)
        #expect(terminal.types("\u{1a}", andSees: "it stopped"))
        let shown = try #require(terminal.waits(for: "it stopped"))
        #expect(shown.contains("Paused; the microphone is free.") && !shown.contains("mic.raw"))
        #expect(terminal.types("\n", andSees: "space pause"))
        #expect(terminal.types("q", andSees: "over"))
        _ = shell.finish()
        #expect(try rig.memos("--all").first?["gap_seconds"] as? Double == 0)
    }

    @Test func nohupKeepsATakeGoingWhenTheTerminalIsClosed() throws {
        var window: PseudoTerminal? = try PseudoTerminal()
        let recording = try rig.start(
            ["record", "-D", "mic"], on: try #require(window), ignoring: [SIGHUP])
        #expect(recording.waits(for: "Recording from mic"))
        window = nil
        #expect(!recording.ends(within: 1))
        #expect(try rig.run("stop").status == 0)
        #expect(recording.finish(within: 20).status == 0)
        #expect(try rig.memos("--all").count == 1)
    }

    @Test func aTerminalThatTakesNothingHoldsNothingUp() throws {
        // Nobody looks at what is shown, and after a few seconds no more fits in between.
        let rig = try FaultyCardRig("rate 48000")
        rig.environment["TERM"] = "xterm"
        let recording = try rig.start(["record", "-D", "mic"], on: terminal, showing: true)
        #expect(!recording.ends(within: 10))
        #expect(try rig.run("stop").status == 0)
        #expect(recording.finish(within: 20).status == 0)
        #expect(try rig.memos("--all").first?["duration_seconds"] as? Double ?? 0 > 9)
    }

    @Test func aTerminalThatIsClosedEndsTheTake() throws {
        var window: PseudoTerminal? = try PseudoTerminal()
        let recording = try rig.start(["record", "-D", "mic"], on: try #require(window))
        #expect(recording.waits(for: "Recording from mic"))
        window = nil
        #expect(recording.finish(within: 20).status == 0)
        #expect(try rig.memos("--all").first?["interrupted"] as? Bool == false)
    }

    @Test func aTerminalInWhoseBackgroundItRunsIsLeftAlone() throws {
        let shell = try rig.startShell(
            "$TOMORROW record -D mic & echo started >&2; read line; kill -TERM $!; wait $!; echo \"over $?\" >&2",
            on: terminal)
        #expect(terminal.waits(for: "Recording from mic") != nil)
        #expect(terminal.settings == before)
        #expect(terminal.types("\n", andSees: "over 0"))
        #expect(terminal.settings == before)
        _ = shell.finish()
    }

    private func start(_ place: Place, _ options: String...) throws -> Child {
        // With --yes there is no review, so it is the take that is ended there.
        let isReviewed = place == .review
        let recording = try rig.start(
            ["record", "-D", "mic"] + (isReviewed ? ["-d", "1"] : options), on: terminal, showing: true)
        try #require(terminal.waits(for: place.hint) != nil)
        return recording
    }
}
