import Foundation
import TestSupport
import Testing

/// A sound card that fails. The frames it captures are numbered, so that the take shows what came of each.
@Suite(.serialized) struct FaultyCardRealTimeTests {
    /// Records for two seconds, and gives what the program said and what the take holds.
    private func record(
        _ fault: String, _ options: String...
    ) throws -> (ended: Child.Result, memo: [String: Any], stretches: [(frames: Int, first: Int)]) {
        let rig = try FaultyCardRig(fault)
        let ended = try rig.start(["record", "-D", "mic", "-d", "2", "-f", "wav", "--json"] + options)
            .finish()
        let memo = Rig.object(ended.output)["memo"] as? [String: Any] ?? [:]
        let name = rig.folder.names(in: "store/audio").first
        return (ended, memo, try name.map { try rig.stretches(of: $0) } ?? [])
    }

    @Test func aCardThatWorksGivesEveryFrameOnce() throws {
        let (ended, memo, stretches) = try record("rate 48000")
        #expect(ended.status == 0)
        #expect(stretches.count == 1 && stretches.first?.frames == 96_000)
        #expect(memo["gap_seconds"] as? Double == 0)
        #expect(memo["duration_seconds"] as? Double == 2)
    }

    @Test(arguments: ["overrun", "suspend", "suspended"])
    func whatACardLosesAndReportsIsSilenceOfTheSameLength(fault: String) throws {
        let (ended, memo, stretches) = try record("fault \"\(fault)\" at 500 for 400")
        #expect(ended.status == 0)
        #expect(memo["duration_seconds"] as? Double == 2)
        #expect(ended.notes.contains("mic lost "))
        let gap = memo["gap_seconds"] as? Double ?? 0
        // A card that stays suspended is prepared anew after a second.
        #expect(gap > 0.3 && gap < 1.4, "\(gap)")
        #expect(stretches.count == 3)
        let (before, silence, after) = (stretches[0], stretches[1], stretches[2])
        #expect(before.first == 1 && silence.first == 0)
        #expect(abs(silence.frames - Int(gap * 48_000)) <= 1)
        // The rest stands where it would without the gap, to within a period.
        #expect(abs((before.frames + silence.frames) % 32_767 + 1 - after.first) <= 960)
    }

    @Test func aLossThatNobodyReportsIsFoundByTheClock() throws {
        let rig = try FaultyCardRig("fault \"lost\" at 4000 for 1500")
        let ended = try rig.run("record", "-D", "mic", "-d", "12", "-f", "wav", "--json")
        #expect(ended.status == 0)
        let memo = Rig.object(ended.output)["memo"] as? [String: Any]
        let gap = memo?["gap_seconds"] as? Double ?? 0
        #expect(abs(gap - 1.5) < 0.1)
        let stretches = try rig.stretches(of: rig.folder.names(in: "store/audio")[0])
        // After the silence, everything is in its place again.
        let silence = try #require(stretches.firstIndex { $0.first == 0 })
        let place = stretches[...silence].reduce(0) { $0 + $1.frames }
        #expect(abs(place % 32_767 + 1 - stretches[silence + 1].first) < 4_800)
    }

    @Test(arguments: ["gone", "dead"])
    func aCardThatGoesEndsTheTakeAndKeepsIt(fault: String) throws {
        let (ended, memo, stretches) = try record("fault \"\(fault)\" at 500")
        #expect(ended.status == 5)
        #expect(ended.notes.contains("tomorrow: cannot record from mic: No such device"))
        #expect(stretches.count == 1 && stretches.first?.first == 1)
        let seconds = memo["duration_seconds"] as? Double ?? 0
        #expect(seconds > 0.45 && seconds <= 0.5)
        #expect(ended.notes.split(separator: "\n").count <= 6)
    }

    @Test func aCardThatFallsSilentWithoutAnErrorIsGivenUp() throws {
        let (ended, memo, _) = try record("fault \"stalled\" at 500")
        #expect(ended.status == 5)
        #expect(ended.notes.contains("tomorrow: cannot record from mic: it gives no sound any more"))
        #expect(memo["duration_seconds"] as? Double == 0.5)
    }

    @Test func aCardThatBeginsLateHasNoGap() throws {
        let (ended, memo, stretches) = try record("fault \"late\" for 1500")
        #expect(ended.status == 0)
        #expect(stretches.count == 1)
        #expect(memo["gap_seconds"] as? Double == 0)
    }

    @Test func theLabelIsWhatTheCardGranted() throws {
        let (ended, memo, _) = try record("rate 44100")
        #expect(ended.status == 0)
        #expect(memo["sample_rate"] as? Int == 44_100)
        #expect(memo["duration_seconds"] as? Double == 2)
    }

    @Test func aCardThatHasNoSingleChannelIsMixed() throws {
        let (ended, memo, stretches) = try record("channels 2")
        #expect(ended.status == 0)
        #expect(ended.notes.contains("mic has 2 channels; the take is their mean.\n"))
        #expect(memo["channels"] as? Int == 1)
        #expect(stretches.count == 1 && stretches.first?.frames == 96_000)
        // Whichever of them hears something.
        for channel in 1...2 {
            let (_, memo, _) = try record("channels 2 only \(channel) level 16384")
            #expect(abs((memo["peak_dbfs"] as? Double ?? 0) + 12.04) < 0.01)
        }
        let (stereo, both, _) = try record("channels 2", "--channels", "2")
        #expect(stereo.status == 0)
        #expect(both["channels"] as? Int == 2)
    }

    @Test func aCardWithOtherChannelsIsRefusedWithAdvice() throws {
        let (ended, _, _) = try record("channels 2", "--channels", "4")
        #expect(ended.status == 5)
        #expect(ended.notes.contains("it has 2 channels, not 4\n  --channels 2 records what it has"))
    }

    @Test func whatIsLostBeforeTheEndIsToldToo() throws {
        let rig = try FaultyCardRig("fault \"lost\" at 1000 for 60000")
        let stalled = try FaultyCardRig("fault \"stalled\" at 1000 for 1")
        for rig in [rig, stalled] {
            let recording = try rig.start(["record", "-D", "mic", "-f", "wav", "--json"])
            #expect(recording.waits(for: "Recording"))
            _ = recording.ends(within: 4)
            recording.send(SIGTERM)
            let ended = recording.finish()
            let memo = try #require(Rig.object(ended.output)["memo"] as? [String: Any])
            let gap = memo["gap_seconds"] as? Double ?? 0
            let seconds = memo["duration_seconds"] as? Double ?? 0
            if rig === stalled {
                #expect(gap > 2.5 && gap < 4, "\(gap)")
                #expect(abs(seconds - 1 - gap) < 0.1)
                #expect(ended.notes.contains("mic lost "))
            }
        }
    }

    @Test func aPauseIsNoGap() throws {
        let rig = try FaultyCardRig("rate 48000")
        let terminal = try PseudoTerminal()
        let recording = try rig.start(["record", "-D", "mic", "-f", "wav", "--json"], on: terminal)
        #expect(recording.waits(for: "Recording"))
        _ = recording.ends(within: 1)
        terminal.type(" ")
        #expect(recording.waits(for: "Paused"))
        _ = recording.ends(within: 1)
        terminal.type(" ")
        #expect(recording.waits(for: "Recording goes on."))
        _ = recording.ends(within: 1)
        terminal.type("q")
        let memo = try #require(Rig.object(recording.finish().output)["memo"] as? [String: Any])
        #expect(memo["gap_seconds"] as? Double == 0)
        let seconds = memo["duration_seconds"] as? Double ?? 0
        #expect(seconds > 1.8 && seconds < 2.8, "\(seconds)")
        // The card begins anew when it is opened again: two stretches, and all of both.
        let stretches = try rig.stretches(of: rig.folder.names(in: "store/audio")[0])
        #expect(stretches.map(\.first) == [1, 1])
    }

    @Test func aGapOfMoreThanAMinuteIsASecondAndAMarker() throws {
        let rig = try FaultyCardRig("rate 48000")
        rig.prepare(trouble: "SLEEP")
        let recording = try rig.start(["record", "-D", "mic", "-d", "4", "-f", "wav", "--json"])
        #expect(recording.waits(for: "Recording"))
        _ = recording.ends(within: 1)
        try rig.comes("SLEEP")
        let ended = recording.finish()
        #expect(ended.status == 0)
        let memo = try #require(Rig.object(ended.output)["memo"] as? [String: Any])
        let gap = memo["gap_seconds"] as? Double ?? 0
        #expect(abs(gap - 90) < 0.2, "\(gap)")
        #expect(memo["duration_seconds"] as? Double == 4)
        let markers = try #require(memo["markers"] as? [[String: Any]])
        #expect(markers.map { $0["text"] as? String } == ["00:01:30 of sound missing"])
        let place = markers.first?["position_seconds"] as? Double ?? 0
        #expect(place > 0.9 && place < 1.5)
        let silence = try rig.stretches(of: rig.folder.names(in: "store/audio")[0]).filter { $0.first == 0 }
        #expect(silence.map(\.frames) == [48_000])
    }

    @Test func aTakeThatWasSuspendedFromTheTerminalHasAGap() throws {
        let rig = try FaultyCardRig("rate 48000")
        let recording = try rig.start(["record", "-D", "mic", "-d", "3", "--json"])
        #expect(recording.waits(for: "Recording"))
        recording.send(SIGSTOP)
        _ = recording.ends(within: 1)
        recording.send(SIGCONT)
        let ended = recording.finish()
        let memo = try #require(Rig.object(ended.output)["memo"] as? [String: Any])
        let gap = memo["gap_seconds"] as? Double ?? 0
        #expect(gap > 0.3 && gap < 1.5, "\(gap)")
        #expect(memo["duration_seconds"] as? Double == 3)
    }
}
