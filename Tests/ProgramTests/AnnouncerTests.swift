import Foundation
import TestSupport
import Testing

@testable import Memos
@testable import tomorrow

/// How arrivals are announced.
@Suite struct AnnouncerTests {
    private func memos(_ all: [(Int64, String?)]) -> [Memo] {
        all.map { id, title in
            Memo(
                id: id, title: title, category: nil,
                times: MemoTimes(start: .now(), dayStart: .midnight, deliver: nil), file: "", format: "flac",
                sound: nil)
        }
    }

    @Test func theDesktopGetsOneNotificationWithNumberAndTitles() throws {
        let rig = try BusRig()
        try rig.showNotifications()
        let announcer = Announcer(command: nil, busAddress: rig.address)
        #expect(try announcer.announce(memos([(3, "Say it <plainly>\n"), (4, nil)]), .arrived, at: .now()))
        #expect(rig.shown.count == 1)
        #expect(rig.shown.first?.summary == "2 memos to hear")
        #expect(rig.shown.first?.body == "“Say it &lt;plainly&gt;^J”\nmemo 4")

        #expect(try announcer.announce(memos((1...12).map { (Int64($0), nil) }), .arrived, at: .now()))
        #expect(rig.shown.last?.body.hasSuffix("memo 10\nand 2 more") == true)
    }

    @Test func noMemosAreNotAnnounced() throws {
        #expect(try Announcer(command: "false", busAddress: nil).announce(memos([]), .arrived, at: .now()))
    }

    @Test func withoutAnybodyToTellItIsToBeTriedAgain() throws {
        let rig = try BusRig()
        #expect(
            try !Announcer(command: nil, busAddress: rig.address).announce(
                memos([(1, "a")]), .arrived, at: .now()))
        let none = "unix:path=" + rig.folder.file("none")
        #expect(
            try !Announcer(command: nil, busAddress: none).announce(memos([(1, "a")]), .arrived, at: .now()))
    }

    @Test func theUsersCommandReadsJSON() throws {
        let folder = try TemporaryFolder()
        let command = "cat > '\(folder.file("input"))'"
        #expect(
            try Announcer(command: command, busAddress: nil).announce(
                memos([(3, "“a” \"b\"\\\n"), (4, nil)]), .arrived, at: .now()))
        let object = Rig.object(try String(contentsOfFile: folder.file("input"), encoding: .utf8))
        #expect(object["version"] as? Int == 1)
        let memos = try #require(object["memos"] as? [[String: Any]])
        #expect(memos.count == 2)
        #expect(memos[0]["id"] as? Int == 3 && memos[0]["title"] as? String == "“a” \"b\"\\\n")
        #expect(memos[1]["id"] as? Int == 4 && memos[1]["title"] is NSNull)
    }

    @Test func aCommandThatFailsIsToldWithItsStatus() throws {
        let announcer = Announcer(command: "exit 9", busAddress: nil)
        let failure = #expect(throws: Failure.self) {
            try announcer.announce(memos([(1, "a")]), .arrived, at: .now())
        }
        #expect(failure?.message == "cannot announce memos: 'exit 9' ended with status 9")
    }

    /// Settings, and what is wrong with them; nil where nothing is.
    @Test(arguments: [
        ("announce-with = notify-send \"$(jq -r .memos[0].title)\" # so\n", nil),
        ("announce-with =\nannounce-from = 08:00\nremind-before = 1h30m\n", nil),
        ("announce-from = 8\n", "'8' is not a clock time such as 08:00"),
        ("remind-before = 24h\n", "'24h' is not a length of time below 24 hours, such as 2h"),
        ("remind-before = 0\n", "'0' is not a length of time below 24 hours, such as 2h"),
    ])
    func theSettingsAreReadAndTheirMistakesTold(text: String, mistake: String?) throws {
        let folder = try TemporaryFolder()
        let configuration = Configuration(path: try folder.write("config", text))
        #expect(configuration.mistakes == (mistake.map { ["\(folder.file("config")):1: \($0)"] } ?? []))
        if text.hasPrefix("announce-with = n") {
            #expect(configuration.announceWith == "notify-send \"$(jq -r .memos[0].title)\" # so")
        }
        if text.contains("1h30m") {
            #expect(configuration.announceWith == nil)
            #expect(configuration.announceFrom?.seconds == 8 * 3_600)
            #expect(configuration.remindBeforeSeconds == 5_400)
        }
    }
}
