import Foundation
import Linux
import TestSupport
import Testing

@testable import Memos

/// Databases of every version there was, brought to the newest: Fixtures has one of each, with the same memos.
@Suite struct MigrationTests {
    private let folder: TemporaryFolder
    private static let versions = 1...Migrations.steps.count
    private static let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Fixtures").path
    private let now = Timestamp(milliseconds: 1_796_050_000_000)

    init() throws { folder = try TemporaryFolder() }

    private func open() throws -> Store { try Store(path: folder.file("store"), formats: ["flac": "flac"]) }

    /// Makes a store whose database a version has left.
    private func makeStore(version: Int) throws {
        try FileManager.default.createDirectory(
            atPath: folder.file("store/audio"), withIntermediateDirectories: true)
        let ended = try Child(
            ["sqlite3", folder.file("store/memos.db"), ".read \(Self.fixtures)/version-\(version).sql"],
            environment: ["PATH": "/usr/bin:/bin"]
        ).finish()
        try #require(ended.status == 0, "\(ended.notes)")
    }

    /// How the tables and indices were made.
    private func shape(_ store: Store) throws -> [String] {
        try store.database.rows("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name") {
            $0.text(0)
        }
    }

    /// Some times, as it is a matter of luck what a reader meets.
    @Test func whoeverLooksWhileAnotherMakesTheDatabaseFindsItOurs() throws {
        let failures = Guarded<[String]>([])
        for round in 0..<30 {
            let path = folder.file("\(round).db")
            let readers = Guarded(0)
            DispatchQueue.concurrentPerform(iterations: 3) { index in
                do {
                    let database = try Database(path: path)
                    if index == 0 {
                        while readers.withLock({ $0 }) == 0 { sched_yield() }
                        return try Migrations.apply(to: database, path: path) {}
                    }
                    while try Migrations.version(of: database, path: path) < Migrations.steps.count {
                        readers.withLock { $0 += 1 }
                        // Or those who read keep the other one from writing for long.
                        usleep(100)
                    }
                } catch {
                    failures.withLock { $0.append("\(error)") }
                }
            }
        }
        #expect(failures.withLock { $0 } == [])
    }

    @Test func thereIsAFixtureOfEveryVersion() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.fixtures).sorted()
        #expect(names == Self.versions.map { "version-\($0).sql" })
    }

    @Test(arguments: versions)
    func aDatabaseOfEveryVersionKeepsWhatItHad(version: Int) throws {
        try makeStore(version: version)
        let store = try open()
        let memos = try store.memos(at: now)
        #expect(memos.map(\.id) == [1, 2, 3])
        #expect(memos.map(\.title) == ["Begin with the hardest thing", nil, "interrupted"])
        #expect(memos.map(\.category) == ["courage", nil, nil])
        #expect(memos.map(\.sound?.frames) == [24_000, 12_000, nil])
        #expect(memos.map(\.sound?.trim) == [100..<20_000, nil, nil])
        #expect(
            memos[0].markers == [Marker(frame: 4_000, text: "the point"), Marker(frame: 9_000, text: nil)])
        #expect(memos.allSatisfy { $0.file == AudioFileName($0.file)?.text })
        #expect(memos.allSatisfy { $0.times.showAt.milliseconds == 1_796_079_600_000 })
        #expect(try store.waveform(of: memos[1]) == [0, 1, 0xff, 0x7f, 2, 3])
        #expect(try store.database.number("PRAGMA user_version") == Int64(Migrations.steps.count))
        let take = try store.openTake(
            title: nil, category: nil, times: MemoTimes(start: now, dayStart: .midnight), format: "flac",
            fileExtension: "flac")
        #expect(take.memo.id == 8)
        // Nobody sees where it has come from.
        let fresh = try Store(path: folder.file("fresh"), formats: [:])
        #expect(try shape(store) == shape(fresh))
        #expect(try store.database.rows("PRAGMA integrity_check") { $0.text(0) } == ["ok"])
    }

    @Test(arguments: [.min, -1, 0, 1] as [Int32])
    func aVersionThatTheTablesDoNotFitIsDamage(version: Int32) throws {
        try open().database.run("PRAGMA user_version = \(version)")
        #expect(throws: StoreError.self) { try open() }
        do {
            _ = try open()
        } catch let error as StoreError {
            #expect(error.isDamage, "\(error)")
        }
        let (store, _) = try Store.rebuild(path: folder.file("store"), formats: [:])
        #expect(try store.check().damages.isEmpty)
    }

    @Test func whatOldVersionsLeftInThePagesIsOverwritten() throws {
        try makeStore(version: 1)
        let path = folder.file("store/memos.db")
        var data = try Data(contentsOf: URL(fileURLWithPath: path))
        // In a leaf of a table with room, as a row that has moved elsewhere leaves it.
        let page = try #require(
            stride(from: 4096, to: data.count, by: 4096).first { data[$0] == 0x0d && data[$0 + 5] > 8 })
        data.replaceSubrange(page + 1_000..<page + 1_006, with: Data("secret".utf8))
        try data.write(to: URL(fileURLWithPath: path))
        #expect(try open().memos(at: now).count == 3)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)).range(of: Data("secret".utf8)) == nil)
    }
}
