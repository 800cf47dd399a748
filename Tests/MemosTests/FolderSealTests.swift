import Foundation
import TestSupport
import Testing

@testable import Memos

/// When the store may believe that the folder is as it left it.
@Suite struct FolderSealTests {
    private let folder: TemporaryFolder
    private let store: Store
    private let now = Timestamp(seconds: 1_796_000_000)

    init() throws {
        folder = try TemporaryFolder()
        store = try Store(path: folder.file("store"), formats: ["wav": "wav"])
    }

    private func openTake() throws -> Take {
        try store.openTake(
            title: nil, category: nil, times: MemoTimes(start: now, dayStart: .midnight), format: "wav",
            fileExtension: "wav")
    }

    @Test func aFolderIsSealedOnceItWasCompared() throws {
        #expect(try !store.isSealed())
        _ = try store.expire(at: now, dryRun: true)
        #expect(try !store.isSealed())
        _ = try store.expire(at: now, dryRun: false)
        #expect(try store.isSealed())
    }

    @Test func whatTheStoreDoesItselfKeepsTheSeal() throws {
        _ = try store.expire(at: now, dryRun: false)
        let first = try openTake()
        #expect(try store.isSealed())
        try store.discard(first)
        #expect(try store.isSealed())
        let second = try openTake()
        let sound = MemoSound(
            rate: 8_000, channels: 1, bits: 16, frames: 5, bytes: 5, peakDecibels: nil, clips: nil,
            gapFrames: nil, wasInterrupted: false)
        try store.delete(try store.finish(second, with: sound, waveform: nil))
        #expect(try store.isSealed())
        let third = try openTake()
        let memo = try store.finish(third, with: sound, waveform: nil)
        #expect(try store.expire(at: memo.times.expireAt, dryRun: false).removedCount == 1)
        #expect(try store.isSealed())
        #expect(folder.names(in: "store/audio").isEmpty)
    }

    /// What others do, and what is cut half-way.
    @Test(arguments: ["made", "removed", "renamed", "rolled back", "in the making"])
    func whateverElseHappensBreaksIt(what: String) throws {
        let take = try openTake()
        _ = try store.expire(at: now, dryRun: false)
        #expect(try store.isSealed())
        let path = folder.file("store/audio/" + take.memo.file)
        switch what {
        case "made": try folder.write("store/audio/stray", "")
        case "removed": try FileManager.default.removeItem(atPath: path)
        case "renamed": try FileManager.default.moveItem(atPath: path, toPath: path + "x")
        case "rolled back":
            #expect(throws: StoreError.self) {
                try store.changeFolder { throw StoreError(attempt: "go on", reason: "it is a test") }
            }
            #expect(try store.isSealed())
            #expect(throws: StoreError.self) {
                try store.changeFolder {
                    try store.audio.remove(take.memo.file)
                    throw StoreError(attempt: "go on", reason: "it is a test")
                }
            }
        default: _ = try store.beginReplacement(of: take.memo)
        }
        #expect(try !store.isSealed())
    }

    @Test func aRowThatSomebodyTookAwayIsNoticed() throws {
        _ = try openTake()
        _ = try store.expire(at: now, dryRun: false)
        try store.database.run("DELETE FROM memos")
        #expect(try !store.isSealed())
        #expect(try store.expire(at: now, dryRun: false).adoptedCount == 1)
    }

    @Test func aLostFileOfASealedFolderIsNoticed() throws {
        let take = try openTake()
        _ = try store.expire(at: now, dryRun: false)
        try FileManager.default.removeItem(atPath: folder.file("store/audio/" + take.memo.file))
        #expect(try store.expire(at: now, dryRun: false).droppedCount == 1)
        #expect(try store.isSealed())
    }
}
