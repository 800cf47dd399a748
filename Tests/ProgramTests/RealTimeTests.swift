import Foundation
import TestSupport
import Testing

/// Where real time is the point: a sound server of its own, one test after the other, and nothing beside
/// them, as a machine that is busy elsewhere would be heard.
@Suite(.serialized) struct RealTimeTests {
    @Test func twentySecondsThroughASoundServerComeBackBitForBit() throws {
        let rate = 48_000
        let said = Noise.bits16(frames: 25 * rate)
        let today = Rig.Clock("2026-11-30 09:00:00")
        let isExact = try inOneRunOfThree {
            let rig = try PulseRig()
            let recording = try rig.start(["record", "-D", "mic", "-d", "22", "-f", "flac"], at: today)
            #expect(recording.waits(for: "Recording from mic"))
            let speaking = try rig.speak(try rig.folder.write("said.raw", said))
            #expect(recording.finish().status == 0)
            speaking.send(SIGTERM)

            let heard = rig.folder.file("heard.raw")
            let listening = try rig.listen(to: heard)
            #expect(try rig.run("play", "-D", "speaker", at: today.adding(seconds: 86_400)).status == 0)
            listening.send(SIGTERM)
            _ = listening.finish()
            let came = try Data(contentsOf: URL(fileURLWithPath: heard))
            // The speech began a moment after the recording; from its first 100 ms on, 20 seconds are the same.
            guard let start = came.range(of: said[9_600..<19_200])?.lowerBound else { return false }
            return came[start..<min(came.count, start + 20 * rate * 2)] == said[9_600..<9_600 + 20 * rate * 2]
        }
        #expect(isExact)
    }

    @Test func nohupKeepsATakeGoingWhenTheTerminalHangsUp() throws {
        let rig = try PulseRig()
        let recording = try rig.start(["record", "-D", "mic", "-d", "2"], ignoring: [SIGHUP])
        #expect(recording.waits(for: "Recording"))
        recording.send(SIGHUP)
        #expect(recording.finish().status == 0)
        #expect(try rig.memos("--waiting").first?["duration_seconds"] as? Double == 2)
    }

    @Test func aKilledTakeLosesAtMostAQuarterOfASecond() throws {
        for format in ["flac", "wav", "opus"] {
            let isWithinBound = try inOneRunOfThree {
                let rig = try PulseRig()
                let recording = try rig.start(["record", "-D", "mic", "-f", format])
                #expect(recording.waits(for: "Recording"))
                let began = Date()
                _ = recording.ends(within: 2)
                let lasted = Date().timeIntervalSince(began)
                recording.send(SIGKILL)
                _ = recording.finish()
                let seconds = try rig.memos("--waiting").first?["duration_seconds"] as? Double ?? 0
                return lasted - seconds < 0.25
            }
            #expect(isWithinBound, "\(format)")
        }
    }

    @Test func controlCInPlayEndsTheProgramByThatSignal() throws {
        let rig = try PulseRig()
        let today = Rig.Clock("2026-11-30 09:00:00")
        #expect(try rig.run("record", "-D", "mic", "-d", "3", at: today).status == 0)
        let playing = try rig.start(["play", "-D", "speaker"], at: today.adding(seconds: 86_400))
        #expect(playing.waits(for: "Playing memo 1"))
        playing.send(SIGINT)
        #expect(playing.ends(within: 2))
        #expect(playing.finish().signal == SIGINT)
        #expect(try rig.memos(at: today.adding(seconds: 86_400)).first?["heard_at"] is NSNull)
    }

    @Test func aMemoOfAFifthOfASecondIsHeardWhole() throws {
        let rig = try PulseRig()
        let said = Noise.bits16(frames: 9_600)
        let microphone = try FileRig(microphone: said + Data(count: 96_000))
        microphone.environment["TOMORROW_STORE"] = rig.environment["TOMORROW_STORE"]
        let today = Rig.Clock("2026-11-30 09:00:00")
        #expect(try microphone.run("record", "-D", "mic", "-d", "0.2", at: today).status == 0)
        let isWhole = try inOneRunOfThree {
            let heard = rig.folder.file("heard.raw")
            let listening = try rig.listen(to: heard)
            #expect(try rig.run("play", "1", "-D", "speaker", at: today.adding(seconds: 86_400)).status == 0)
            // What left the program last is with the listener a moment later.
            _ = listening.ends(within: 1)
            listening.send(SIGTERM)
            _ = listening.finish()
            return try Data(contentsOf: URL(fileURLWithPath: heard)).range(of: said) != nil
        }
        #expect(isWhole)
    }

    @Test func aSoundServerThatIsKilledEndsTheTakeAndKeepsIt() throws {
        let rig = try PulseRig()
        let recording = try rig.start(["record", "-D", "mic", "--json"])
        #expect(recording.waits(for: "Recording"))
        _ = recording.ends(within: 1)
        rig.server.send(SIGKILL)
        #expect(recording.ends(within: 5))
        let ended = recording.finish()
        #expect(ended.status == 5)
        #expect(ended.notes.contains("tomorrow: cannot record from mic: "))
        let memo = try #require(Rig.object(ended.output)["memo"] as? [String: Any])
        #expect(memo["duration_seconds"] as? Double ?? 0 > 0.5)
        #expect(memo["state"] as? String == "waiting")
    }

    @Test func aSoundServerThatHangsDoesNotHoldTheTakeBack() throws {
        let rig = try PulseRig()
        let recording = try rig.start(["record", "-D", "mic", "--json"])
        #expect(recording.waits(for: "Recording"))
        _ = recording.ends(within: 1)
        rig.server.send(SIGSTOP)
        recording.send(SIGTERM)
        #expect(recording.ends(within: 10))
        let ended = recording.finish()
        #expect(ended.status == 0 || ended.status == 5)
        let memo = try #require(Rig.object(ended.output)["memo"] as? [String: Any])
        #expect(memo["duration_seconds"] as? Double ?? 0 > 0.5)

        // Nor anybody who only asks.
        let listing = try rig.start(["devices"])
        #expect(listing.ends(within: 10))
        #expect(listing.finish().status == 5)

        // One that hangs already is given up on when the person does.
        let waiting = try rig.start(["record", "-D", "mic"])
        #expect(!waiting.ends(within: 1))
        waiting.send(SIGINT)
        #expect(waiting.ends(within: 10))
        #expect(waiting.finish().status == 5)
        rig.server.send(SIGCONT)
    }

    @Test func devicesAreListedWithTheirVolumeAndMute() throws {
        let rig = try PulseRig()
        try rig.configure("capture-device = mic\n")
        #expect(try rig.tool("pactl", "set-source-volume", "mic.monitor", "42%").status == 0)
        let listed = try rig.run("devices")
        #expect(listed.status == 0 && listed.notes.isEmpty)
        #expect(listed.output.contains("mic\n    A microphone\n    records by default, "))
        #expect(listed.output.contains("capture volume 42 %, not muted"))

        #expect(try rig.tool("pactl", "set-source-mute", "mic.monitor", "1").status == 0)
        let object = Rig.object(try rig.run("devices", "--json").output)
        let devices = try #require(object["devices"] as? [[String: Any]])
        let microphone = try #require(devices.first { $0["name"] as? String == "mic" })
        #expect(
            Set(microphone.keys) == [
                "name", "description", "default_capture", "default_playback", "capture", "playback",
                "capture_volume_percent", "capture_muted",
            ])
        #expect(microphone["default_capture"] as? Bool == true)
        #expect(microphone["capture_volume_percent"] as? Int == 42)
        #expect(microphone["capture_muted"] as? Bool == true)
        let range = try #require(microphone["capture"] as? [String: Any])
        #expect(Set(range.keys) == ["rate_min", "rate_max", "channels_min", "channels_max"])

        // Who records from it hears at once what is the matter, and not only after an hour.
        let recording = try rig.start(["record"])
        #expect(recording.waits(for: "So far it is silent: mic gave no sound above −60 dBFS.\n"))
        #expect(recording.waits(for: "Its mixer says: capture volume 42 %, muted."))
        recording.send(SIGTERM)
        let recorded = recording.finish()
        #expect(recorded.notes.contains("It is silent: mic gave no sound above −60 dBFS.\n"))
        #expect(recorded.notes.contains("Its mixer says: capture volume 42 %, muted."))
    }
}
