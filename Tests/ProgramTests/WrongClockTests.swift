import Foundation
import TestSupport
import Testing

/// A clock that is years ahead, and a kernel that vouches for it or does not.
@Suite struct WrongClockTests {
    private static let noon = Rig.Clock("2026-11-30 12:00:00")
    private static let leapt = noon.adding(seconds: 1_000 * 86_400)

    /// A machine with a memo, and a kernel that says something of its clock.
    private func rig(_ trouble: String) throws -> FileRig {
        let rig = try FileRig()
        try rig.run("record", "-D", "mic", "-d", "1", at: Self.noon)
        rig.prepare(trouble: trouble)
        try rig.comes(trouble)
        return rig
    }

    private func expired(_ rig: Rig, at clock: Rig.Clock, _ options: String...) throws -> Child.Result {
        try rig.start(["expire"] + options, at: clock).finish()
    }

    @Test func aMemoIsHiddenAtOnceAndRemovedWhenTheClockHasStayedForADay() throws {
        let rig = try rig("UNSYNC")
        #expect(try rig.memos("--all", at: Self.leapt).isEmpty)
        #expect(try rig.run("play", "1", at: Self.leapt).status == 3)
        let first = try expired(rig, at: Self.leapt)
        #expect(first.status == 0 && first.output.isEmpty)
        #expect(first.notes.contains("1 memo that would be over can be heard no more"))
        #expect(first.notes.contains("'tomorrow expire --force'"))
        let later = try expired(rig, at: Self.leapt.adding(seconds: 86_000))
        #expect(later.status == 0 && later.output.isEmpty && later.notes.isEmpty)
        let json = Rig.object(try expired(rig, at: Self.leapt.adding(seconds: 86_100), "--json").output)
        #expect(json["held_back_count"] as? Int == 1)
        #expect(json["removed_count"] as? Int == 0)
        #expect(rig.folder.names(in: "store/audio").count == 1)
        #expect(try rig.memos("--all", at: Self.noon.adding(seconds: 60)).count == 1)
        let last = try expired(rig, at: Self.leapt.adding(seconds: 86_500))
        #expect(last.output.hasPrefix("Removed 1 memo"))
        #expect(rig.folder.names(in: "store/audio").isEmpty)
    }

    @Test(arguments: [("UNSYNC", ["--force"]), ("SYNC", [])])
    func whoSaysSoOrHasAClockThatIsKeptWaitsForNothing(trouble: String, options: [String]) throws {
        let rig = try rig(trouble)
        let ended = try rig.start(["expire"] + options, at: Self.leapt).finish()
        #expect(ended.output.hasPrefix("Removed 1 memo"))
    }
}
