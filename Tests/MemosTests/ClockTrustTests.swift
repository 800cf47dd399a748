import Testing

@testable import Memos

/// The last rule of time: what a wrong clock may do. Times are in hours after the last activity.
@Suite struct ClockTrustTests {
    static let month = 30 * 24
    static let rows: [(now: Int, leapSeen: Int?, isSynchronised: Bool, since: Int?)] = [
        // Within a month of the last activity, and backwards, nobody asks the kernel.
        (0, nil, false, nil), (month, nil, false, nil), (-9_000, nil, false, nil),
        (-9_000, 5_000, false, nil),
        // A store that has slept, on a machine whose clock is kept.
        (month + 1, nil, true, nil), (90_000, nil, true, nil), (90_000, 89_999, true, nil),
        // A leap is doubted from when it is first seen, for a day.
        (month + 1, nil, false, month + 1), (90_000, nil, false, 90_000), (90_001, 90_000, false, 90_000),
        (90_023, 90_000, false, 90_000), (90_024, 90_000, false, nil), (90_500, 90_000, false, nil),
        // One that is followed by another, forwards or backwards, begins again.
        (91_000, 90_000, false, 91_000), (89_000, 90_000, false, 89_000), (800, 90_000, false, 800),
    ]

    @Test(arguments: rows)
    func theRule(now: Int, leapSeen: Int?, isSynchronised: Bool, since: Int?) {
        func instant(_ hours: Int) -> Timestamp { Timestamp(seconds: 1_796_000_000 + Int64(hours) * 3600) }
        let trust = ClockTrust.of(
            now: instant(now), lastActivity: instant(0), leapSeen: leapSeen.map(instant),
            isSynchronised: { isSynchronised })
        #expect(trust == since.map { .doubted(since: instant($0)) } ?? .trusted)
    }

    @Test func aStoreThatKnowsNothingOfItsPastTrusts() {
        let now = Timestamp(seconds: 1_796_000_000)
        let trust = ClockTrust.of(now: now, lastActivity: nil, leapSeen: now) { false }
        #expect(trust == .trusted)
    }
}
