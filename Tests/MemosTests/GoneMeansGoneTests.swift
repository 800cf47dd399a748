import Foundation
import Linux
import TestSupport
import Testing

@testable import Memos

/// What is over leaves nothing: after any number of changes, every byte below the store is read.
@Suite struct GoneMeansGoneTests {
    @Test func nothingIsLeftOfWhatIsGone() throws {
        var life = try BusyStore(seed: 1)
        try life.live(steps: 400)
    }
}

@Suite struct GoneMeansGoneSlowTests {
    @Test(arguments: [2, 3] as [UInt64])
    func nothingIsLeftOfWhatIsGone(seed: UInt64) throws {
        var life = try BusyStore(seed: seed)
        try life.live(steps: 10_000)
    }
}

/// A store to which everything happens, and what has to be in it.
private struct BusyStore {
    private let folder: TemporaryFolder
    private var generator: Noise.Generator
    private var store: Store
    private var now = Timestamp(seconds: 1_796_000_000)
    /// The memos, and their secrets: a title, a category, a marker, a shape, a sample.
    private var secrets: [Int64: [Int]] = [:]
    private var lastSecret = 0

    init(seed: UInt64) throws {
        folder = try TemporaryFolder()
        generator = Noise.Generator(state: seed)
        store = try Store(path: folder.file("store"), formats: ["wav": "wav"])
    }

    /// Changes the store that often, and looks for what is gone.
    mutating func live(steps: Int) throws {
        for step in 1...steps {
            switch Int.random(in: 0..<100, using: &generator) {
            case 0..<50: try record()
            case 50..<70: try edit()
            case 70..<85: try delete()
            case 85..<88: store = try Store(path: folder.file("store"), formats: ["wav": "wav"])
            default: now = now.adding(milliseconds: .random(in: 0...3 * 3_600_000, using: &generator))
            }
            if step.isMultiple(of: 40) { try expire() }
            if step.isMultiple(of: max(100, steps / 20)) { try look() }
        }
        now = now.adding(milliseconds: 3 * 86_400_000)
        try expire()
        try look()
        #expect(lastSecret > steps && secrets.isEmpty)
    }

    /// A text that is found again, of a length that now and then needs a page of its own.
    private mutating func secret(_ own: inout [Int], most: Int = 6_000) -> String {
        lastSecret += 1
        own.append(lastSecret)
        let length = [10, 60, 400, most].randomElement(using: &generator)!
        return String(repeating: "<\(lastSecret)>", count: length / 6 + 1)
    }

    private mutating func record() throws {
        var own: [Int] = []
        let take = try store.openTake(
            title: secret(&own), category: secret(&own, most: 60),
            times: MemoTimes(start: now, dayStart: .midnight), format: "wav", fileExtension: "wav")
        let samples = Array(secret(&own).utf8)
        #expect(write(take.file.number, samples, samples.count) == samples.count)
        try store.add(Marker(frame: 1, text: secret(&own)), to: take)
        if Bool.random(using: &generator), Bool.random(using: &generator) { return try store.discard(take) }
        // What was marked meanwhile gives way to what is marked at the end.
        own.removeLast()
        let markers = (0..<Int.random(in: 0...3, using: &generator)).map { index in
            Marker(frame: Int64(index), text: secret(&own))
        }
        let memo = try store.finish(
            take,
            with: MemoSound(
                rate: 8_000, channels: 1, bits: 16, frames: 9, bytes: 9, peakDecibels: nil, clips: nil,
                gapFrames: nil, wasInterrupted: false), waveform: Array(secret(&own).utf8), markers: markers)
        secrets[memo.id] = own
    }

    private mutating func edit() throws {
        guard let id = secrets.keys.sorted().randomElement(using: &generator),
            var memo = try store.memo(id: id, at: now)
        else { return }
        // The first two are the title and the category.
        var own: [Int] = []
        (memo.title, memo.category) = (secret(&own), secret(&own, most: 60))
        secrets[id]?.replaceSubrange(0..<2, with: own)
        try store.edit(memo)
    }

    private mutating func delete() throws {
        guard let id = secrets.keys.sorted().randomElement(using: &generator),
            let memo = try store.memo(id: id, at: now)
        else { return }
        try store.delete(memo)
        secrets[id] = nil
    }

    private mutating func expire() throws {
        let report = try store.expire(at: now, dryRun: false, force: true)
        #expect(report.failures.isEmpty)
        let left = Set(try store.memos(at: now).map(\.id))
        secrets = secrets.filter { left.contains($0.key) }
    }

    /// Reads every byte, and compares the secrets in them with those that may be there.
    private func look() throws {
        var found: Set<Int> = []
        for (_, data) in folder.contents() {
            var number: Int?
            for byte in [UInt8](data) {
                switch byte {
                case UInt8(ascii: "<"): number = 0
                case UInt8(ascii: "0")...UInt8(ascii: "9"): number = number.map { $0 * 10 + Int(byte) - 48 }
                case UInt8(ascii: ">"):
                    if let number, number > 0 { found.insert(number) }
                    number = nil
                default: number = nil
                }
            }
        }
        // A row that is over but was not removed yet is still there.
        let expected = Set(secrets.values.joined())
        #expect(found.subtracting(expected).isEmpty, "what is gone is left")
        #expect(expected.subtracting(found).isEmpty, "what is not gone is lost")
    }
}
