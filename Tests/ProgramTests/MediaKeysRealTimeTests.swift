import Foundation
import Linux
import TestSupport
import Testing

/// Memos that play in real time and what others on the session bus can do with them (playerctl). One test
/// after the other, with nothing beside them.
@Suite(.serialized) struct MediaKeysRealTimeTests {
    private let rig: PulseRig
    private let bus: BusRig
    private let today = Rig.Clock("2026-11-30 09:00:00")
    private var tomorrow: Rig.Clock { today.adding(seconds: 86_400) }

    init() throws {
        rig = try PulseRig()
        bus = try BusRig()
        rig.environment["DBUS_SESSION_BUS_ADDRESS"] = bus.address
    }

    /// A memo of yesterday, by a microphone without a pace.
    private func record(_ title: String, seconds: Int, said: Data? = nil) throws {
        let microphone = try FileRig(
            microphone: said ?? Noise.bits16(frames: (seconds + 1) * 48_000))
        microphone.environment["TOMORROW_STORE"] = rig.environment["TOMORROW_STORE"]
        let recorded = try microphone.run(
            "record", "-D", "mic", "-d", "\(seconds)", "-t", title, "-c", "focus", at: today)
        #expect(recorded.status == 0)
    }

    /// Starts `play` and waits until playerctl finds it.
    private func play(_ options: String...) throws -> Child {
        let playing = try rig.start(["play", "-D", "speaker"] + options, at: tomorrow)
        #expect(playing.waits(for: "Playing memo"))
        #expect(try waits { try control("status") == "Playing" })
        return playing
    }

    private func control(_ arguments: String...) throws -> String {
        let result = try Child(["playerctl"] + arguments, environment: rig.environment).finish(within: 10)
        return result.output.trimmingCharacters(in: .newlines)
    }

    private func position() throws -> Double { Double(try control("position")) ?? -1 }

    /// Whether something comes true within five seconds.
    private func waits(for condition: () throws -> Bool) rethrows -> Bool {
        let deadline = MonotonicClock.milliseconds + 5_000
        while MonotonicClock.milliseconds < deadline {
            if try condition() { return true }
            _ = waitForReading([], milliseconds: 10)
        }
        return false
    }

    @Test func playerctlSeesAndDoesWhatThePersonCan() throws {
        try record("First thing", seconds: 60)
        try record("And then", seconds: 60)
        let playing = try play()
        #expect(try control("--list-all") == "tomorrow.instance\(playing.pid)")
        #expect(try control("metadata", "title") == "First thing")
        #expect(try control("metadata", "xesam:genre") == "focus")
        #expect(try control("metadata", "mpris:length") == "60000000")
        #expect(try control("metadata", "mpris:trackid") == "'/tomorrow/0/memo/1'")
        #expect(try control("metadata", "xesam:contentCreated").hasPrefix("2026-11-30T09:00:0"))

        #expect(try control("position", "30") == "")
        #expect(try waits { (30..<35).contains(try position()) })
        _ = try control("position", "20-")
        #expect(try waits { (10..<18).contains(try position()) })
        _ = try control("position", "20+")
        #expect(try waits { (30..<40).contains(try position()) })

        _ = try control("pause")
        #expect(try waits { try control("status") == "Paused" })
        let paused = try position()
        _ = waitForReading([], milliseconds: 200)
        #expect(try position() == paused)
        for command in ["play-pause", "play-pause", "play-pause", "play"] { _ = try control(command) }
        #expect(try waits { try control("status") == "Playing" })
        #expect(try waits { try position() > paused })

        _ = try control("volume", "1.5")
        #expect(try control("volume") == "1.500000")
        _ = try control("volume", "7")
        #expect(try control("volume") == "2.000000")
        _ = try control("loop", "Track")
        #expect(try control("loop") == "Track")

        _ = try control("next")
        #expect(try waits { try control("metadata", "title") == "And then" })
        _ = try control("previous")
        #expect(try waits { try control("metadata", "title") == "First thing" })
        _ = try control("position", "30")
        #expect(try waits { try position() >= 30 })
        _ = try control("stop")
        #expect(playing.ends(within: 5))
        #expect(playing.finish().status == 0)
        #expect(try control("--list-all") == "")
        // Where it was broken off is kept, as with the key.
        #expect(try rig.memos(at: tomorrow).first?["position_seconds"] as? Double ?? 0 > 25)
    }

    @Test func whoFollowsIsToldOfWhatChangesAndOfNothingElse() throws {
        try record("One", seconds: 30)
        try record("Two", seconds: 30)
        let playing = try play()
        let follower = try Child(
            ["playerctl", "--follow", "metadata", "--format", "{{status}} {{title}} {{volume}}"],
            environment: rig.environment)
        let monitor = try bus.busctl([
            "monitor", "--match=type='signal',path='/org/mpris/MediaPlayer2'", "--json=short",
        ])
        #expect(monitor.waits(for: "Monitoring"))
        // Ordinary progress is none of it.
        _ = waitForReading([], milliseconds: 1_000)
        _ = try control("position", "10")
        _ = waitForReading([], milliseconds: 300)
        _ = try control("volume", "0.5")
        _ = try control("volume", "0.5")
        _ = try control("next")
        #expect(try waits { try control("metadata", "title") == "Two" })
        playing.send(SIGINT)
        #expect(playing.finish().signal == SIGINT)
        for child in [follower, monitor] { child.send(SIGTERM) }
        let followed = follower.finish().output.split(separator: "\n").map(String.init)
        #expect(followed == ["Playing One 1.0", "Playing One 0.5", "Playing Two 0.5"])
        let said = monitor.finish().output.split(separator: "\n").map { Rig.object(String($0)) }
        let members = said.map { $0["member"] as? String ?? "" }
        #expect(members == ["Seeked", "PropertiesChanged", "PropertiesChanged"])
        let changed = said.map { signal -> Set<String> in
            let data = (signal["payload"] as? [String: Any])?["data"] as? [Any]
            return Set(((data?.dropFirst().first as? [String: Any]) ?? [:]).keys)
        }
        #expect(changed == [[], ["Volume"], ["Metadata", "CanGoNext", "CanGoPrevious"]])
    }

    /// What happens on the bus while a memo plays.
    enum Trouble: CaseIterable {
        case hangs, dies, tenThousandCalls
    }

    @Test(arguments: Trouble.allCases)
    func nothingOnTheBusDisturbsTheSound(trouble: Trouble) throws {
        let said = Noise.bits16(frames: 5 * 48_000)
        try record("Whole", seconds: 4, said: said)
        var bus = bus
        let isWhole = try inOneRunOfThree {
            let heard = rig.folder.file("heard.raw")
            let listening = try rig.listen(to: heard)
            let playing = try play("1", "--restart")
            let start = MonotonicClock.milliseconds
            switch trouble {
            case .hangs: bus.bus.send(SIGSTOP)
            case .dies: bus.bus.send(SIGKILL)
            case .tenThousandCalls: #expect(try bus.start(Self.burst).finish(within: 30).status == 0)
            }
            #expect(playing.ends(within: 10))
            #expect(MonotonicClock.milliseconds - start < 6_000)
            let played = playing.finish()
            #expect(played.status == 0)
            #expect(played.notes.split(separator: "\n").count == 1, "\(played.notes)")
            _ = listening.ends(within: 1)
            listening.send(SIGTERM)
            _ = listening.finish()
            bus.bus.send(SIGCONT)
            if trouble == .dies {
                bus = try BusRig()
                rig.environment["DBUS_SESSION_BUS_ADDRESS"] = bus.address
            }
            let came = try Data(contentsOf: URL(fileURLWithPath: heard))
            return came.range(of: said.prefix(4 * 48_000 * 2)) != nil
        }
        #expect(isWhole)
    }

    @Test func tenThousandJumpsAreOverAMomentLater() throws {
        try record("Long", seconds: 60)
        let playing = try play("--from", "20")
        let burst = try bus.start(Self.burst, "jumps")
        #expect(burst.finish(within: 30).status == 0)
        let place = try position()
        #expect(try waits { try position() > place + 0.3 })
        #expect(try control("status") == "Playing")
        _ = try control("stop")
        #expect(playing.finish(within: 5).status == 0)
    }

    @Test func aBusThatDoesNotAnswerIsNotWaitedFor() throws {
        try record("Short", seconds: 1)
        bus.bus.send(SIGSTOP)
        let start = MonotonicClock.milliseconds
        let played = try rig.run("play", "-D", "speaker", at: tomorrow)
        #expect(MonotonicClock.milliseconds - start < 4_000)
        #expect(played.status == 0 && played.notes.split(separator: "\n").count == 1, "\(played.notes)")
        bus.bus.send(SIGCONT)
    }

    @Test func theMachineStaysAwakeWhileItWaitsAndRecordsAndNoLonger() throws {
        let login = try bus.giveSleepLocks()
        rig.environment["DBUS_SYSTEM_BUS_ADDRESS"] = bus.address
        let asked = "sleep:idle|tomorrow|Recording a memo|block"
        let recording = try rig.start(["record", "-D", "mic", "-d", "1"])
        #expect(bus.waitsForLocks([asked]))
        #expect(recording.finish().status == 0)
        #expect(bus.waitsForLocks([asked, "released"]))

        let waiting = try rig.start(["record", "-D", "mic", "--at", "08:59"], at: today)
        #expect(waiting.waits(for: "Waiting until"))
        #expect(bus.waitsForLocks([asked, "released", asked]))
        waiting.send(SIGINT)
        #expect(waiting.finish().signal == SIGINT)
        let all = [asked, "released", asked, "released"]
        #expect(bus.waitsForLocks(all))

        let player = try rig.start(["play", "-D", "speaker", "--at", "08:59"], at: today)
        #expect(bus.waitsForLocks(all + ["sleep:idle|tomorrow|Waiting to play a memo|block"]))
        player.send(SIGTERM)
        #expect(player.finish().signal == SIGTERM)
        _ = login
    }

    @Test func mediaKeysDoNotTouchARecording() throws {
        let recording = try rig.start(["record", "-D", "mic", "-d", "1"])
        #expect(recording.waits(for: "Recording from"))
        #expect(try control("--list-all") == "")
        #expect(recording.finish().status == 0)
    }

    /// Ten thousand calls as fast as they can be sent, then one that is answered behind them.
    private static let burst = """
        import sys
        import dbus, dbus.lowlevel

        print("ready", file=sys.stderr, flush=True)
        bus = dbus.SessionBus()
        name = [name for name in bus.list_names() if name.startswith("org.mpris.MediaPlayer2.tomorrow")][0]
        path, player = "/org/mpris/MediaPlayer2", "org.mpris.MediaPlayer2.Player"
        properties = "org.freedesktop.DBus.Properties"

        def send(interface, member, signature, *arguments):
            message = dbus.lowlevel.MethodCallMessage(name, path, interface, member)
            message.append(*arguments, signature=signature)
            message.set_no_reply(member != "GetAll")
            bus.send_message(message)

        for i in range(2500):
            if sys.argv[1:] == ["jumps"]:
                send(player, "Seek", "x", 1000 if i % 2 else -1000)
                send(player, "Seek", "x", -1000 if i % 2 else 1000)
                send(player, "PlayPause", "")
                send(player, "PlayPause", "")
            else:
                send(properties, "GetAll", "s", player)
                send(properties, "Set", "ssv", player, "Volume", dbus.Double(1.0, variant_level=1))
                send(player, "SetPosition", "ox", "/nowhere", 7)
                send(player, "Nonsense", "s", "a")
        bus.flush()
        dbus.Interface(bus.get_object(name, path), properties).Get(player, "Position", timeout=20)
        """
}
