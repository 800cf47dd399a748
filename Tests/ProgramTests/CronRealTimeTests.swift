import Foundation
import Linux
import TestSupport
import Testing

/// The real cron daemon, a few seconds before the minute by its own clock.
@Suite(.serialized) struct CronRealTimeTests {
    @Test func cronRemovesWhatIsOverAndAnnouncesWhatHasArrivedAndNothingElse() throws {
        let rig = try CronRig()
        let now = Int(Date().timeIntervalSince1970)
        let threeDaysAgo = Rig.Clock(seconds: now - 3 * 86_400)
        #expect(try rig.run("record", "-D", "mic", "-d", "1", at: threeDaysAgo).status == 0)
        #expect(try rig.run("record", "-D", "mic", "-d", "1").status == 0)
        let yesterday = Rig.Clock(seconds: now - 86_400)
        #expect(
            try rig.run("record", "-D", "mic", "-d", "1", "-t", "Good morning", at: yesterday).status == 0)
        let names = rig.folder.names(in: "store/audio")
        #expect(names.count == 3)
        // Where a login session has its bus; nothing in a job's environment says so.
        let session = rig.folder.file("run/user/\(getuid())")
        try FileManager.default.createDirectory(atPath: session, withIntermediateDirectories: true)
        let bus = try BusRig(socket: session + "/bus")
        try bus.showNotifications()
        rig.crontab = "# mine\n"
        #expect(try rig.schedule("install", "--every", "1m").status == 0)

        // The daemon's own clock alone is moved: a job has no environment but cron's.
        let cron = try rig.startCron(at: Rig.Clock(seconds: now / 60 * 60 + 57))
        let deadline = MonotonicClock.milliseconds + 30_000
        while rig.folder.names(in: "store/audio").count > 2 || bus.shown.isEmpty,
            MonotonicClock.milliseconds < deadline
        {
            _ = waitForReading([], milliseconds: 50)
        }
        cron.send(SIGTERM)
        #expect(rig.folder.names(in: "store/audio") == Array(names.suffix(2)))
        #expect(bus.shown.map(\.summary) == ["1 memo to hear"])
        #expect(bus.shown.map(\.body) == ["“Good morning”"])
        #expect(cron.finish().notes == "")
        #expect(try rig.schedule("remove").status == 0)
        #expect(rig.crontab == "# mine\n")
    }
}
