import Foundation
import TestSupport
import Testing

/// Who is told that a memo has arrived, or is about to leave: by `expire`, once.
@Suite struct ArrivalTests {
    private let rig: FileRig
    private let bus: BusRig
    private let evening = Rig.Clock("2026-11-30 20:00:00")

    init() throws {
        rig = try FileRig()
        bus = try BusRig()
        rig.environment["DBUS_SESSION_BUS_ADDRESS"] = bus.address
        for title in ["First", "Second"] {
            _ = try rig.run("record", "-D", "mic", "-d", "1", "-t", title, at: evening)
        }
    }

    private func clock(_ reading: String) -> Rig.Clock { Rig.Clock("2026-12-01 " + reading) }

    /// What one `expire` has shown.
    private func shown(at clock: Rig.Clock) throws -> [String] {
        let before = bus.shown.count
        let ended = try rig.run("expire", at: clock)
        #expect(ended.status == 0 && ended.notes.isEmpty && ended.output.isEmpty)
        return bus.shown.dropFirst(before).map(\.summary)
    }

    @Test func anArrivalIsToldOnceAndOnlyWhenSomebodyHasTakenIt() throws {
        #expect(try shown(at: evening.adding(seconds: 60)) == [])
        // Nobody shows notifications: the memos wait for somebody who does.
        #expect(try shown(at: clock("00:05:00")) == [])
        try bus.showNotifications()
        #expect(try shown(at: clock("07:00:00")) == ["2 memos to hear"])
        #expect(bus.shown.last?.body == "“First”\n“Second”")
        #expect(try shown(at: clock("07:05:00")) == [])
    }

    @Test func aHostileTitleIsOneHarmlessLineOfTheNotification() throws {
        try bus.showNotifications()
        try rig.run("edit", "1", "-t", "\u{1b}[31m<b>日本語</b> 👨‍👩‍👧\nfamily", at: evening)
        #expect(try shown(at: clock("07:00:00")) == ["2 memos to hear"])
        #expect(bus.shown.last?.body == "“^[[31m&lt;b&gt;日本語&lt;/b&gt; 👨‍👩‍👧^Jfamily”\n“Second”")
    }

    @Test func whatWasHeardIsNotAnnouncedAndWhatComesLaterIs() throws {
        try bus.showNotifications()
        #expect(try rig.run("play", "1", "-D", "speaker", at: clock("00:01:00")).status == 0)
        #expect(try shown(at: clock("00:05:00")) == ["1 memo to hear"])
        _ = try rig.run("record", "-D", "mic", "-d", "1", at: clock("08:00:00"))
        #expect(try shown(at: clock("08:05:00")) == [])
        let ended = try rig.run("expire", at: Rig.Clock("2026-12-02 00:05:00"))
        #expect(ended.output.hasPrefix("Removed 2 memos, "))
        #expect(bus.shown.last?.body == "memo 3")
    }

    @Test func nobodyIsWokenBeforeTheTimeThatTheSettingsName() throws {
        try rig.configure("announce-from = 08:00\n")
        try bus.showNotifications()
        #expect(try shown(at: clock("07:59:50")) == [])
        #expect(try shown(at: clock("08:00:00")) == ["2 memos to hear"])
    }

    @Test func aMemoThatIsAboutToLeaveUnheardIsToldOnceMore() throws {
        try rig.configure("remind-before = 2h\n")
        try bus.showNotifications()
        #expect(try shown(at: clock("09:00:00")) == ["2 memos to hear"])
        #expect(try rig.run("play", "2", "-D", "speaker", at: clock("10:00:00")).status == 0)
        #expect(try shown(at: clock("21:59:00")) == [])
        #expect(try shown(at: clock("22:00:00")) == ["1 memo not heard leaves in 2 h"])
        #expect(bus.shown.last?.body == "“First”")
        #expect(try shown(at: clock("22:05:00")) == [])
    }

    @Test(arguments: ["refuses", "hangs"])
    func aDesktopThatDoesNotTakeItIsAskedAgain(behaviour: String) throws {
        try bus.showNotifications(behaviour)
        _ = try shown(at: clock("09:00:00"))
        let again = try BusRig()
        try again.showNotifications()
        rig.environment["DBUS_SESSION_BUS_ADDRESS"] = again.address
        #expect(try rig.run("expire", at: clock("09:05:00")).status == 0)
        #expect(again.shown.map(\.summary) == ["2 memos to hear"])
    }

    @Test func aBusThatHangsOrIsNotThereIsNoError() throws {
        bus.bus.send(SIGSTOP)
        #expect(try shown(at: clock("09:00:00")) == [])
        bus.bus.send(SIGCONT)
        rig.environment["DBUS_SESSION_BUS_ADDRESS"] = nil
        #expect(try rig.run("expire", at: clock("09:05:00")).status == 0)
    }

    @Test func theUsersOwnCommandReadsTheMemosAndIsAskedAgainWhenItFails() throws {
        let input = rig.folder.file("input")
        try rig.configure("announce-with = test -e '\(rig.folder.file("ready"))' && cat > '\(input)'\n")
        let failed = try rig.run("expire", at: clock("09:00:00"))
        #expect(failed.status == 1)
        #expect(failed.notes.hasPrefix("tomorrow: cannot announce memos: '"))
        #expect(failed.notes.contains("ended with status 1\n"))
        try rig.folder.write("ready", "")
        #expect(try rig.run("expire", at: clock("09:05:00")).status == 0)
        let object = Rig.object(try String(contentsOfFile: input, encoding: .utf8))
        #expect(object["version"] as? Int == 1 && object["event"] as? String == "arrived")
        let memos = try #require(object["memos"] as? [[String: Any]])
        #expect(memos.map { $0["title"] as? String } == ["First", "Second"])
        #expect(memos.allSatisfy { $0["state"] as? String == "available" })
        try FileManager.default.removeItem(atPath: input)
        #expect(try rig.run("expire", at: clock("09:10:00")).status == 0)
        #expect(!FileManager.default.fileExists(atPath: input))
    }

    @Test func aDryRunTellsNobody() throws {
        try bus.showNotifications()
        #expect(try rig.run("expire", "--dry-run", at: clock("09:00:00")).status == 0)
        #expect(bus.shown.isEmpty)
        #expect(try shown(at: clock("09:05:00")) == ["2 memos to hear"])
    }

    @Test func ofManyRunsAtOnceOneTells() throws {
        try bus.showNotifications()
        let runs = try (0..<8).map { _ in try rig.start(["expire"], at: clock("09:00:00")) }
        for run in runs { #expect(run.finish().status == 0) }
        #expect(bus.shown.map(\.summary) == ["2 memos to hear"])
    }
}
