import AudioFile
import Engine
import Foundation
import Linux
import Memos

@testable import tomorrow

/// A store whose database somebody else has written.
enum StoreFuzzing {
    private static let path = FuzzTarget.folder + "/store"
    /// 2026-12-02 12:00 UTC: in the corpus' databases memo 1 is over, 2 can be heard, 3 waits.
    static let now = Timestamp(seconds: 1_796_212_800)
    /// The files of the memos of the corpus' databases.
    static let names = [
        "1-1796036400000-1796083200000-1796169600000.flac",
        "2-1796122800000-1796169600000-1796256000000.flac",
        "3-1796209200000-1796256000000-1796342400000.flac",
    ]

    /// Lays the bytes down as the store's database.
    private static func lay(_ bytes: [UInt8]) throws {
        let files = FileManager.default
        try? files.removeItem(atPath: path)
        try files.createDirectory(atPath: path + "/audio", withIntermediateDirectories: true)
        for name in names { try Data([1, 2, 3]).write(to: URL(fileURLWithPath: path + "/audio/" + name)) }
        try Data(bytes).write(to: URL(fileURLWithPath: path + "/memos.db"))
    }

    /// Opens the store, shows what is in it, lets go what is over, and makes it anew: what can be heard stays.
    @Sendable static func open(_ bytes: [UInt8]) throws {
        try lay(bytes)
        try? use(Store(path: path, formats: Context.formats))
        try lay(bytes)
        let rebuilt = try Store.rebuild(path: path, formats: Context.formats).store
        FuzzTarget.require(isThere(1) && isThere(2), "a memo's file went with the database")
        FuzzTarget.require((try? rebuilt.memos(at: now).count) ?? 0 >= 2, "a memo went with the database")
        _ = try rebuilt.expire(at: now, dryRun: false, force: true)
        FuzzTarget.require(isThere(1) && isThere(2), "a memo's file went that is not over")
    }

    private static func isThere(_ index: Int) -> Bool {
        FileManager.default.fileExists(atPath: path + "/audio/" + names[index])
    }

    private static func use(_ store: Store) throws {
        _ = try? store.check()
        _ = try? store.overview(at: now)
        _ = try? store.waitingCount(at: now)
        _ = (try? store.lastExpiry).map { HumanText.time($0.at) }
        let memos = (try? store.memos(at: now)) ?? []
        for memo in memos { try? show(memo, of: store) }
        _ = MemoTable(
            columns: 130, now: now, colours: Colours(try Parsed.list), shape: { _, _ in nil }
        ).text(memos)
        if let memo = memos.first { _ = try? store.edit(memo, adding: [Marker(frame: 1, text: "mark")]) }
        _ = try? Salvager.salvage(store)
        _ = try? store.expire(at: now, dryRun: true)
        _ = try? store.expire(at: now, dryRun: false)
        for memo in memos.prefix(2) { try? store.delete(memo) }
    }

    private static func show(_ memo: Memo, of store: Store) throws {
        _ = try MemoJSON().line(["memo": try MemoJSON().memo(memo, at: now)])
        _ = HumanText.name(memo) + HumanText.opening(of: memo, at: now)
        _ = ShowCommand.details(memo, at: now)
        _ = try store.waveform(of: memo)
        _ = try store.openFile(of: memo)
        guard let sound = memo.sound else { return }
        for options in try [Parsed.play, Parsed.playPart] {
            _ = try PlayOptions(Context(options)).part(of: memo, sound, goesOn: true)
        }
    }
}
