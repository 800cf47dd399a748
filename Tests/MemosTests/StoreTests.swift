import AudioFile
import Engine
import Foundation
import Linux
import Sound
import TestSupport
import Testing

@testable import Memos

@Suite struct StoreTests {
    private let folder: TemporaryFolder
    private let now = Timestamp(seconds: 1_796_000_000)
    private var times: MemoTimes { MemoTimes(start: now, dayStart: .midnight) }

    init() throws { folder = try TemporaryFolder() }

    private func store() throws -> Store {
        try Store(path: folder.file("store"), formats: ["flac": "flac", "wav": "wav"])
    }

    private func openTake(_ store: Store, title: String? = nil, at start: Timestamp? = nil) throws -> Take {
        try store.openTake(
            title: title, category: nil, times: MemoTimes(start: start ?? now, dayStart: .midnight),
            format: "wav", fileExtension: "wav")
    }

    /// Writes a short sound into a take, as a recorder does.
    private func write(_ take: Take, frames: Int = 100) throws {
        let stream = StreamFormat(rate: 8_000, channels: 1, bits: 16)
        let writer = try AudioFileWriter(
            descriptor: take.file, name: take.memo.file, format: AudioFileFormat.named("wav")!, stream: stream
        )
        try [Int32](repeating: 1 << 20, count: frames).withUnsafeBufferPointer { try writer.write($0) }
        try writer.close()
    }

    private func finish(_ take: Take, in store: Store) throws -> Memo {
        try Salvager.finish(take, in: store, frames: 100, after: nil, wasInterrupted: false)
    }

    @Test func aTakeIsARowAndALockedFileFromItsFirstMoment() throws {
        let store = try store()
        let take = try openTake(store, title: "first")
        #expect(
            take.memo.file
                == "1-\(now.milliseconds)-\(times.showAt.milliseconds)-\(times.expireAt.milliseconds).wav")
        #expect(try store.running().map(\.id) == [1])
        #expect(try store.claimInterrupted().isEmpty)
        #expect(try store.memo(id: 1, at: now)?.state(at: now) == .recording)
        try write(take)
        let memo = try finish(take, in: store)
        #expect(memo.state(at: now) == .waiting)
        #expect(try store.memo(id: 1, at: now) == memo)
        #expect(try store.running().isEmpty)
    }

    @Test func aNumberIsNeverGivenTwice() throws {
        let store = try store()
        for expected in [1, 2] as [Int64] {
            let take = try openTake(store)
            #expect(take.memo.id == expected)
            try store.discard(take)
        }
        #expect(folder.names(in: "store/audio").isEmpty)
        #expect(try openTake(store).memo.id == 3)
    }

    @Test func noTakeIsStolenWhileAnotherProcessSalvagesWithoutPause() throws {
        let store = try store()
        let salvaging = try Child(
            [Rig.probe, "salvage", folder.file("store")], environment: ["PATH": "/usr/bin:/bin"])
        var stolen = 0
        for number in 1...600 as ClosedRange<Int64> {
            let take = try openTake(store)
            try write(take)
            // Its row is still its own when it is finished: nobody has finished or thrown it away.
            if try store.memos(where: "id = ? AND frames IS NULL", .integer(number)).isEmpty { stolen += 1 }
            _ = try finish(take, in: store)
        }
        #expect(stolen == 0)
        #expect(!salvaging.ends(within: 0), "the other process has failed")
        salvaging.send(SIGKILL)
        #expect(folder.names(in: "store/audio").count == 600)
        #expect(try store.memos(where: "interrupted = 0").count == 600)
    }

    @Test func aTakeThatNobodyRecordsAnyMoreIsClaimedOnce() throws {
        let store = try store()
        try write(try openTake(store))
        // A process that another test is starting just now may still have the take's lock.
        while try !store.running().isEmpty { usleep(1_000) }
        let other = try self.store()
        let claimed = try store.claimInterrupted()
        #expect(claimed.map(\.memo.id) == [1])
        #expect(try other.claimInterrupted().isEmpty)
        #expect(try Salvager.salvage(claimed[0], in: store)?.sound?.frames == 100)
        #expect(try other.claimInterrupted().isEmpty)
    }

    @Test func aLostDatabaseIsRebuiltFromTheFiles() throws {
        var kept: [Memo] = []
        do {
            let store = try store()
            for title in ["one", "two"] {
                let take = try openTake(store, title: title)
                try write(take)
                kept.append(try finish(take, in: store))
            }
            let old = try openTake(store, at: now.adding(milliseconds: -3 * 86_400_000))
            try write(old)
            _ = try finish(old, in: store)
        }
        try FileManager.default.removeItem(atPath: folder.file("store/memos.db"))
        try folder.write("store/audio/notes.txt", "a stranger")
        let store = try store()
        _ = try Salvager.salvage(store)
        let memos = try store.memos(at: now)
        #expect(memos.map(\.id) == [1, 2])
        for (memo, before) in zip(memos, kept) {
            #expect(memo.times == before.times)
            #expect(memo.sound?.frames == before.sound?.frames)
            #expect(memo.sound?.wasInterrupted == false)
        }
        #expect(folder.names(in: "store/audio").count == 4)
        let report = try store.expire(at: now, dryRun: false)
        #expect(report.removedCount == 1)
        #expect(folder.names(in: "store/audio").count == 3)
        #expect(folder.names(in: "store/audio").contains("notes.txt"))
        #expect(try openTake(store).memo.id == 4)
    }

    @Test func aTakeWhoseRowWasLostMeanwhileIsAMemoAllTheSame() throws {
        let take = try openTake(try store(), title: "kept")
        try write(take)
        try FileManager.default.removeItem(atPath: folder.file("store/memos.db"))
        let again = try store()
        #expect(try again.claimInterrupted().isEmpty)
        let memo = try finish(take, in: again)
        #expect(try again.memos(at: now).map(\.file) == [memo.file])
    }

    @Test func aTakeThatWasGivenAnotherNumberMeanwhileIsOneMemo() throws {
        let take = try openTake(try store(), title: "kept")
        try write(take)
        try FileManager.default.removeItem(atPath: folder.file("store/memos.db"))
        let again = try store()
        try again.database.run("UPDATE memos SET id = 7")
        let memo = try finish(take, in: again)
        #expect(memo.id == 7)
        #expect(try again.memos(at: now).map(\.title) == ["kept"])
    }

    @Test func aFileWithoutARowIsAdoptedAndOneThatIsOverIsRemoved() throws {
        let store = try store()
        let take = try openTake(store)
        try write(take)
        let memo = try finish(take, in: store)
        try store.database.run("DELETE FROM memos")
        #expect(try store.expire(at: now, dryRun: true).adoptedCount == 1)
        #expect(try store.expire(at: now, dryRun: false).adoptedCount == 1)
        withExtendedLifetime(take) {}
        try store.database.run("DELETE FROM memos")
        let late = try store.expire(at: memo.times.expireAt, dryRun: false)
        // The test still holds the file's lock, as a recorder would.
        #expect(late.removedCount == 0)
        withExtendedLifetime(take) {}
    }

    @Test func aRowWithoutAFileIsDropped() throws {
        let store = try store()
        let take = try openTake(store)
        try write(take)
        let memo = try finish(take, in: store)
        try FileManager.default.removeItem(atPath: folder.file("store/audio/" + memo.file))
        #expect(try store.openFile(of: memo) == nil)
        #expect(try store.expire(at: now, dryRun: false).droppedCount == 1)
        #expect(try store.memo(id: 1, at: now) == nil)
    }

    @Test func nothingIsRemovedThroughALinkOrAStrangeName() throws {
        let store = try store()
        let outside = try folder.write("outside", "precious")
        let name = AudioFileName(id: 9, times: times, fileExtension: "wav").text
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("store/audio/" + name), withDestinationPath: outside)
        try store.database.run(
            """
            INSERT INTO memos (file, format, started_at, utc_offset, show_at, expire_at, frames, bytes, rate,
            channels, bits, interrupted) VALUES ('../../outside', 'wav', 1, 0, 2, 3, 1, 1, 1, 1, 16, 0)
            """)
        let report = try store.expire(at: times.expireAt, dryRun: false, force: true)
        // A link is not looked at; a row that leads elsewhere goes, and what it leads to stays.
        #expect(report.removedCount == 0 && report.droppedCount == 1 && report.failures.count == 1)
        #expect(try store.memos(where: "1").isEmpty)
        #expect(try String(contentsOfFile: outside, encoding: .utf8) == "precious")
    }

    /// What looks like memos of ours may be another store's.
    @Test func aFolderThatIsALinkIsNotFollowed() throws {
        _ = try store()
        let name = AudioFileName(id: 9, times: times, fileExtension: "wav").text
        try FileManager.default.removeItem(atPath: folder.file("store/audio"))
        try FileManager.default.createDirectory(
            atPath: folder.file("others"), withIntermediateDirectories: false)
        let others = try folder.write("others/" + name, "precious")
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("store/audio"), withDestinationPath: folder.file("others"))
        #expect(throws: StoreError.self) { try store() }
        #expect(try String(contentsOfFile: others, encoding: .utf8) == "precious")
    }

    /// Deleting balances SQLite's trees: rows move between pages, and leave copies of themselves behind.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func noTitleOutlivesItsMemoInThePagesOfTheDatabase(seed: UInt64) throws {
        var generator = Noise.Generator(state: seed)
        let store = try store()
        var titles: [Int64: String] = [:]
        for id in 1...400 as ClosedRange<Int64> {
            let length = Int.random(
                in: 5...[20, 200, 3_000, 6_000].randomElement(using: &generator)!, using: &generator)
            let title = "<\(id)>" + String(repeating: "secret", count: length / 6 + 1)
            try store.database.write {
                let memo = Memo(
                    id: id, title: title, category: nil, times: times,
                    file: AudioFileName(id: id, times: times, fileExtension: "wav").text, format: "wav",
                    markers: [Marker(frame: 7, text: "[\(id)]" + String(title.dropFirst(5)))])
                try store.insert(memo, id: id)
                try store.replaceMarkers(of: memo)
            }
            titles[id] = "<\(id)>"
        }
        var left = Array(titles.keys).shuffled(using: &generator)
        while !left.isEmpty {
            let gone = left.prefix(40)
            left.removeFirst(gone.count)
            try store.write { try store.erase(gone) }
            // Some of those that stay are called something else from now on.
            var edited: [String] = []
            for id in left.prefix(2) {
                var memo = try #require(try store.memo(id: id, at: now))
                edited.append(titles[id]!)
                titles[id] = "<\(id)\(edited.count)new>"
                memo.title = titles[id]
                try store.edit(memo)
            }
            let data = folder.contents().reduce(Data()) { $0 + $1.data }
            let over = gone.flatMap { [titles[$0]!, "[\($0)]"] } + edited
            for text in over { #expect(data.range(of: Data(text.utf8)) == nil, "\(text)") }
            for text in left.flatMap({ [titles[$0]!, "[\($0)]"] }) where !edited.contains(text) {
                #expect(data.range(of: Data(text.utf8)) != nil, "\(text)")
            }
        }
        #expect(try store.database.rows("PRAGMA integrity_check") { $0.text(0) } == ["ok"])
    }

    @Test func aTrimAndMarkersStayWithTheirMemo() throws {
        let store = try store()
        let take = try openTake(store)
        try write(take)
        var memo = try finish(take, in: store)
        memo.title = "named"
        memo.sound?.trim = 20..<70
        memo.markers = [Marker(frame: 10, text: "early"), Marker(frame: 40, text: nil)]
        try store.edit(memo)
        try store.database.write { try store.replaceMarkers(of: memo) }
        let read = try #require(try store.memo(id: 1, at: now))
        #expect(read == memo)
        #expect(read.sound?.seconds == 50.0 / 8_000)
        #expect(read.markers.map { read.sound!.seconds(at: $0.frame) } == [0, 20.0 / 8_000])
        // A trim that is none is passed over, whoever has written it.
        try store.database.run("UPDATE memos SET first_frame = 90, end_frame = 200")
        #expect(try store.memo(id: 1, at: now)?.sound?.trim == nil)
        try store.delete(memo)
        #expect(try store.database.number("SELECT count(*) FROM markers") == 0)
    }

    @Test func aTakeWhoseFolderWasRemovedMeanwhileIsWrittenAnew() throws {
        let take = try openTake(try store(), title: "kept")
        try write(take)
        try FileManager.default.removeItem(atPath: folder.file("store"))
        let again = try store()
        let memo = try finish(take, in: again)
        #expect(memo.title == "kept")
        let file = try #require(try again.openFile(of: memo))
        #expect(try AudioFileReader(descriptor: file, name: memo.file).frames == 100)
    }

    @Test func rowsThatNobodyOfUsHasWrittenAreReadWithoutATrap() throws {
        let store = try store()
        try store.database.run(
            """
            INSERT INTO memos (file, format, started_at, utc_offset, show_at, expire_at, frames, bytes, rate,
            channels, bits, interrupted) VALUES ('x', 'wav', 1, 0, 2, ?, 9223372036854775807, -1, 0, 1, 16, 0)
            """, .integer(.max))
        let memo = try #require(try store.memos(at: now).first)
        #expect(memo.sound?.seconds ?? 0 > 0)
        #expect(memo.sound?.bytes == 0)
    }

    @Test func aFileThatCannotBeHeardIsNeverSweptAway() throws {
        let name = AudioFileName(id: 3, times: times, fileExtension: "wav").text
        for formats in [["wav": "wav"], ["wav": "flac"], ["wav": "opus"]] {
            try? FileManager.default.removeItem(atPath: folder.file("store"))
            try FileManager.default.createDirectory(
                atPath: folder.file("store/audio"), withIntermediateDirectories: true)
            let noise = Noise.bits16(frames: 50_000)
            try folder.write("store/audio/" + name, noise)
            let store = try Store(path: folder.file("store"), formats: formats)
            #expect(try Salvager.salvage(store).failures.count == 1)
            _ = try store.expire(at: now, dryRun: false)
            #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file("store/audio/" + name))) == noise)
            #expect(try store.expire(at: times.expireAt, dryRun: false).removedCount == 1)
        }
    }

    @Test func aDatabaseOfAnotherProgramOrANewerOneIsRefusedByName() throws {
        _ = try store()
        let path = folder.file("store/memos.db")
        let database = try Database(path: path)
        try database.run("PRAGMA user_version = 99")
        #expect(throws: StoreError(attempt: "use \(path)", reason: "a newer version of tomorrow wrote it")) {
            try store()
        }
        try database.run("PRAGMA user_version = 1")
        try database.run("PRAGMA application_id = 7")
        #expect(throws: StoreError(attempt: "use \(path)", reason: "it is not a database of tomorrow")) {
            try store()
        }
    }
}
