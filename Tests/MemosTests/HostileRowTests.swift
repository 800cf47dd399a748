import Foundation
import TestSupport
import Testing

@testable import Memos

/// Rows that somebody else has written, or damage: whatever stands in them can be shown and reckoned with.
@Suite struct HostileRowTests {
    private let folder: TemporaryFolder
    private let now = Timestamp(seconds: 1_796_000_000)

    init() throws { folder = try TemporaryFolder() }

    /// A store with one memo in which every number is this one.
    private func store(_ number: Int64, frames: Int64) throws -> Store {
        let store = try Store(path: folder.file("store"), formats: ["wav": "wav"])
        try store.write {
            let numbers = [
                "started_at", "utc_offset", "rate", "channels", "bits", "bytes", "clips", "gap_frames",
                "heard_at", "first_frame", "end_frame", "position", "recorder",
            ]
            let times = MemoTimes(start: now, dayStart: .midnight)
            var memo = Memo(
                id: 1, title: nil, category: nil, times: times,
                file: AudioFileName(id: 1, times: times, fileExtension: "wav").text, format: "wav")
            memo.markers = [Marker(frame: number, text: nil)]
            try store.insert(memo, id: 1)
            try store.replaceMarkers(of: memo)
            for name in numbers { try store.database.run("UPDATE memos SET \(name) = ?", .integer(number)) }
            try store.database.run(
                "UPDATE memos SET frames = ?, show_at = ?, expire_at = ?", .integer(frames), .integer(number),
                .integer(.max))
            try store.database.run(
                "UPDATE state SET active_at = ?1, leapt_at = ?1, expired_at = ?1", .integer(number))
        }
        return store
    }

    @Test(arguments: [Int64.min, -1, 0, 1 << 62, .max], [0, 1_000, Int64.max])
    func everyNumberCanBeReckonedWith(number: Int64, frames: Int64) throws {
        let store = try store(number, frames: frames)
        let memo = try #require(try store.memos(at: now).first)
        let sound = try #require(memo.sound)
        #expect(sound.seconds >= 0 && sound.seconds.isFinite)
        #expect(sound.rate > 0 && sound.channels >= 0 && sound.bytes >= 0)
        #expect(sound.heard.upperBound <= sound.frames)
        #expect(sound.seconds(at: memo.markers[0].frame) >= 0)
        #expect(memo.position.map { sound.seconds(at: $0) >= 0 } ?? false)
        for instant in [memo.times.startedAt, memo.times.showAt, memo.times.expireAt, memo.heardAt ?? now] {
            let local = LocalTime(at: instant, utcOffset: memo.times.utcOffset)
            #expect(CalendarDate(dayNumber: local.date.dayNumber).parts.month > 0)
            #expect((0..<86_400).contains(LocalTime(at: instant).secondOfDay))
            #expect(abs(instant.milliseconds - now.milliseconds) < .max / 4)
        }
        let overview = try store.overview(at: now)
        #expect(overview.bytes >= 0 && overview.availableCount + overview.waitingCount == 1)
        #expect(try store.lastExpiry != nil)
        _ = try store.clockTrust(at: now)
        _ = try store.expire(at: now, dryRun: true)
    }

    @Test func timesThatNobodyLivesToSeeAreNoMemosFile() {
        #expect(AudioFileName("1-1-9223372036854700000-9223372036854775807.wav") == nil)
        #expect(AudioFileName("1-1-9223372036768375807-9223372036854775807.wav") == nil)
        #expect(AudioFileName("1-1-9007199168340992-9007199254740992.wav") != nil)
    }
}
