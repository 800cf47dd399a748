import Foundation
import TestSupport
import Testing

/// `tomorrow edit`, and what `show` says afterwards.
@Suite struct EditTests {
    private let rig: FileRig
    private static let today = PlayTests.today
    private static let nextDay = PlayTests.nextDay

    init() throws {
        rig = try FileRig()
        try PlayTests.record(rig, frames: 96_000, "-t", "as it was", "-c", "fun")
    }

    private func edit(_ options: String..., at clock: Rig.Clock = nextDay) throws -> Child.Result {
        try rig.start(["edit"] + options, at: clock).finish()
    }

    private func memo(at clock: Rig.Clock = nextDay) throws -> [String: Any] {
        try #require(try rig.memos("--all", at: clock).first)
    }

    private func markers() throws -> [String] {
        (try memo()["markers"] as? [[String: Any]] ?? []).map {
            String(format: "%.2f ", $0["position_seconds"] as? Double ?? -1) + ($0["text"] as? String ?? "-")
        }
    }

    @Test func aTitleAndACategoryAreChangedAndTakenAway() throws {
        let edited = try edit("1", "-t", "as it is", "-c", "courage")
        #expect(edited.status == 0 && edited.output.isEmpty && edited.notes.isEmpty)
        var memo = try memo()
        #expect(memo["title"] as? String == "as it is" && memo["category"] as? String == "courage")
        let shown = try rig.run("show", "1", at: Self.nextDay).output
        #expect(shown.contains("Title     as it is\n") && shown.contains("Category  courage\n"))
        #expect(try edit("latest", "-t", "").status == 0)
        memo = try self.memo()
        #expect(memo["title"] is NSNull && memo["category"] as? String == "courage")
        #expect(try edit("1", "--category=").status == 0)
        #expect(try self.memo()["category"] is NSNull)
        // Of what it was called nothing is left.
        for (path, data) in rig.folder.contents() where path.hasPrefix("store/") {
            #expect(data.range(of: Data("as it was".utf8)) == nil, "\(path)")
        }
    }

    @Test func markersAreAddedInTheirPlacesAndTakenAway() throws {
        let added = try edit(
            "1", "--add-marker", "1.5=the end", "--add-marker", "0.25", "--add-marker", "0:01=a=b")
        #expect(added.status == 0 && added.notes.isEmpty)
        #expect(try markers() == ["0.25 -", "1.00 a=b", "1.50 the end"])
        let shown = try rig.run("show", "1", at: Self.nextDay).output
        #expect(shown.contains("Marker 1  ") && shown.contains("Marker 3  ") && shown.contains("  the end\n"))
        // The numbers are those before anything is changed.
        #expect(
            try edit("1", "--remove-marker", "1", "--remove-marker", "3", "--add-marker", "0").status == 0)
        #expect(try markers() == ["0.00 -", "1.00 a=b"])
        #expect(try edit("1", "--remove-marker", "2").status == 0)
        for (path, data) in rig.folder.contents() where path.hasPrefix("store/") {
            #expect(data.range(of: Data("a=b".utf8)) == nil, "\(path)")
            #expect(data.range(of: Data("the end".utf8)) == nil, "\(path)")
        }
    }

    @Test func markersLeaveWithTheMemo() throws {
        #expect(try edit("1", "--add-marker", "1=whispered").status == 0)
        #expect(try rig.run("expire", at: Self.nextDay.adding(seconds: 86_400)).status == 0)
        for (path, data) in rig.folder.contents() where path.hasPrefix("store/") {
            #expect(data.range(of: Data("whispered".utf8)) == nil, "\(path)")
        }
        let database = rig.folder.file("store/memos.db")
        #expect(try rig.tool("sqlite3", database, "SELECT count(*) FROM markers").output == "0\n")
    }

    @Test func aTitleThatIsMeantForTheTerminalIsMadeVisible() throws {
        #expect(try edit("1", "-t", "\u{1b}[2Jcalm\nand\u{7}", "--add-marker", "1=\u{1b}]0;x").status == 0)
        #expect(try memo()["title"] as? String == "\u{1b}[2Jcalm\nand\u{7}")
        for command in [["show", "1"], ["list"]] {
            let shown = try rig.start(command, at: Self.nextDay).finish().output
            #expect(!shown.contains("\u{1b}") && !shown.contains("\u{7}") && shown.contains("calm"))
        }
        let played = try rig.run("play", "-D", "speaker", at: Self.nextDay)
        #expect(!played.notes.contains("\u{1b}") && played.notes.contains("calm"))
    }

    @Test func aSealedMemoCanBeCalledSomethingElseButNotMarked() throws {
        #expect(try edit("1", "-t", "sealed", "-c", "focus", at: Self.today).status == 0)
        #expect(try memo(at: Self.today)["title"] as? String == "sealed")
        for option in [["--add-marker", "1"], ["--remove-marker", "1"]] {
            let refused = try rig.start(["edit", "1", "-t", "twice"] + option, at: Self.today).finish()
            #expect(refused.status == 4)
            #expect(refused.notes.contains("tomorrow: cannot mark memo 1: it is sealed until "))
        }
        // Nothing of what is refused is done.
        #expect(try memo(at: Self.today)["title"] as? String == "sealed")
    }

    @Test func whatIsNotThereCannotBeChanged() throws {
        let unknown = try edit("2", "-t", "x")
        #expect(unknown.status == 3)
        #expect(unknown.notes == "tomorrow: cannot edit memo 2: there is no such memo\n")
        #expect(try edit("1", "-t", "x", at: Self.nextDay.adding(seconds: 86_400)).status == 3)
        let nothing = try edit("1")
        #expect(nothing.status == 2)
        #expect(nothing.notes.hasPrefix("tomorrow: there is nothing to change\n"))
    }

    @Test(
        arguments: [
            (["--remove-marker", "1"], "cannot take marker 1 of memo 1 away: it has 0 markers"),
            (["--remove-marker", "0"], "'--remove-marker' takes the number of a marker, not '0'"),
            (["--remove-marker", "x"], "'--remove-marker' takes the number of a marker, not 'x'"),
            (
                ["--add-marker", "x=y"],
                "'--add-marker' takes a position such as 1:30 or 1:30=TEXT, not 'x=y'"
            ),
            (["--add-marker", "3"], "cannot mark memo 1 at "),
            (
                ["-c", "no such"],
                "'-c' takes one of focus, presence, courage, fun, ambition, imagination, not 'no such'"
            ),
        ] as [([String], String)])
    func aChangeThatMakesNoSenseIsRefusedInWords(options: [String], words: String) throws {
        let refused = try rig.start(["edit", "1", "-t", "new"] + options, at: Self.nextDay).finish()
        #expect(refused.status == 2)
        #expect(refused.notes.hasPrefix("tomorrow: \(words)"), "\(refused.notes)")
        #expect(try memo()["title"] as? String == "as it was")
    }
}
