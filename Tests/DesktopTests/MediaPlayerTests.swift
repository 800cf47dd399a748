import Foundation
import Linux
import TestSupport
import Testing

@testable import Desktop

/// A media player on a real bus, asked by systemd's `busctl`.
@Suite struct MediaPlayerTests {
    private static let path = "/org/mpris/MediaPlayer2"
    private static let interface = "org.mpris.MediaPlayer2.Player"
    private static let name = "org.mpris.MediaPlayer2.tomorrow.instance4711"

    private let rig: BusRig
    private let player: MediaPlayer

    init() throws {
        rig = try BusRig()
        player = try #require(
            MediaPlayer(busAddress: rig.address, processIdentifier: 4711, rates: 0.5...3))
        var state = MediaPlayerState()
        state.track = .init(
            path: "/tomorrow/0/memo/12", title: "a\nb\0", genres: ["fun"],
            created: "2026-11-29T09:00:00+00:00",
            microseconds: 60_000_000)
        state.microseconds = 2_500_000
        state.canGoNext = true
        player.update(state)
    }

    /// Serves for a while.
    private func serve(until isOver: () -> Bool) -> [MediaPlayerCommand] {
        var commands: [MediaPlayerCommand] = []
        let deadline = MonotonicClock.milliseconds + 20_000
        while !isOver(), MonotonicClock.milliseconds < deadline {
            _ = waitForReading([player.descriptor], milliseconds: min(5, player.timeoutMilliseconds ?? 5))
            while let command = player.process() { commands.append(command) }
        }
        return commands
    }

    /// Serves until `busctl` is done.
    private func ask(_ child: Child) -> (commands: [MediaPlayerCommand], result: Child.Result) {
        (serve { child.ends(within: 0) }, child.finish())
    }

    private func call(_ method: String, _ arguments: String...) throws -> Child.Result {
        try call(method, arguments).result
    }

    private func call(
        _ method: String, _ arguments: [String]
    ) throws -> (commands: [MediaPlayerCommand], result: Child.Result) {
        ask(try rig.busctl(["call", Self.name, Self.path, Self.interface, method] + arguments))
    }

    /// What a call that is not refused comes to.
    private func command(_ method: String, _ arguments: String...) throws -> [MediaPlayerCommand] {
        let (commands, result) = try call(method, arguments)
        #expect(result.status == 0, "\(method): \(result.notes)")
        return commands
    }

    private func set(_ property: String, _ type: String, _ value: String) throws -> (
        commands: [MediaPlayerCommand], result: Child.Result
    ) {
        ask(
            try rig.busctl([
                "set-property", Self.name, Self.path, Self.interface, property, type, "--", value,
            ]))
    }

    /// What MPRIS 2.2 asks for: methods with their arguments, properties with type and access.
    static let specification = [
        "org.mpris.MediaPlayer2": [
            "Raise()", "Quit()", "CanQuit b read", "CanRaise b read", "HasTrackList b read",
            "Identity s read", "SupportedUriSchemes as read", "SupportedMimeTypes as read",
        ],
        "org.mpris.MediaPlayer2.Player": [
            "Next()", "Previous()", "Pause()", "PlayPause()", "Stop()", "Play()", "Seek(x)",
            "SetPosition(ox)", "OpenUri(s)", "Seeked(x)", "PlaybackStatus s read", "LoopStatus s readwrite",
            "Rate d readwrite", "Shuffle b readwrite", "Metadata a{sv} read", "Volume d readwrite",
            "Position x read", "MinimumRate d read", "MaximumRate d read", "CanGoNext b read",
            "CanGoPrevious b read", "CanPlay b read", "CanPause b read", "CanSeek b read",
            "CanControl b read",
        ],
    ]

    @Test func everyMemberIsThereWithItsType() throws {
        let xml = ask(try rig.busctl(["introspect", "--xml-interface", Self.name, Self.path])).result.output
        var members: [String: [String]] = [:]
        var (interface, signature) = ("", "")
        for line in xml.split(separator: "\n") {
            if let match = line.firstMatch(of: /<interface name="(.+?)"/) {
                interface = String(match.1)
            } else if let match = line.firstMatch(of: /<property name="(.+?)" type="(.+?)" access="(.+?)"/) {
                members[interface, default: []].append("\(match.1) \(match.2) \(match.3)")
            } else if let match = line.firstMatch(of: /<(?:method|signal) name="(.+?)"(\/?)>/) {
                signature = match.1 + "("
                if !match.2.isEmpty { members[interface, default: []].append(signature + ")") }
            } else if let match = line.firstMatch(of: /<arg type="(.+?)"/) {
                signature += match.1
            } else if line.contains("</method>") || line.contains("</signal>") {
                members[interface, default: []].append(signature + ")")
            }
        }
        for (interface, expected) in Self.specification {
            #expect(Set(members[interface] ?? []) == Set(expected))
        }
    }

    @Test func everyPropertyHasItsValue() throws {
        let values = [
            "PlaybackStatus": "s \"Playing\"", "LoopStatus": "s \"None\"", "Rate": "d 1",
            "Shuffle": "b false",
            "Volume": "d 1", "Position": "x 2500000", "MinimumRate": "d 0.5", "MaximumRate": "d 3",
            "CanGoNext": "b true", "CanGoPrevious": "b false", "CanPlay": "b true", "CanPause": "b true",
            "CanSeek": "b true", "CanControl": "b true",
            "Metadata": "a{sv} 5 \"mpris:trackid\" o \"/tomorrow/0/memo/12\" \"mpris:length\" x 60000000 "
                + "\"xesam:title\" s \"a b\\357\\277\\275\" \"xesam:genre\" as 1 \"fun\" "
                + "\"xesam:contentCreated\" s \"2026-11-29T09:00:00+00:00\"",
        ]
        let asked = try rig.busctl(
            ["get-property", Self.name, Self.path, Self.interface] + Array(values.keys))
        let answers = ask(asked).result.output.split(separator: "\n").map(String.init)
        #expect(answers == values.keys.map { values[$0] })
    }

    @Test func callsBecomeCommands() throws {
        #expect(try command("PlayPause") == [.playPause])
        #expect(try command("Play") == [.play])
        #expect(try command("Pause") == [.pause])
        #expect(try command("Stop") == [.stop])
        #expect(try command("Next") == [.next])
        #expect(try command("Previous") == [.previous])
        #expect(try command("Seek", "x", "--", "-5000000") == [.move(microseconds: -5_000_000)])
        let track = "/tomorrow/0/memo/12"
        #expect(try command("SetPosition", "ox", track, "60000000") == [.seek(microseconds: 60_000_000)])
        // Not this track, and not within it.
        #expect(try command("SetPosition", "ox", "/tomorrow/1/memo/12", "1") == [])
        #expect(try command("SetPosition", "ox", track, "60000001") == [])
        #expect(try command("SetPosition", "ox", "--", track, "-1") == [])
        player.update(MediaPlayerState())
        #expect(try command("Next") == [])
        #expect(try command("SetPosition", "ox", track, "1") == [])
    }

    @Test func whatCannotBeDoneIsRefused() throws {
        #expect(try call("OpenUri", "s", "file:///a").notes.contains("nothing but its memos"))
        #expect(try call("Seek", "s", "a").status != 0)
        #expect(try call("Nonsense").status != 0)
        #expect(try set("Shuffle", "b", "true").result.status != 0)
        #expect(try set("LoopStatus", "s", "Playlist").result.status != 0)
        #expect(try set("LoopStatus", "s", "x").result.status != 0)
        #expect(try set("Rate", "d", "nan").result.status != 0)
        #expect(try set("Volume", "d", "inf").result.status != 0)
        #expect(try set("Position", "x", "1").result.status != 0)
    }

    @Test func settingsBecomeCommands() throws {
        #expect(try set("Rate", "d", "1.25").commands == [.rate(1.25)])
        #expect(try set("Rate", "d", "0").commands == [.pause])
        #expect(try set("Volume", "d", "1.5").commands == [.volume(1.5)])
        #expect(try set("Volume", "d", "-1").commands == [.volume(0)])
        #expect(try set("LoopStatus", "s", "Track").commands == [.repeats(true)])
        #expect(try set("LoopStatus", "s", "None").commands == [.repeats(false)])
        #expect(try set("Shuffle", "b", "false").result.status == 0)
    }

    @Test func onlyWhatHasChangedIsTold() throws {
        let monitor = try rig.busctl(["monitor", "--match=type='signal',path='\(Self.path)'", "--json=short"])
        #expect(monitor.waits(for: "Monitoring"))
        _ = try call("Play")
        var state = player.state
        state.microseconds += 1_000_000
        player.update(state)
        state.volume = 2
        state.isPaused = true
        player.update(state)
        player.update(state)
        player.seeked()
        // An answer comes behind all that was said before it.
        _ = try call("Play")
        monitor.send(SIGTERM)
        let lines = monitor.finish().output.split(separator: "\n").map { Rig.object(String($0)) }
        let said = lines.map { ($0["member"] as? String ?? "", $0["payload"] as? [String: Any] ?? [:]) }
        #expect(said.map(\.0) == ["PropertiesChanged", "Seeked"])
        let data = said.compactMap { $0.1["data"] as? [Any] }
        let changed = (data.first?.dropFirst().first as? [String: Any])?.keys
        #expect(Set(changed.map(Array.init) ?? []) == ["PlaybackStatus", "Volume"])
        #expect(data.last?.first as? Int == 3_500_000)
    }

    @Test func aBusThatHangsHoldsUpNothing() throws {
        let hung = try BusRig()
        hung.bus.send(SIGSTOP)
        let start = MonotonicClock.milliseconds
        let player = try #require(MediaPlayer(busAddress: hung.address, processIdentifier: 1, rates: 1...1))
        for number in 0..<100 {
            var state = MediaPlayerState()
            state.volume = Double(number)
            player.update(state)
            player.seeked()
            #expect(player.process() == nil)
        }
        #expect(player.descriptor >= 0)
        // A bus that does not answer is not waited for in circles.
        #expect(!waitForReading([player.descriptor], milliseconds: 50)[0])
        #expect(player.timeoutMilliseconds.map { $0 > 1_000 } ?? true)
        #expect(MonotonicClock.milliseconds - start < 1_000)
        hung.bus.send(SIGCONT)
    }

    @Test func aBusThatGoesAwayIsLeftAlone() throws {
        _ = try call("Play")
        rig.bus.send(SIGKILL)
        _ = rig.bus.finish()
        _ = serve { player.descriptor < 0 }
        #expect(player.descriptor == -1 && player.timeoutMilliseconds == nil)
        player.update(MediaPlayerState())
        player.seeked()
        #expect(player.process() == nil)
    }

    @Test func withoutABusThereIsNone() throws {
        let folder = try TemporaryFolder()
        for address in ["unix:path=" + folder.file("none"), "tcp:host=localhost,port=1", "nonsense", ""] {
            #expect(MediaPlayer(busAddress: address, processIdentifier: 1, rates: 1...1) == nil)
        }
    }
}
