import Foundation
import TestSupport
import Testing

@testable import Memos

/// What the store remembers of itself, counts and notices.
@Suite struct StoreStateTests {
    private let folder: TemporaryFolder
    private let now = Timestamp(seconds: 1_796_000_000)
    private let hour: Int64 = 3_600_000

    init() throws { folder = try TemporaryFolder() }

    private func store(isSynchronised: Bool = false) throws -> Store {
        let store = try Store(path: folder.file("store"), formats: ["wav": "wav"])
        store.isClockSynchronised = { isSynchronised }
        return store
    }

    /// Makes a memo that began some hours after `now`.
    @discardableResult
    private func makeMemo(_ store: Store, hours: Int64 = 0, bytes: Int64 = 10) throws -> Memo {
        let start = now.adding(milliseconds: hours * hour)
        let take = try store.openTake(
            title: nil, category: nil, times: MemoTimes(start: start, dayStart: .midnight), format: "wav",
            fileExtension: "wav")
        return try store.finish(
            take,
            with: MemoSound(
                rate: 8_000, channels: 1, bits: 16, frames: 5, bytes: bytes, peakDecibels: nil, clips: nil,
                gapFrames: nil, wasInterrupted: false), waveform: nil)
    }

    @Test func aLeapOfTheClockDeletesOnlyWhenItHasLastedADay() throws {
        let store = try store()
        try makeMemo(store)
        let leapt = now.adding(milliseconds: 40_000 * hour)
        for (hours, held, removed) in [(0, 1, 0), (1, 1, 0), (23, 1, 0), (24, 0, 1), (25, 0, 0)] {
            let then = leapt.adding(milliseconds: Int64(hours) * hour)
            #expect(try store.memos(at: then).isEmpty)
            #expect(try store.expire(at: then, dryRun: true).heldBackCount == held)
            let report = try store.expire(at: then, dryRun: false)
            #expect(report.heldBackCount == held, "\(hours) h")
            #expect(report.removedCount == removed, "\(hours) h")
            #expect(report.clockLeapt == (held == 0 ? nil : leapt))
        }
        #expect(folder.names(in: "store/audio").isEmpty)
    }

    @Test func aTakeUnderADoubtedClockDoesNotVouchForIt() throws {
        let store = try store()
        try makeMemo(store)
        try makeMemo(store, hours: 40_000)
        let then = now.adding(milliseconds: 40_000 * hour)
        #expect(try store.expire(at: then.adding(milliseconds: hour), dryRun: false).heldBackCount == 1)
        #expect(try store.expire(at: then.adding(milliseconds: 24 * hour), dryRun: false).removedCount == 1)
    }

    @Test func aClockThatCameBackHasDeletedNothing() throws {
        let store = try store()
        try makeMemo(store)
        let leapt = now.adding(milliseconds: 40_000 * hour)
        _ = try store.expire(at: leapt, dryRun: false)
        _ = try store.expire(at: now.adding(milliseconds: hour), dryRun: false)
        // The next leap begins from nothing, although the first was seen a day ago by its own count.
        let again = leapt.adding(milliseconds: 48 * hour)
        #expect(try store.expire(at: again, dryRun: false).heldBackCount == 1)
        #expect(try store.memos(at: now).count == 1)
    }

    @Test func whoForcesOrHasAClockThatIsKeptWaitsForNothing() throws {
        let late = now.adding(milliseconds: 40_000 * hour)
        let store = try store()
        try makeMemo(store)
        #expect(try store.expire(at: late, dryRun: false, force: true).removedCount == 1)
        let kept = try self.store(isSynchronised: true)
        try makeMemo(kept, hours: 40_000)
        #expect(
            try kept.expire(at: late.adding(milliseconds: 40_000 * hour), dryRun: false).removedCount == 1)
    }

    @Test func filesWithoutARowWaitForTheClockTooAndSoDoesALostDatabase() throws {
        try makeMemo(try store())
        let late = now.adding(milliseconds: 40_000 * hour)
        try FileManager.default.removeItem(atPath: folder.file("store/memos.db"))
        let store = try store()
        #expect(try store.expire(at: late, dryRun: false).heldBackCount == 1)
        try store.database.run("DELETE FROM memos")
        try store.database.run("UPDATE state SET active_at = ?", .integer(now.milliseconds))
        #expect(try store.expire(at: late, dryRun: false).removedCount == 0)
        #expect(folder.names(in: "store/audio").count == 1)
        // And they are not forgotten meanwhile.
        let later = late.adding(milliseconds: 25 * hour)
        #expect(try store.expire(at: later, dryRun: false).removedCount == 1)
    }

    @Test func expireRemembersWhenItRanAndWhetherItWorked() throws {
        let store = try store()
        #expect(try store.lastExpiry == nil)
        _ = try store.expire(at: now, dryRun: true)
        #expect(try store.lastExpiry == nil)
        _ = try store.expire(at: now, dryRun: false)
        #expect(try store.lastExpiry?.at == now)
        #expect(try store.lastExpiry?.worked == true)
        // A folder in a file's place cannot be removed.
        let memo = try makeMemo(store)
        let path = folder.file("store/audio/" + memo.file)
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        _ = try store.expire(at: memo.times.expireAt, dryRun: false)
        #expect(try store.lastExpiry?.at == memo.times.expireAt)
        #expect(try store.lastExpiry?.worked == false)
    }

    @Test func aMemoIsAnnouncedOnceAndOnceBeforeItLeaves() throws {
        let store = try store()
        let memos = [try makeMemo(store), try makeMemo(store), try makeMemo(store, hours: 24)]
        let (show, leave) = (memos[0].times.showAt, memos[0].times.expireAt)
        #expect(try store.arrivals(at: show.adding(milliseconds: -1)).isEmpty)
        #expect(try store.arrivals(at: show).map(\.id) == [1, 2])
        #expect(try store.markAnnounced(ids: [1], at: show) == [1])
        #expect(try store.arrivals(at: show).map(\.id) == [2])
        // Another process has been faster.
        #expect(try self.store().markAnnounced(ids: [1, 2], at: show) == [2])
        #expect(try store.arrivals(at: show).isEmpty)
        #expect(try store.arrivals(at: leave).map(\.id) == [3])

        #expect(try store.leaving(at: leave.adding(milliseconds: -2 * hour), within: hour).isEmpty)
        let late = leave.adding(milliseconds: -hour)
        #expect(try store.leaving(at: late, within: hour).map(\.id) == [1, 2])
        try store.markHeard(memos[0], at: late)
        #expect(try store.leaving(at: late, within: hour).map(\.id) == [2])
        #expect(try store.markReminded(ids: [2], at: late) == [2])
        #expect(try store.leaving(at: late, within: hour).isEmpty)
        #expect(try store.leaving(at: leave, within: 48 * hour).map(\.id) == [3])
        #expect(try store.markReminded(ids: [], at: late).isEmpty)
    }

    @Test func theOverviewIsWhatTheMemosAddUpTo() throws {
        let store = try store()
        #expect(try store.overview(at: now) == Store.Overview())
        for (hours, bytes) in [(0, 1), (0, 2), (24, 4), (24, 8), (48, 16), (0, 32)] as [(Int64, Int64)] {
            try makeMemo(store, hours: hours, bytes: bytes)
        }
        let running = try store.openTake(
            title: nil, category: nil, times: MemoTimes(start: now, dayStart: .midnight), format: "wav",
            fileExtension: "wav")
        try store.markHeard(try #require(try store.memo(id: 1, at: now)), at: now)
        for hours in stride(from: -10, through: 120, by: 5) as StrideThrough<Int64> {
            let then = now.adding(milliseconds: hours * hour)
            let memos = Dictionary(grouping: try store.memos(at: then)) { $0.state(at: then) }
            let (available, waiting) = (memos[.available] ?? [], memos[.waiting] ?? [])
            let overview = try store.overview(at: then)
            #expect(overview.availableCount == available.count)
            #expect(overview.unheardCount == available.count { $0.heardAt == nil })
            #expect(overview.waitingCount == waiting.count)
            #expect(overview.nextArrival == waiting.map(\.times.showAt).min())
            #expect(overview.nextDeparture == available.map(\.times.expireAt).min())
            #expect(overview.bytes == (available + waiting).reduce(0) { $0 + ($1.sound?.bytes ?? 0) })
            #expect(try store.waitingCount(at: then) == waiting.count)
        }
        withExtendedLifetime(running) {}
    }
}
