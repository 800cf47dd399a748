import Foundation
import TestSupport
import Testing

/// The README's picture of a session is what a terminal shows: the same commands are typed at a shell, while a
/// voice speaks into the microphone. With `TOMORROW_WRITE_SCREENS=1` it prints the session, so that somebody can
/// put it there, and fails.
@Suite struct ReadmeSessionRealTimeTests {
    @Test func theSessionInTheReadmeIsWhatATerminalShows() throws {
        let expected = try Self.settled(Readme.lines(of: "Thirty seconds").joined(separator: "\n"))
        if ProcessInfo.processInfo.environment["TOMORROW_WRITE_SCREENS"] != nil {
            print(try Self.session(seconds: 12))
            Issue.record("the session was printed: look at it")
            return
        }
        // A machine that is shared can lose sound, and says so: what holds in one run of three holds.
        var session = ""
        for _ in 1...3 where session != expected { session = Self.settled(try Self.session(seconds: 3)) }
        #expect(session == expected)
    }

    /// All that is typed and shown, screen by screen.
    ///
    /// - Parameter seconds: how long the take lasts.
    private static func session(seconds: Int) throws -> String {
        let rig = try PulseRig()
        try rig.configureSound(
            """
            pcm.!default {
                type asym
                capture.pcm { type pulse device "mic.monitor" }
                playback.pcm { type pulse device "speaker" }
            }
            """)
        try FileManager.default.createSymbolicLink(
            atPath: rig.folder.file("tomorrow"), withDestinationPath: Rig.program)
        let speech = try speech(in: rig)
        var session: [String] = []
        let evening = Rig.Clock("2026-11-30 18:12:00")
        let today = try shell(rig, at: evening)
        let voice = try rig.speak(speech)
        try today.type("tomorrow record -t \"Begin with the hardest thing\" -c courage", "Enter")
        session.append(try settledScreen(today, showing: "● 0:\(seconds < 10 ? "0" : "")\(seconds)"))
        try today.type("Enter")
        let review = try settledScreen(today, showing: "6 imagination")
        session.append(String(review[review.range(of: "Saved")!.lowerBound...]))
        try today.type("Enter")
        _ = try today.waits(for: "\n$")
        try clear(today)
        try today.type("tomorrow play", "Enter")
        session.append(try settledScreen(today, showing: "opens Tue 2026-12-01 00:00, in 5 h 48 min.\n$"))
        voice.send(SIGTERM)
        _ = voice.finish()

        let morning = try shell(rig, at: evening.adding(seconds: 13 * 3_600 + 36 * 60))
        try morning.type("tomorrow", "Enter")
        session.append(try settledScreen(morning, showing: "They take"))
        try clear(morning)
        try morning.type("tomorrow play", "Enter")
        session.append(try settledScreen(morning, showing: seconds < 10 ? "▶ 0:01" : "▶ 0:07"))
        try morning.type("q")
        return session.joined(separator: "\n")
    }

    /// A shell with a prompt of a dollar, in which a clock reads something.
    private static func shell(_ rig: Rig, at clock: Rig.Clock) throws -> TmuxTerminal {
        let variables = ["PATH=\(rig.folder.path):/usr/bin:/bin", "PS1=$ "]
        let terminal = try TmuxTerminal(
            columns: 80, ["env"] + variables + ["dash"], environment: rig.environment(at: clock))
        _ = try terminal.waits(for: "$")
        return terminal
    }

    /// Has nothing but a prompt on the screen.
    private static func clear(_ terminal: TmuxTerminal) throws {
        try terminal.type("clear", "Enter")
        for _ in 1...200 where try terminal.screen() != "$" { usleep(50_000) }
    }

    /// A screen that shows a text, without the prompt of the next command.
    private static func settledScreen(_ terminal: TmuxTerminal, showing text: String) throws -> String {
        var shown = try terminal.waits(for: text)
        // It can be caught while it is being drawn: what is seen twice is whole.
        while true {
            let again = try terminal.screen()
            if settled(again) == settled(shown) { break }
            shown = again
        }
        return shown.replacing(/\n\$$/, with: "")
    }

    /// Half a minute of a voice, raw.
    private static func speech(in rig: Rig) throws -> String {
        let (spoken, raw) = (rig.folder.file("speech.wav"), rig.folder.file("speech.raw"))
        _ = try rig.tool(
            "espeak-ng", "-s", "150", "-w", spoken,
            """
            Good morning. Begin with the hardest thing, and do it before you read what others want of you. \
            Yesterday you were afraid of a telephone call, and it took four minutes. Today there is a letter to \
            write, and a walk to take, whatever the weather says.
            """)
        let made = try rig.tool(
            "sox", spoken, "-r", "48000", "-b", "16", "-e", "signed", "-t", "raw", raw, "repeat", "3")
        try #require(made.status == 0, "\(made.notes)")
        return raw
    }

    /// A text without what differs from run to run: lengths, levels and shapes.
    private static func settled(_ text: String) -> String {
        text.replacing(/\b\d?\d:\d\d\b/, with: "0:00").replacing(/[▁-█┃ ]*[▁-█┃][▁-█┃ ]*/, with: "  ▄")
            .replacing(/[ ]*▾/, with: "▾").replacing(/[▮▯·│]{9,}/, with: "▮")
            .replacing(/(peak|rms)[ ]+-[0-9]+/) { "\($0.1) -0" }
            .replacing(/take [0-9.]+ [kM]?B/, with: "take 1 kB").replacing("\n\n", with: "\n")
    }
}
