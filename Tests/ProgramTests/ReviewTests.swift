import Foundation
import TestSupport
import Testing

/// What a person does with a take right after it.
@Suite struct ReviewTests {
    private let rig: FileRig
    private let terminal: PseudoTerminal

    /// A second of silence, one of noise, and silence again.
    init() throws {
        let second = Data(count: 96_000)
        rig = try FileRig(microphone: second + Noise.bits16(frames: 48_000) + second + second + second)
        rig.environment["TERM"] = "xterm"
        terminal = try PseudoTerminal()
    }

    private func record(_ options: String..., at clock: Rig.Clock? = nil) throws -> Child {
        let recording = try rig.start(
            ["record", "-D", "mic", "-d", "3"] + options, on: terminal, showing: true, at: clock)
        try #require(terminal.waits(for: "6 imagination") != nil)
        return recording
    }

    private var memo: [String: Any]? { try? rig.memos("--all").first }

    @Test func titleAndCategoryAreGiven() throws {
        let recording = try record("-t", "working title", "--json")
        #expect(terminal.types("t", andSees: "Title: working title"))
        #expect(terminal.types("\u{15}\u{1b}[D  The real on", andSees: "Title:   The real on"))
        #expect(terminal.types("é\u{7f}e \nq", andSees: "“The real one”"))
        #expect(terminal.types("4", andSees: "fun"))
        #expect(memo?["title"] as? String == "The real one")
        #expect(memo?["category"] as? String == "fun")
        #expect(terminal.types("0", andSees: "no category"))
        // Enter, Escape and Ctrl-C leave it as it is; an empty line takes it away.
        for (typed, end) in [("", "\n"), ("no", "\u{1b}"), ("no", "\u{3}")] {
            #expect(terminal.types("t" + typed, andSees: "Title: The real one" + typed))
            #expect(terminal.types(end, andSees: "“The real one”"))
        }
        #expect(terminal.types("t", andSees: "Title: The real one"))
        #expect(terminal.types("\u{15}  \n", andSees: "no title"))
        #expect(terminal.types("tThe real one\n", andSees: "“The real one”"))
        #expect(terminal.types("k", andSees: "Kept memo 1 “The real one”, 0:03."))
        let ended = recording.finish()
        #expect(ended.status == 0)
        // What is printed is the memo as it was left.
        let printed = Rig.object(ended.output)["memo"] as? [String: Any]
        #expect(printed?["title"] as? String == "The real one")
        #expect(printed?["category"] is NSNull)
        let left = rig.folder.contents().reduce(Data()) { $0 + $1.data }
        #expect(left.range(of: Data("working title".utf8)) == nil)
    }

    @Test func silenceAtBothEndsIsLeftOutWhenItIsPlayed() throws {
        let today = Rig.Clock("2026-11-30 09:00:00")
        let recording = try record(at: today)
        let file = rig.folder.file("store/audio/" + rig.folder.names(in: "store/audio")[0])
        let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
        #expect(terminal.types("x", andSees: "without the silence"))
        terminal.type("\n")
        #expect(recording.finish().status == 0)
        // Nothing is rewritten.
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == bytes)

        let tomorrow = today.adding(seconds: 86_400)
        let seconds = try rig.memos(at: tomorrow).first?["duration_seconds"] as? Double ?? 0
        #expect(abs(seconds - 1.4) < 0.06)
        #expect(try rig.run("play", "1", "-D", "speaker", at: tomorrow).status == 0)
        let played = rig.takePlayed()
        let said = Noise.bits16(frames: 48_000)
        let place = try #require(played.range(of: said[..<96_000]))
        // A moment of silence stays before the first word.
        #expect(abs(place.lowerBound / 2 - 9_600) <= 2_400)
        #expect(try rig.run("show", "1", at: tomorrow).output.contains("Trim      silence at the ends"))
        #expect(try rig.memos(at: tomorrow).first?["heard_at"] is String)
    }

    @Test func theTrimIsTakenBack() throws {
        let recording = try record()
        #expect(terminal.types("x", andSees: "without the silence"))
        #expect(terminal.types("x", andSees: "0:03 ·"))
        terminal.type("\n")
        #expect(recording.finish().status == 0)
        #expect(memo?["duration_seconds"] as? Double == 3)
    }

    @Test func itCanBeHeardAtOnce() throws {
        try rig.configure("playback-device = speaker\n")
        let recording = try record()
        terminal.type(" ")
        // The speaker is a file and takes it in no time.
        let deadline = Date().addingTimeInterval(30)
        while rig.played < 288_000, Date() < deadline { usleep(10_000) }
        #expect(rig.played >= 288_000)
        terminal.type("\n\n")
        #expect(recording.finish().status == 0)
        // It counts as heard only from tomorrow on.
        #expect(memo?["heard_at"] is NSNull)
    }

    @Test func againThrowsItAwayAndRecordsAnother() throws {
        let recording = try record("-t", "first")
        #expect(terminal.types("t", andSees: "Title: first"))
        #expect(terminal.types("\u{15}third time lucky\n", andSees: "“third time lucky”"))
        #expect(terminal.types("2", andSees: "presence\u{1b}"))
        for number in 2...3 {
            #expect(terminal.types("a", andSees: "Throw it away and record again?"))
            usleep(200_000)
            #expect(terminal.types("y", andSees: "Saved memo \(number)"))
            #expect(terminal.waits(for: "6 imagination") != nil)
        }
        terminal.type("\n")
        #expect(recording.finish().status == 0)
        #expect(try rig.memos("--all").compactMap { $0["id"] as? Int } == [3])
        #expect(memo?["title"] as? String == "third time lucky" && memo?["category"] as? String == "presence")
        #expect(rig.folder.names(in: "store/audio").count == 1)
    }

    @Test(arguments: ["d", "\u{1b}"])
    func throwingAwayIsADeletion(key: String) throws {
        let recording = try record("--json")
        #expect(terminal.types(key, andSees: "Throw it away?"))
        usleep(200_000)
        #expect(terminal.types("n", andSees: "Enter keep"))
        #expect(memo != nil)
        #expect(terminal.types(key, andSees: "Throw it away?"))
        usleep(200_000)
        #expect(terminal.types("y", andSees: "Thrown away."))
        let ended = recording.finish()
        #expect(ended.status == 1)
        #expect(Rig.object(ended.output)["memo"] is NSNull)
        #expect(rig.folder.names(in: "store/audio").isEmpty)
    }

    @Test func aMemoThatIsGoneMeanwhileIsNotSaidToBeKept() throws {
        let recording = try record("--json")
        #expect(try rig.run("delete", "1", "-y").status == 0)
        #expect(terminal.types("2", andSees: "It is gone."))
        #expect(terminal.types("\n", andSees: "cannot keep memo 1: it was deleted meanwhile"))
        let ended = recording.finish(within: 20)
        #expect(ended.status == 3)
        #expect(Rig.object(ended.output)["memo"] is NSNull)
    }

    @Test func aDatabaseThatIsLostMeanwhileLosesNothing() throws {
        let recording = try record("--json")
        try FileManager.default.removeItem(atPath: rig.folder.file("store/memos.db"))
        #expect(terminal.types("t", andSees: "Title: "))
        #expect(terminal.types("still here\n", andSees: "“still here”"))
        terminal.type("\n")
        let ended = recording.finish(within: 20)
        #expect(ended.status == 0)
        #expect((Rig.object(ended.output)["memo"] as? [String: Any])?["title"] as? String == "still here")
        #expect(memo?["title"] as? String == "still here")
    }

    @Test func whatIsPastedThrowsNothingAway() throws {
        let recording = try record()
        for text in ["Dear me, always play the day away", "play all day y y y", "day\nday\n"] {
            terminal.type(text)
            usleep(300_000)
            if recording.ends(within: 0) { break }
        }
        terminal.type("n\n")
        usleep(300_000)
        terminal.type("\n")
        #expect(recording.finish(within: 20).status == 0)
        #expect(try rig.memos("--all").compactMap { $0["id"] as? Int } == [1])
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
    func aSignalKeepsTheMemo(signal: Int32) throws {
        let before = terminal.settings
        let recording = try record()
        recording.send(signal)
        #expect(recording.finish(within: 20).status == 0)
        #expect(terminal.settings == before)
        #expect(try rig.memos("--all").count == 1)
    }

    @Test func anEndWhileTheTitleIsTypedKeepsTheMemo() throws {
        let before = terminal.settings
        let recording = try record()
        #expect(terminal.types("t", andSees: "Title: "))
        #expect(terminal.types("half a ti", andSees: "half a ti"))
        recording.send(SIGTERM)
        #expect(recording.finish(within: 20).status == 0)
        #expect(terminal.settings == before)
        #expect(memo?["title"] is NSNull)
    }

    @Test func onADumbTerminalTheTitleIsTypedToo() throws {
        rig.environment["TERM"] = "dumb"
        let recording = try record("-t", "old")
        #expect(terminal.types("t", andSees: "Title: old"))
        #expect(terminal.types("er ", andSees: "er"))
        #expect(terminal.types("\u{7f}\u{7f}", andSees: "Title: olde"))
        terminal.type("\nq")
        usleep(200_000)
        terminal.type("q")
        #expect(recording.finish(within: 20).status == 0)
        #expect(memo?["title"] as? String == "olde")
    }

    /// Each of them ends the review, or asks something, when nothing plays.
    @Test(arguments: ["q", "\u{4}", "\u{1b}", "d", "t", "3"])
    func theKeyThatStopsThePlaybackDoesNothingElse(key: String) throws {
        let paced = try SpeakerRig(microphone: Noise.bits16(frames: 480_000))
        paced.environment["TERM"] = "xterm"
        try paced.configure("playback-device = speaker\n")
        let recording = try paced.start(["record", "-D", "mic", "-d", "3"], on: terminal, showing: true)
        try #require(terminal.waits(for: "6 imagination") != nil)
        #expect(terminal.types(" ", andSees: "any key stops"))
        #expect(terminal.types(key, andSees: "Enter keep"))
        terminal.type("\n")
        #expect(recording.finish(within: 20).status == 0)
        let memo = try #require(paced.memos("--all").first)
        #expect(memo["category"] is NSNull && memo["title"] is NSNull)
    }

    @Test func nobodyIsAskedAfterYesOrAnEndFromElsewhere() throws {
        let agreed = try rig.start(
            ["record", "-D", "mic", "-d", "1", "-y"], on: terminal, showing: true)
        #expect(agreed.finish(within: 20).status == 0)
        for signal in [SIGTERM, SIGHUP, SIGQUIT] {
            let terminal = try PseudoTerminal()
            let recording = try rig.start(["record", "-D", "mic"], on: terminal, showing: true)
            #expect(terminal.waits(for: "Esc throw away") != nil)
            recording.send(signal)
            #expect(recording.finish(within: 20).status == 0)
        }
        #expect(try rig.memos("--all").count == 4)
    }
}
