import Foundation
import TestSupport
import Testing

/// The main job, by the real program on a real store, with the clock moved from outside.
@Suite struct LifeOfAMemoTests {
    @Test func aMemoIsSealedTodayHeardTomorrowAndGoneTheDayAfter() throws {
        let rig = try FileRig()
        let today = Rig.Clock("2026-11-30 09:00:00", "Europe/Berlin")
        let tomorrow = Rig.Clock("2026-12-01 08:00:00", "Europe/Berlin")
        let dayAfter = Rig.Clock("2026-12-02 08:00:00", "Europe/Berlin")
        let recorded = try rig.run(
            "record", "-D", "mic", "-d", "2", "-t", "Say it plainly", "-c", "courage", "--json", at: today)
        #expect(recorded.status == 0)
        #expect(recorded.notes.contains("Recording from mic."))
        #expect(
            recorded.notes.contains(
                "It opens Tue 2026-12-01 00:00, in 15 h, and leaves Wed 2026-12-02 00:00."))
        let memo = try #require(Rig.object(recorded.output)["memo"] as? [String: Any])
        #expect(memo["state"] as? String == "waiting")
        #expect(memo["duration_seconds"] as? Double == 2)

        #expect(try rig.memos(at: today).isEmpty)
        #expect(try rig.memos("--waiting", at: today).count == 1)
        let refused = try rig.run("play", "1", "-D", "speaker", at: today)
        #expect(refused.status == 4)
        #expect(refused.notes.contains("it is sealed until Tue 2026-12-01 00:00"))
        #expect(try rig.run("show", "1", at: today).status == 4)
        #expect(rig.takePlayed().isEmpty)

        #expect(try rig.memos(at: tomorrow).first?["title"] as? String == "Say it plainly")
        #expect(try rig.run("show", "1", at: tomorrow).output.contains("courage"))
        #expect(try rig.run("play", "-D", "speaker", at: tomorrow).status == 0)
        #expect(rig.takePlayed().count >= 2 * 48_000 * 2)
        #expect(try rig.memos(at: tomorrow).first?["heard_at"] as? String != nil)

        // Nobody has run expire: for every command it is gone all the same.
        #expect(try rig.memos("--all", at: dayAfter).isEmpty)
        for command in [["play", "1"], ["play", "latest"], ["play"], ["show", "1"], ["delete", "1"]] {
            #expect(try rig.start(command, at: dayAfter).finish().status == 3, "\(command)")
        }
        let expired = try rig.run("expire", at: dayAfter)
        #expect(expired.status == 0)
        #expect(expired.output.hasPrefix("Removed 1 memo, "))
        #expect(!expired.output.contains("plainly"))
        #expect(rig.folder.names(in: "store/audio").isEmpty)
        for (path, data) in rig.folder.contents() where path.hasPrefix("store/") {
            #expect(data.range(of: "plainly".data(using: .utf8)!) == nil, "the title is left in \(path)")
            #expect(data.range(of: "courage".data(using: .utf8)!) == nil, "the category is left in \(path)")
        }
        #expect(try rig.run("expire", at: dayAfter).output.isEmpty)
    }

    /// Zones with an ordinary midnight, one where it does not exist, one where it comes twice, one whose
    /// date goes back, and one that leaps a whole day.
    static let midnights: [(zone: String, lateEvening: String, showsAt: String, leavesAt: String)] = [
        ("Europe/Berlin", "2026-11-30T22:59:30Z", "2026-12-01T00:00:00+01:00", "2026-12-02T00:00:00+01:00"),
        ("Africa/Cairo", "2026-04-23T21:59:30Z", "2026-04-24T01:00:00+03:00", "2026-04-25T01:00:00+03:00"),
        ("America/Havana", "2026-11-01T03:59:30Z", "2026-11-01T00:00:00-04:00", "2026-11-01T23:00:00-05:00"),
        (
            "America/St_Johns", "2010-11-07T02:29:30Z", "2010-11-07T00:00:00-02:30",
            "2010-11-07T23:00:00-03:30"
        ),
        ("Pacific/Apia", "2011-12-30T09:59:30Z", "2011-12-31T00:00:00+14:00", "2012-01-01T00:00:00+14:00"),
    ]

    @Test(arguments: midnights)
    func aMemoOfTheLateEveningShowsThirtySecondsLater(
        zone: String, lateEvening: String, showsAt: String, leavesAt: String
    ) throws {
        let rig = try FileRig()
        let clock = Rig.Clock(seconds: Rig.seconds(lateEvening), zone: zone)
        let recorded = try rig.run("record", "-D", "mic", "-d", "1", "--json", at: clock)
        let memo = try #require(Rig.object(recorded.output)["memo"] as? [String: Any])
        #expect(memo["show_at"] as? String == showsAt)
        #expect(memo["expire_at"] as? String == leavesAt)
        #expect(Rig.seconds(showsAt) == clock.seconds + 30)
        #expect(Rig.seconds(leavesAt) == clock.seconds + 30 + 86_400)
        try expectLife(rig, from: clock.adding(seconds: 30))
    }

    /// The same midnights, from their other side: the last second is the same local day's.
    static let mornings: [(zone: String, morning: String, showsAt: String)] = [
        ("Europe/Berlin", "2026-11-30T23:00:01Z", "2026-12-02T00:00:00+01:00"),
        ("Africa/Cairo", "2026-04-23T22:00:01Z", "2026-04-25T00:00:00+03:00"),
        ("America/Havana", "2026-11-01T04:00:01Z", "2026-11-02T00:00:00-05:00"),
        ("America/St_Johns", "2010-11-07T03:30:01Z", "2010-11-08T00:00:00-03:30"),
        ("Pacific/Apia", "2011-12-30T10:00:01Z", "2012-01-01T00:00:00+14:00"),
    ]

    @Test(arguments: mornings)
    func aMemoOfJustAfterMidnightShowsAtTheNextOne(zone: String, morning: String, showsAt: String) throws {
        let rig = try FileRig()
        let clock = Rig.Clock(seconds: Rig.seconds(morning), zone: zone)
        let recorded = try rig.run("record", "-D", "mic", "-d", "1", "--json", at: clock)
        let memo = try #require(Rig.object(recorded.output)["memo"] as? [String: Any])
        #expect(memo["show_at"] as? String == showsAt)
        let show = Rig.seconds(showsAt)
        // Almost 24 hours, but for the hour that the clocks were changed by.
        #expect(abs(show - clock.seconds - 86_400) <= 3_601)
        #expect(Rig.seconds(memo["expire_at"] as? String ?? "") == show + 86_400)
        try expectLife(rig, from: clock.adding(seconds: show - clock.seconds))
    }

    /// A second before and a second after each of its two borders.
    private func expectLife(_ rig: FileRig, from show: Rig.Clock) throws {
        #expect(try rig.run("play", "1", "-D", "speaker", at: show.adding(seconds: -1)).status == 4)
        #expect(try rig.run("play", "1", "-D", "speaker", at: show.adding(seconds: 1)).status == 0)
        #expect(try rig.run("play", "1", "-D", "speaker", at: show.adding(seconds: 86_399)).status == 0)
        #expect(try rig.run("play", "1", "-D", "speaker", at: show.adding(seconds: 86_401)).status == 3)
    }

    @Test func peopleWhoGoToBedLateBeginTheirDayAtFour() throws {
        let rig = try FileRig()
        try rig.configure("day-start = 04:00\n")
        let night = Rig.Clock("2026-11-30 01:30:00", "Europe/Berlin")
        let recorded = try rig.run("record", "-D", "mic", "-d", "1", "--json", at: night)
        let memo = try #require(Rig.object(recorded.output)["memo"] as? [String: Any])
        #expect(memo["show_at"] as? String == "2026-11-30T04:00:00+01:00")
    }

    @Test func aMemoCanBeDeliveredOnALaterDay() throws {
        let rig = try FileRig()
        let monday = Rig.Clock("2026-11-30 12:00:00", "Europe/Berlin")
        for (day, date) in [
            ("2026-12-24", "2026-12-24"), ("fri", "2026-12-04"), ("Monday", "2026-12-07"),
            ("+3d", "2026-12-03"), ("tomorrow", "2026-12-01"),
        ] {
            let recorded = try rig.run("record", "-D", "mic", "-d1", "--deliver", day, "--json", at: monday)
            let memo = Rig.object(recorded.output)["memo"] as? [String: Any]
            let showsAt = memo?["show_at"] as? String ?? ""
            #expect(showsAt.hasPrefix(date + "T00:00:00"), "\(day)")
            #expect(Rig.seconds(showsAt) == Rig.Clock(date + " 00:00:00", "Europe/Berlin").seconds, "\(day)")
        }
        for day in ["2026-11-30", "2026-11-29", "+0d", "2026-02-30", "someday"] {
            let refused = try rig.run("record", "-D", "mic", "-d1", "--deliver", day, at: monday)
            #expect(refused.status == 2, "\(day)")
            #expect(refused.notes.contains("not '\(day)'"))
        }
        #expect(try rig.memos("--waiting", at: monday).count == 5)
    }

    @Test func aTakeThatRunsPastMidnightShowsWhenItEnds() throws {
        let rig = try FileRig()
        let evening = Rig.Clock("2026-11-30 23:59:59", "Europe/Berlin")
        let recording = try rig.start(["record", "-D", "mic", "--json"], at: evening)
        #expect(recording.waits(for: "Recording"))
        #expect(recording.ends(within: 2) == false)
        #expect(try rig.run("play", "1", "-D", "speaker", at: evening.adding(seconds: 60)).status == 4)
        recording.send(SIGTERM)
        let memo = try #require(Rig.object(recording.finish().output)["memo"] as? [String: Any])
        #expect(memo["state"] as? String == "available")
    }
}
