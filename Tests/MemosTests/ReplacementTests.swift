import AudioFile
import Engine
import Foundation
import Linux
import Sound
import TestSupport
import Testing

@testable import Memos

/// A memo in another format: one memo, whatever is cut.
@Suite struct ReplacementTests {
    private let folder: TemporaryFolder
    private let now = Timestamp(seconds: 1_796_000_000)

    init() throws { folder = try TemporaryFolder() }

    private func store() throws -> Store {
        let formats = AudioFileFormat.all.map { ($0.fileExtension, $0.name) }
        return try Store(path: folder.file("store"), formats: Dictionary(uniqueKeysWithValues: formats))
    }

    /// A finished memo of a second, as FLAC. Its take is closed, as if another process had recorded it.
    private func memo(_ store: Store, title: String = "kept") throws -> Memo {
        let memo = try recorded(store, title)
        // A process that another test is starting just now may still have the take's lock.
        while try store.isLocked(memo.file) { usleep(1_000) }
        return memo
    }

    private func recorded(_ store: Store, _ title: String) throws -> Memo {
        let take = try store.openTake(
            title: title, category: "fun", times: MemoTimes(start: now, dayStart: .midnight), format: "flac",
            fileExtension: "flac")
        let writer = try AudioFileWriter(
            descriptor: take.file, name: take.memo.file, format: AudioFileFormat.all[0],
            stream: StreamFormat(rate: 8_000, channels: 1, bits: 16))
        let samples = (0..<8_000).map { Int32($0 % 100) << 20 }
        try samples.withUnsafeBufferPointer { try writer.write($0) }
        try writer.close()
        return try store.finish(
            take,
            with: MemoSound(
                rate: 8_000, channels: 1, bits: 16, frames: 8_000, bytes: try take.file.status().bytes,
                peakDecibels: -12, clips: 3, gapFrames: 7, wasInterrupted: false), waveform: [1, 2, 3])
    }

    private func encode(
        _ memo: Memo, in store: Store, as name: String = "mp3", step: () -> Bool = { false }
    ) throws -> Memo? {
        let format = try #require(AudioFileFormat.named(name))
        return try Reencoder.encode(
            memo, in: store, as: format, progress: { _ in }, isCancelled: step)
    }

    private var files: [String] { folder.names(in: "store/audio") }
    private func stem(_ memo: Memo) -> String { String(memo.file.prefix { $0 != "." }) }
    private func path(_ name: String) -> String { folder.file("store/audio/" + name) }

    /// Opens the store anew and cleans up, as cron does, and gives the memos that are then there.
    private func memosAfterExpire() throws -> [Memo] {
        let store = try store()
        #expect(try store.expire(at: now, dryRun: false).failures.isEmpty)
        #expect(try Salvager.salvage(store).failures.isEmpty)
        #expect(try store.expire(at: now, dryRun: false).failures.isEmpty)
        return try store.memos(at: now)
    }

    @Test(arguments: AudioFileFormat.all.filter { !$0.isWrittenLive }.map(\.name))
    func aMemoGetsAnotherFileAndKeepsAllElse(name: String) throws {
        let store = try store()
        let before = try memo(store)
        try store.markHeard(before, at: now)
        let after = try #require(try encode(before, in: store, as: name))
        let format = try #require(AudioFileFormat.named(name))
        var expected = before
        expected.heardAt = now
        expected.format = name
        expected.file = stem(before) + "." + format.fileExtension
        expected.sound?.bytes = try #require(try store.openFile(of: after)).status().bytes
        #expect(after == expected)
        #expect(try store.memos(at: now) == [expected])
        #expect(try store.waveform(of: after) == [1, 2, 3])
        #expect(files == [after.file])
        #expect(try memosAfterExpire() == [expected])
        #expect(files == [after.file])
        // Who still has the old row finds the sound.
        #expect(try store.openFile(of: before) != nil)
    }

    @Test func whileItIsMadeItIsLockedAndNobodysMemo() throws {
        let store = try store()
        let memo = try memo(store)
        var looked = 0
        let after = try encode(memo, in: store) {
            looked += 1
            #expect(files.sorted() == [memo.file, stem(memo) + ".part"].sorted())
            #expect((try? memosAfterExpire()) == [memo])
            #expect(throws: StoreError.self) { try store.beginReplacement(of: memo) }
            #expect(files.count == 2)
            return false
        }
        #expect(looked > 0)
        #expect(files == [try #require(after).file])
    }

    @Test func whatIsCancelledOrFailsLeavesTheMemo() throws {
        let store = try store()
        let memo = try memo(store)
        #expect(throws: AudioFileError.self) { try encode(memo, in: store) { true } }
        #expect(files == [memo.file])
        // A name that cannot be given: the folder there is another's.
        try FileManager.default.createDirectory(
            atPath: path(stem(memo) + ".mp3"), withIntermediateDirectories: true)
        #expect(throws: StoreError.self) { try encode(memo, in: store) }
        #expect(files == [memo.file, stem(memo) + ".mp3"].sorted())
        #expect(try store.memos(at: now) == [memo])
    }

    @Test func aMemoThatIsDeletedMeanwhileStaysDeleted() throws {
        let store = try store()
        let first = try memo(store)
        var isDeleted = false
        let after = try encode(first, in: store) {
            if !isDeleted { try? self.store().delete(first) }
            isDeleted = true
            return false
        }
        #expect(after == nil)
        #expect(files.isEmpty)
        #expect(try memosAfterExpire().isEmpty)

        // Deleted by someone who had looked before its file was another.
        let second = try memo(store)
        _ = try encode(second, in: store)
        try store.delete(second)
        #expect(files.isEmpty)
        #expect(try memosAfterExpire().isEmpty)

        // A deletion that was killed after its first step.
        let third = try memo(store)
        var isRemoved = false
        #expect(
            try encode(third, in: store) {
                if !isRemoved { unlink(path(third.file)) }
                isRemoved = true
                return false
            } == nil)
        #expect(files.isEmpty)
    }

    @Test func aMemoWhoseTimeEndsMeanwhileIsGone() throws {
        let store = try store()
        let memo = try memo(store)
        var isOver = false
        let after = try encode(memo, in: store) {
            if !isOver { _ = try? self.store().expire(at: memo.times.expireAt, dryRun: false) }
            isOver = true
            return false
        }
        #expect(after == nil)
        #expect(files.isEmpty)
    }

    /// What each kill leaves: which files, and which of them the row names.
    static let crashes: [(files: [String], row: String)] = [
        (["flac", "part"], "flac"), (["flac", "mp3"], "flac"), (["flac", "mp3"], "mp3"),
        (["flac", "mp3", "part"], "mp3"), (["mp3"], "mp3"),
        (["caf", "flac", "mp3", "ogg", "opus", "wav"], "flac"),
    ]

    @Test(arguments: crashes)
    func whereverItIsKilledThereIsOneMemoAndOneFile(left: [String], row: String) throws {
        let store = try store()
        let before = try memo(store)
        for ending in left where ending != "flac" {
            try FileManager.default.copyItem(
                atPath: path(before.file), toPath: path(stem(before) + "." + ending))
        }
        if !left.contains("flac") { unlink(path(before.file)) }
        try store.database.run(
            "UPDATE memos SET file = ?, format = ?", .text(stem(before) + "." + row), .text(row))
        let dry = try store.expire(at: now, dryRun: true)
        #expect(dry.adoptedCount == 0 && dry.removedCount == 0 && dry.droppedCount == 0)
        #expect((dry.freedBytes > 0) == (left.count > 1))
        #expect(files.count == left.count)
        let memos = try memosAfterExpire()
        #expect(memos.map(\.file) == [stem(before) + "." + row])
        #expect(memos.map(\.title) == ["kept"])
        #expect(files == [stem(before) + "." + row])
    }

    @Test(arguments: crashes)
    func aLostDatabaseIsRebuiltWithOneOfTheFiles(left: [String], row: String) throws {
        do {
            let store = try store()
            let before = try memo(store)
            for ending in left where ending != "flac" {
                try FileManager.default.copyItem(
                    atPath: path(before.file), toPath: path(stem(before) + "." + ending))
            }
            if !left.contains("flac") { unlink(path(before.file)) }
        }
        try FileManager.default.removeItem(atPath: folder.file("store/memos.db"))
        let memos = try memosAfterExpire()
        #expect(memos.count == 1)
        #expect(memos.first?.format == (left.contains("flac") ? "flac" : "mp3"))
        #expect(memos.first?.sound?.frames == 8_000)
        #expect(files == memos.map(\.file))
    }

    @Test func aLeftoverIsNotRemovedBeforeTheMemosOwnFileWasHeard() throws {
        let store = try store()
        let before = try memo(store)
        try FileManager.default.copyItem(atPath: path(before.file), toPath: path(stem(before) + ".mp3"))
        // The rows are lost, and the file that was recorded is damaged.
        try Noise.bits16(frames: 50_000).write(to: URL(fileURLWithPath: path(before.file)))
        try store.database.run("DELETE FROM memos")
        _ = try store.expire(at: now, dryRun: false)
        #expect(try Salvager.salvage(store).failures.count == 1)
        _ = try store.expire(at: now, dryRun: false)
        #expect(files == [before.file, stem(before) + ".mp3"])
        _ = try store.expire(at: before.times.expireAt, dryRun: false)
        #expect(files.isEmpty)
    }

    @Test func aStalePartIsReplaced() throws {
        let store = try store()
        let memo = try memo(store)
        try folder.write("store/audio/" + stem(memo) + ".part", "old")
        let after = try encode(memo, in: store)
        #expect(files == [try #require(after).file])
    }

    @Test func expireEmptiesTheScratchFolder() throws {
        let store = try store()
        try store.makeScratch()
        try store.makeScratch()
        try folder.write("store/scratch/1234-alac.tmp", "left by a kill")
        let outside = try folder.write("outside", "precious")
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("store/scratch/link"), withDestinationPath: outside)
        _ = try store.expire(at: now, dryRun: true)
        #expect(folder.names(in: "store/scratch").count == 2)
        _ = try store.expire(at: now, dryRun: false)
        #expect(folder.names(in: "store/scratch") == ["link"])
        #expect(try String(contentsOfFile: outside, encoding: .utf8) == "precious")
    }
}
