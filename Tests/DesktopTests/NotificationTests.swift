import Glibc
import Linux
import TestSupport
import Testing

@testable import Desktop

/// Notifications over a real bus, to a peer that is not ours.
@Suite struct NotificationTests {
    private func send(_ rig: BusRig, _ summary: String, _ body: String) throws -> Notification.Answer {
        try Notification.send(summary: summary, body: body, busAddress: rig.address, milliseconds: 5_000)
    }

    @Test func theDesktopGetsWhatWasSent() throws {
        let rig = try BusRig()
        try rig.showNotifications()
        #expect(try send(rig, "2 memos & more", "“Über” <b>bold</b>\n& so on") == .taken)
        let shown = try #require(rig.shown.first)
        #expect(rig.shown.count == 1)
        #expect(shown.application == "tomorrow" && shown.replaces == 0 && shown.icon == "")
        #expect(shown.summary == "2 memos & more")
        #expect(shown.body == "“Über” &lt;b&gt;bold&lt;/b&gt;\n&amp; so on")
        #expect(shown.actions.isEmpty && shown.hints.isEmpty && shown.milliseconds == -1)
    }

    @Test func noTextCanBeRefusedByTheBus() throws {
        let rig = try BusRig()
        try rig.showNotifications()
        var all = String.UnicodeScalarView()
        let planeEnds = (1...16).flatMap { [$0 << 16 | 0xfffd, $0 << 16 | 0xfffe, $0 << 16 | 0xffff] }
        for value in Array(0..<0x3000) + Array(0xd000...0xffff) + planeEnds {
            Unicode.Scalar(UInt32(value)).map { all.append($0) }
        }
        #expect(try send(rig, String(all), String(all)) == .taken)
        let summary = try #require(rig.shown.first?.summary)
        #expect(!summary.unicodeScalars.contains { $0.properties.generalCategory == .control })
        #expect(summary.unicodeScalars.count == all.count)
    }

    /// Texts, and what is left of them in one line.
    static let texts: [(text: String, plain: String)] = [
        ("a\u{1b}[31mb", "a\u{fffd}[31mb"), ("a\nb\r\nc\td", "a b  c d"), ("a\u{202e}b", "a\u{fffd}b"),
        ("a\0b", "a\u{fffd}b"), ("👩‍👧 ü", "👩‍👧 ü"),
    ]

    @Test(arguments: texts)
    func controlCharactersAreHarmless(text: String, plain: String) {
        #expect(NotificationText.plain(text, isOneLine: true) == plain)
    }

    @Test func withoutABusThatIsSaidAtOnce() throws {
        let folder = try TemporaryFolder()
        // A socket that nobody listens to any more.
        let rig = try BusRig()
        rig.bus.send(SIGKILL)
        _ = rig.bus.finish()
        let start = MonotonicClock.milliseconds
        #expect(try send(rig, "a", "b") == .noBus)
        for address in [nil, "unix:path=" + folder.file("none"), "nonsense"] {
            let answer = try Notification.send(
                summary: "a", body: "b", busAddress: address, userSocket: folder.file("bus"),
                milliseconds: 5_000)
            #expect(answer == .noBus)
        }
        #expect(MonotonicClock.milliseconds - start < 2_000)
    }

    @Test func cronFindsTheBusByTheUsersOwnSocket() throws {
        let rig = try BusRig()
        try rig.showNotifications()
        let answer = try Notification.send(
            summary: "a", body: "b", busAddress: nil, userSocket: rig.folder.file("bus"), milliseconds: 5_000)
        #expect(answer == .taken)
        #expect(rig.shown.count == 1)
    }

    @Test func aBusOnWhichNobodyShowsNotificationsIsSaidToBeOne() throws {
        #expect(try send(try BusRig(), "a", "b") == .noServer)
    }

    @Test func aBusThatHangsIsLeftWhenTheTimeIsUp() throws {
        let rig = try BusRig()
        try rig.showNotifications()
        rig.bus.send(SIGSTOP)
        try expectGivingUp(rig)
        rig.bus.send(SIGCONT)
    }

    @Test func aDesktopThatHangsIsLeftWhenTheTimeIsUp() throws {
        let rig = try BusRig()
        try rig.showNotifications("hangs")
        try expectGivingUp(rig)
        #expect(rig.shown.count == 1)
    }

    private func expectGivingUp(_ rig: BusRig) throws {
        let start = MonotonicClock.milliseconds
        let error = #expect(throws: DesktopError.self) {
            try Notification.send(summary: "a", body: "b", busAddress: rig.address, milliseconds: 500)
        }
        #expect(error?.reason == "the session bus does not answer")
        #expect((450..<3_000).contains(MonotonicClock.milliseconds - start))
    }

    @Test func aRefusalIsToldInTheDesktopsWords() throws {
        let rig = try BusRig()
        try rig.showNotifications("refuses")
        let error = #expect(throws: DesktopError.self) { try send(rig, "a", "b") }
        #expect(error?.reason == "too many")
    }

    @Test func aBusThatGoesAwayMeanwhileIsAnError() throws {
        let rig = try BusRig()
        try rig.showNotifications("hangs")
        let killer = try Child(
            [
                "sh", "-c", "for i in $(seq 500); do [ -s \"$1\" ] && kill -9 $2 && exit; sleep 0.01; done",
                "sh",
                rig.folder.file("shown"), String(rig.bus.pid),
            ], environment: ["PATH": "/usr/bin:/bin"])
        let error = #expect(throws: DesktopError.self) { try send(rig, "a", "b") }
        #expect(error?.reason.contains("Connection reset") == true)
        _ = killer.finish()
    }
}
