import Foundation
import TestSupport
import Testing

/// How playing ends, and where it goes on the next time.
@Suite(.serialized) struct PlayEndsRealTimeTests {
    typealias Listener = PlayKeysRealTimeTests.Listener
    private static let second = PlayKeysRealTimeTests.second
    private static let nextDay = PlayTests.nextDay

    /// A machine with counting memos of so many frames.
    private func rig(_ lengths: Int..., speaker: String = "") throws -> SpeakerRig {
        let rig = try SpeakerRig(counting: 70 * Self.second, speaker: speaker)
        for frames in lengths {
            try PlayTests.record(rig, frames: frames, rate: Self.second, "-b", "24", "-f", "wav")
        }
        return rig
    }

    private func position(_ rig: Rig) throws -> Int? {
        let database = rig.folder.file("store/memos.db")
        return Int(
            try rig.tool("sqlite3", database, "SELECT position FROM memos WHERE id = 1").output.dropLast())
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
    func aSignalKeepsThePlaceAndIsDiedOf(signal: Int32) throws {
        let listener = try Listener()
        let before = try PseudoTerminal().settings
        _ = try listener.jump("2")
        if signal == SIGINT { listener.terminal.type("\u{3}") } else { listener.playing.send(signal) }
        #expect(listener.playing.ends(within: 2))
        #expect(listener.playing.finish().signal == signal)
        #expect(listener.terminal.settings == before)
        #expect(try listener.position() == listener.rig.stretches.last?.upperBound)
    }

    @Test func aKillLosesTwoSecondsOfThePlaceAtMost() throws {
        let rig = try rig(30 * Self.second)
        let isWithinBound = try inOneRunOfThree {
            rig.forget()
            let playing = try rig.start(["play", "-D", "speaker", "--restart"], at: Self.nextDay)
            try #require(rig.waits { rig.heardBytes / 4 > 3 * Self.second })
            playing.send(SIGKILL)
            _ = playing.finish()
            let heard = try #require(rig.stretches.last?.upperBound)
            let kept = try #require(try position(rig))
            #expect(kept > 0 && kept <= heard)
            return kept >= heard - 23 * Self.second / 10
        }
        #expect(isWithinBound)
        let kept = try #require(try position(rig))
        // The next time it goes on there, and with --restart at the start.
        for (option, start) in [([], kept), (["--restart"], 0)] as [([String], Int)] {
            rig.forget()
            let again = try rig.start(["play", "-D", "speaker"] + option, at: Self.nextDay)
            try #require(rig.waits { rig.heardBytes / 4 > Self.second / 4 })
            again.send(SIGTERM)
            let ended = again.finish()
            #expect(rig.stretches.first?.lowerBound == start)
            #expect(ended.notes.contains(" from 0:0") == option.isEmpty, "\(ended.notes)")
        }
    }

    @Test func whatWasHeardToItsEndIsHeardAndNotPlayedAgain() throws {
        let rig = try rig(20 * Self.second, Self.second)
        #expect(try rig.run("play", "1", "-D", "speaker", "--to", "0.3", at: Self.nextDay).status == 0)
        var memo = try #require(try rig.memos(at: Self.nextDay).first)
        #expect(memo["heard_at"] is NSNull && memo["position_seconds"] as? Double == 0.3)
        rig.forget()
        #expect(try rig.run("play", "1", "-D", "speaker", "--from", "19.5", at: Self.nextDay).status == 0)
        #expect(rig.stretches == [19 * Self.second + Self.second / 2..<20 * Self.second])
        memo = try #require(try rig.memos(at: Self.nextDay).first)
        #expect(memo["heard_at"] is String && memo["position_seconds"] is NSNull)
        rig.forget()
        #expect(try rig.run("play", "-D", "speaker", at: Self.nextDay).status == 0)
        #expect(rig.stretches == [0..<Self.second])
    }

    @Test func aMemoThatIsDeletedPlaysToTheEndOfItsPass() throws {
        let rig = try rig(Self.second)
        let playing = try rig.start(["play", "-D", "speaker", "--loop", "0"], at: Self.nextDay)
        try #require(rig.waits { rig.heardBytes / 4 > Self.second / 4 })
        #expect(try rig.run("delete", "1", "-y", at: Self.nextDay).status == 0)
        #expect(rig.folder.names(in: "store/audio").isEmpty)
        let ended = playing.finish(within: 20)
        #expect(ended.status == 0, "\(ended.notes)")
        // The pass in which it was, however late that was on a busy machine.
        #expect(rig.stretches.allSatisfy { $0 == 0..<Self.second } && rig.stretches.count < 4)
        #expect(try rig.memos("--all", at: Self.nextDay).isEmpty)
    }

    @Test func aMemoWhoseTimeEndsPlaysToTheEndOfItsPassAndTheNextIsSkipped() throws {
        let rig = try rig(3 * Self.second / 2, Self.second)
        let late = Rig.Clock("2026-12-01 23:59:58")
        let began = Date()
        let playing = try rig.start(["play", "1", "2", "-D", "speaker", "--loop", "0"], at: late)
        let ended = playing.finish(within: 20)
        #expect(ended.status == 0)
        #expect(Date().timeIntervalSince(began) > 2)
        #expect(rig.stretches.allSatisfy { $0 == 0..<3 * Self.second / 2 })
        #expect(rig.stretches.count >= 1)
        #expect(ended.notes.contains("Playing memo 1") && !ended.notes.contains("memo 2"))
    }

    @Test func controlZFallsSilentAndFgGoesOn() throws {
        let rig = try rig(60 * Self.second)
        rig.environment["TERM"] = "xterm"
        rig.environment["FAKETIME"] = "@\(Self.nextDay.seconds)"
        for (key, value) in rig.environment(at: Self.nextDay) { rig.environment[key] = value }
        let preload = rig.environment.removeValue(forKey: "LD_PRELOAD") ?? ""
        let terminal = try PseudoTerminal()
        let before = terminal.settings
        let shell = try rig.startShell(
            "LD_PRELOAD=\(preload) $TOMORROW play -D speaker; echo 'it stopped' >&2; read line; fg; echo over >&2",
            on: terminal)
        #expect(terminal.waits(for: "q stop") != nil)
        try #require(rig.waits { rig.heardBytes / 4 > Self.second / 4 })
        let single = terminal.settings
        #expect(terminal.types("\u{1a}", andSees: "it stopped"))
        #expect(terminal.settings == before)
        let silent = rig.heardBytes
        _ = shell.ends(within: 1)
        #expect(rig.heardBytes == silent)
        #expect(terminal.types("\n", andSees: "q stop"))
        #expect(rig.waits { rig.heardBytes > silent + Self.second })
        #expect(terminal.settings == single)
        #expect(rig.stretches.map(\.lowerBound) == [0])
        #expect(terminal.types("q", andSees: "over"))
        #expect(terminal.settings == before)
        _ = shell.finish(within: 20)
    }

    @Test(arguments: ["tomorrow", "player"], ["TRAP", "OVERFLOW"])
    func aCrashGivesTheTerminalBack(thread: String, trouble: String) throws {
        let rig = try rig(60 * Self.second)
        rig.environment["TERM"] = "xterm"
        let clock = rig.environment(at: Self.nextDay)
        rig.prepare(trouble: trouble, thread: thread)
        for name in clock.keys where name != "LD_PRELOAD" { rig.environment[name] = clock[name] }
        rig.environment["LD_PRELOAD"] =
            (rig.environment["LD_PRELOAD"] ?? "") + ":" + (clock["LD_PRELOAD"] ?? "")
        let terminal = try PseudoTerminal()
        let before = terminal.settings
        let playing = try rig.start(["play", "-D", "speaker"], on: terminal, showing: true)
        #expect(terminal.waits(for: "q stop") != nil)
        #expect(terminal.settings != before)
        try rig.comes(trouble)
        #expect(playing.finish(within: 20).signal == (trouble == "TRAP" ? SIGILL : SIGSEGV))
        #expect(terminal.settings == before)
    }
}
