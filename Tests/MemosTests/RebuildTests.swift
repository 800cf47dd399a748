import Foundation
import TestSupport
import Testing

@testable import Memos

/// What can be read of a damaged database is taken over.
@Suite struct RebuildTests {
    private let folder: TemporaryFolder
    private let now = Timestamp(seconds: 1_796_000_000)
    private let count = 400

    init() throws { folder = try TemporaryFolder() }

    private func open() throws -> Store { try Store(path: folder.file("store"), formats: ["wav": "wav"]) }

    /// Makes a store whose rows fill many pages, and zeroes some of these.
    private func makeDamagedStore() throws {
        let store = try open()
        try store.write {
            for id in 1...Int64(count) {
                let here = MemoTimes(start: now, dayStart: .midnight)
                // Recorded in Nepal, and made anew wherever this runs.
                let times = MemoTimes(
                    startedAt: here.startedAt, utcOffset: 20_700, showAt: here.showAt, expireAt: here.expireAt
                )
                var memo = Memo(
                    id: id, title: "title \(id)", category: "fun", times: times,
                    file: AudioFileName(id: id, times: times, fileExtension: "wav").text, format: "wav")
                memo.sound = MemoSound(
                    rate: 8_000, channels: 1, bits: 16, frames: 7, bytes: 9, peakDecibels: -3, clips: 0,
                    gapFrames: 0, wasInterrupted: false)
                memo.heardAt = now
                memo.markers = [Marker(frame: 2, text: "marker \(id)")]
                try store.insert(memo, id: id)
                try store.replaceMarkers(of: memo)
                try folder.write("store/audio/" + memo.file, "")
            }
        }
        try store.delete(try #require(try store.memo(id: Int64(count), at: now)))
        let path = folder.file("store/memos.db")
        let pages = try store.database.rows(
            "SELECT pageno FROM dbstat WHERE name = 'memos' AND pagetype = 'leaf' ORDER BY pageno"
        ) { Int($0.int64(0)) }
        #expect(pages.count > 10)
        var data = try Data(contentsOf: URL(fileURLWithPath: path))
        for page in pages[4..<6] {
            data.replaceSubrange((page - 1) * 4096..<page * 4096, with: Data(count: 4096))
        }
        try data.write(to: URL(fileURLWithPath: path))
    }

    private func expectRebuilt(_ store: Store) throws {
        let memos = try store.memos(at: now)
        #expect(memos.map(\.id) == Array(1...Int64(count - 1)))
        let known = memos.filter { $0.title != nil }
        #expect(known.count > count * 8 / 10 && known.count < count)
        for memo in known {
            #expect(memo.title == "title \(memo.id)" && memo.category == "fun" && memo.heardAt == now)
            #expect(memo.sound?.frames == 7 && memo.markers.map(\.text) == ["marker \(memo.id)"])
        }
        #expect(try store.check().damages.isEmpty)
        #expect(!folder.names(in: "store").contains { $0.hasPrefix("memos.db.") })
        let take = try store.openTake(
            title: nil, category: nil, times: MemoTimes(start: now, dayStart: .midnight), format: "wav",
            fileExtension: "wav")
        #expect(take.memo.id == Int64(count) + 1)
    }

    @Test func theRowsOnBothSidesOfTheDamageAreKept() throws {
        try makeDamagedStore()
        #expect(throws: StoreError.self) { try open().memos(at: now) }
        let (store, takenOver) = try Store.rebuild(path: folder.file("store"), formats: ["wav": "wav"])
        #expect(takenOver > count * 8 / 10)
        try expectRebuilt(store)
    }

    @Test func aRebuildThatWasCutGoesOnWithTheNextExpire() throws {
        try makeDamagedStore()
        try FileManager.default.moveItem(
            atPath: folder.file("store/memos.db"), toPath: folder.file("store/memos.db.damaged"))
        let store = try open()
        _ = try store.expire(at: now, dryRun: false)
        try expectRebuilt(store)
    }

    /// With no room for a new database, what is known stays in the old one.
    @Test(.enabled(if: getuid() == 0, "mounting a disk needs root"))
    func aRebuildOnAFullDiskTakesNothingAway() throws {
        try folder.mountDisk(on: "store", options: "size=1m")
        try makeDamagedStore()
        let filler = folder.file("store/filler")
        #expect(FileManager.default.createFile(atPath: filler, contents: nil))
        let handle = try #require(FileHandle(forWritingAtPath: filler))
        #expect(throws: (any Error).self) { while true { try handle.write(contentsOf: Data(count: 4096)) } }
        #expect(throws: StoreError.self) {
            try Store.rebuild(path: folder.file("store"), formats: ["wav": "wav"])
        }
        _ = try open().expire(at: now, dryRun: false)
        try handle.truncate(atOffset: 0)
        #expect(try open().expire(at: now, dryRun: false).failures.isEmpty)
        try expectRebuilt(try open())
    }
}
