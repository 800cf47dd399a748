import Foundation
import TestSupport
import Testing

@testable import Memos

@Suite struct RuleOfTimeTests {
    /// Python's zoneinfo as an independent oracle: every zone, every change of its clocks from 2007 to 2037
    /// and the midnights around it, 500 random instants, three values of day-start.
    @Test func theRuleAgreesWithAnIndependentOracleInEveryZone() throws {
        let oracle = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("rule_of_time_oracle.py").path
        let answer = try Child(
            ["python3", oracle, Rig.probe],
            environment: ["PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8"]
        ).finish(within: 600)
        #expect(answer.status == 0, "\(answer.output)\(answer.notes)")
        #expect(answer.output.contains("differences 0"))
        print(answer.output, terminator: "")
    }

    /// Twenty months in ten zones, around the changes of their clocks, with `expire` at random moments or never.
    @Test func inAMonthOfAnyZoneEachLookShowsWhatTheRuleSays() throws {
        let oracle = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("month_oracle.py").path
        // Each look and take waits for a disk; this one is memory.
        let folder = try TemporaryFolder()
        try folder.mountDisk(on: "disk", options: "size=64m")
        let answer = try Child(
            ["python3", "-B", oracle, Rig.probe, folder.file("disk")],
            environment: ["PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8"]
        ).finish(within: 300)
        #expect(answer.status == 0, "\(answer.output)\(answer.notes)")
        #expect(answer.output.contains("differences 0"))
        print(answer.output, terminator: "")
    }

    /// Days as people say them, seen from Monday 2026-11-30, and the date that is meant.
    static let days: [(text: String, date: String?)] = [
        ("tomorrow", "2026-12-01"), ("Tomorrow", "2026-12-01"), ("tue", "2026-12-01"),
        ("mon", "2026-12-07"), ("sunday", "2026-12-06"), ("+1d", "2026-12-01"), ("+366d", "2027-12-01"),
        ("2026-12-01", "2026-12-01"), ("2028-02-29", "2028-02-29"),
        ("today", nil), ("+0d", nil), ("-1d", nil), ("+d", nil), ("+1w", nil), ("2026-11-30", nil),
        ("2026-11-29", nil), ("2027-02-29", nil), ("2026-13-01", nil), ("2026-12-1", nil),
        ("26-12-01", nil), ("9999-12-31", nil), ("+99999999999999999999d", nil), ("", nil), ("thurs", nil),
    ]

    @Test(arguments: days)
    func aDayIsUnderstoodAsAPersonMeansIt(text: String, date: String?) throws {
        let today = try #require(CalendarDate(year: 2026, month: 11, day: 30))
        let parts = DeliveryDay(text)?.resolved(from: today)?.parts
        let shown = parts.map { String(format: "%04d-%02d-%02d", $0.year, $0.month, $0.day) }
        #expect(shown == date)
    }

    static let clocks: [(text: String, seconds: Int?)] = [
        ("07:30", 27_000), ("7:30", 27_000), ("00:00", 0), ("23:59:59", 86_399),
        ("24:00", nil), ("07:60", nil), ("7", nil), ("7:3", nil), ("007:30", nil), ("-1:30", nil), ("", nil),
        ("07:30:", nil), ("07:30 ", nil), ("٠٧:٣٠", nil),
    ]

    @Test(arguments: clocks)
    func aClockTimeIsReadStrictly(text: String, seconds: Int?) {
        #expect(ClockTime(text)?.seconds == seconds)
    }

    @Test func aStateIsDecidedByTheClockAlone() {
        let start = Timestamp(seconds: 1_796_000_000)
        let times = MemoTimes(start: start, dayStart: .midnight)
        let sound = MemoSound(
            rate: 48_000, channels: 1, bits: 16, frames: 1, bytes: 1, peakDecibels: nil, clips: nil,
            gapFrames: nil,
            wasInterrupted: false)
        var memo = Memo(
            id: 1, title: nil, category: nil, times: times, file: "", format: "flac", sound: sound,
            heardAt: nil, recorder: nil)
        #expect(memo.state(at: times.showAt.adding(milliseconds: -1)) == .waiting)
        #expect(memo.state(at: times.showAt) == .available)
        #expect(memo.state(at: times.expireAt.adding(milliseconds: -1)) == .available)
        #expect(memo.state(at: times.expireAt) == .over)
        // A clock that has gone backwards seals it again, and loses nothing.
        #expect(memo.state(at: start.adding(milliseconds: -1)) == .waiting)
        memo.sound = nil
        #expect(memo.state(at: times.expireAt) == .recording)
    }
}
