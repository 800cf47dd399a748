import Foundation
import TestSupport
import Testing

/// `tomorrow list`, and `tomorrow` alone, on terminals of several widths and where there is none.
@Suite struct ListTests {
    static let today = Rig.Clock("2026-11-30 09:00:00")
    static let tomorrow = today.adding(seconds: 86_400)
    static let hostile =
        "a\u{1b}[31mb\u{7} 日本語の題 👨‍👩‍👧 family\nof a line, and long enough for any terminal: "
        + String(repeating: "wide ", count: 30)

    /// A machine with a hostile memo and a plain one that can be heard, and one that waits.
    private func rig() throws -> FileRig {
        let rig = try FileRig()
        try rig.run("record", "-D", "mic", "-d", "1", "-t", Self.hostile, "-c", "fun", at: Self.today)
        try rig.run("record", "-D", "mic", "-d", "1", "-t", "A Straße to walk", at: Self.today)
        try rig.run("record", "-D", "mic", "-d", "1", "-t", "Later", "-c", "fun", at: Self.tomorrow)
        return rig
    }

    /// What a terminal shows of a command.
    private func screen(
        _ rig: Rig, _ columns: Int, _ arguments: String..., variables: [String: String] = [:]
    ) throws -> [String] {
        try screen(rig, columns, arguments, variables: variables)
    }

    private func screen(
        _ rig: Rig, _ columns: Int, _ arguments: [String], variables: [String: String] = [:]
    ) throws -> [String] {
        let environment = rig.environment(at: Self.tomorrow).merging(variables) { $1 }
        let set = variables.map { "\($0.key)=\($0.value)" }
        let terminal = try TmuxTerminal(
            columns: columns, rows: 200,
            ["env"] + set + ["sh", "-c", "\"$@\"; echo end", "sh", Rig.program] + arguments,
            environment: environment)
        return try terminal.waits(for: "end").split(separator: "\n").map(String.init)
    }

    @Test func onANarrowTerminalThereAreSignsAndTheMostOfTheTitle() throws {
        let rows = try screen(rig(), 40, "list", "--all")
        #expect(
            rows == [
                "   ID  LEN   WHEN       TITLE",
                "●  1   0:01  Wed 00:00  a^[[31mb^G 日本…",
                "●  2   0:01  Wed 00:00  A Straße to walk",
                "◌  3   0:01  Wed 00:00  Later",
                "end",
            ])
    }

    @Test func on80ColumnsThereIsTheCategoryToo() throws {
        let rows = try screen(rig(), 80, "list", "--all")
        #expect(
            rows == [
                "ID  STATE  LENGTH  CATEGORY  WHEN                       TITLE",
                "1   new    0:01    fun       leaves Wed 00:00, in 15 h  a^[[31mb^G 日本語の題 …",
                "2   new    0:01              leaves Wed 00:00, in 15 h  A Straße to walk",
                "3   waits  0:01    fun       opens Wed 00:00, in 15 h   Later",
                "end",
            ])
    }

    @Test func on200ColumnsThereIsTheShapeButNotOfWhatIsSealed() throws {
        let rig = try rig()
        let rows = try screen(rig, 200, "list", "--all")
        #expect(rows.count == 5)
        #expect(rows[0].hasPrefix("ID  STATE  LENGTH  CATEGORY  WHEN "))
        #expect(rows[1].contains("leaves Wed 2026-12-02 00:00, in 15 h  █"))
        #expect(rows[1].contains("a^[[31mb^G 日本語の題 👨‍👩‍👧 family^Jof a line, and long"))
        #expect(rows[1].hasSuffix("…"))
        #expect(rows[3].contains("opens Wed 2026-12-02 00:00") && !rows[3].contains("█"))
    }

    @Test func whereNobodyLooksNothingIsCut() throws {
        let rig = try rig()
        let lines = try rig.run("list", "--all", at: Self.tomorrow).output.split(separator: "\n")
        #expect(lines.count == 4)
        #expect(lines[1].hasSuffix("wide wide"))
        #expect(!lines[1].contains("…") && !lines[1].contains("\u{1b}"))
        #expect(try rig.memos(at: Self.tomorrow).first?["title"] as? String == Self.hostile)
    }

    @Test func aMemoThatWasHeardSaysSo() throws {
        let rig = try rig()
        try rig.run("play", "2", "-D", "speaker", at: Self.tomorrow)
        let lines = try rig.run("list", at: Self.tomorrow).output.split(separator: "\n")
        #expect(lines[1].hasPrefix("1   new    "))
        #expect(lines[2].hasPrefix("2   heard  "))
    }

    /// What is asked for, and the numbers that come.
    static let filters: [(arguments: [String], ids: [Int])] = [
        (["--category", "fun"], [1]), (["--all", "-c", "fun"], [1, 3]), (["-c", "focus"], []),
        (["--search", "STRASSE"], []), (["--search", "straße"], [2]), (["--search", "A STRAß"], [2]),
        (["--search", "FAMILY\nOF"], [1]), (["--search", "日本"], [1]), (["--all", "--search", "FU"], [1, 3]),
        (["--search", "the idea"], [2]), (["--search", "IDEA", "-c", "fun"], []),
        (["--search", ""], [1, 2]),
        (["--waiting", "--search", "later"], [3]), (["--search", "%"], []),
    ]

    @Test func memosAreFoundByTitleCategoryAndMarkers() throws {
        let rig = try rig()
        #expect(try rig.run("edit", "2", "--add-marker", "0=The idea", at: Self.tomorrow).status == 0)
        for (arguments, ids) in Self.filters {
            let result = try rig.start(["list", "--json"] + arguments, at: Self.tomorrow).finish()
            let memos = Rig.object(result.output)["memos"] as? [[String: Any]] ?? []
            #expect(memos.compactMap { $0["id"] as? Int } == ids, "\(arguments)")
            #expect(Rig.object(result.output)["waiting_count"] as? Int == 1)
        }
    }

    @Test func ofWhatWaitsOnlyWhatWasAskedForIsCounted() throws {
        let rig = try rig()
        let waits = "1 memo waits ('tomorrow list --waiting').\n"
        for (arguments, notes) in [
            ([], waits), (["-c", "fun"], waits), (["--search", "straße"], ""),
            (["-c", "focus"], "Nothing can be heard now.\n"),
        ] {
            let ended = try rig.start(["list"] + arguments, at: Self.tomorrow).finish()
            #expect(ended.notes == notes, "\(arguments)")
        }
    }

    /// Every line of a text for a person ends between words, and fits.
    @Test func onANarrowTerminalNoWordIsBroken() throws {
        let rig = try rig()
        for command in [["help"], ["help", "play"], ["show", "2"], ["devices"]] {
            let (wide, narrow) = (try screen(rig, 200, command), try screen(rig, 40, command))
            #expect(narrow.allSatisfy { $0.count <= 40 }, "\(narrow)")
            func words(_ rows: [String]) -> Set<Substring> {
                Set(rows.filter { !$0.contains("█") }.flatMap { $0.split(separator: " ") })
            }
            #expect(words(narrow) == words(wide), "\(command)")
        }
    }

    @Test func aCategoryThatThereIsNotIsWrongUsage() throws {
        let rig = try rig()
        let refused = try rig.run("list", "-c", "fnu", at: Self.tomorrow)
        #expect(refused.status == 2)
        #expect(
            refused.notes
                == "tomorrow: '-c' takes one of focus, presence, courage, fun, ambition, imagination, not 'fnu'\n"
                + "  Did you mean 'fun'?\n")
    }

    /// What decides about colours, and whether there are any.
    static let colours: [(arguments: [String], variables: [String: String], areThere: Bool)] = [
        ([], [:], false), (["--color", "always"], [:], true),
        (["--color=always"], ["NO_COLOR": "1", "TERM": "dumb"], true), (["--color", "never"], [:], false),
    ]

    @Test func withoutATerminalThereAreColoursWhereTheyAreAskedForAlone() throws {
        let rig = try rig()
        for (arguments, variables, areThere) in Self.colours {
            rig.environment.merge(variables) { $1 }
            for command in [["list"], []] {
                let output = try rig.start(command + arguments, at: Self.tomorrow).finish().output
                #expect(output.contains("\u{1b}[1m") == areThere, "\(command) \(arguments)")
            }
        }
    }

    @Test func onATerminalThereAreColoursUnlessTheEnvironmentSaysNo() throws {
        let rig = try rig()
        for (variables, areThere) in [
            ([:], true), (["NO_COLOR": "1"], false), (["TERM": "dumb"], false),
        ] as [([String: String], Bool)] {
            let terminal = try PseudoTerminal()
            var environment = rig.environment(at: Self.tomorrow)
            environment["TERM"] = "xterm"
            environment.merge(variables) { $1 }
            let child = try Child(
                ["sh", "-c", "exec \"$@\" >\(terminal.path)", "sh", Rig.program, "list"],
                environment: environment)
            #expect(child.finish().status == 0)
            let shown = try #require(terminal.waits(for: "walk"))
            #expect(shown.contains("\u{1b}") == areThere, "\(variables)")
        }
    }

    @Test func inALocaleOfASCIITheDrawingsAreLetters() throws {
        let rig = try rig()
        let rows = try screen(rig, 130, "list", variables: ["LC_ALL": "C"])
        #expect(rows[1].wholeMatch(of: /1 .*, in 15 h  #{16}  a\^.*~/) != nil, "\(rows)")
        let memo = try screen(rig, 130, "show", "2", variables: ["LC_ALL": "C"])
        #expect(memo[0].contains(/#{40}/))
        // What others wrote is as it was, and so is what programs read.
        #expect(memo.contains { $0.contains("Straße") })
        rig.environment["LC_ALL"] = "C"
        #expect(try rig.memos(at: Self.tomorrow).first?["title"] as? String == Self.hostile)
        #expect(try rig.run("help").output.contains("Usage: tomorrow [COMMAND] [OPTION...]"))
    }

    @Test func aReaderThatHasSeenEnoughEndsTheListQuietly() throws {
        let rig = try rig()
        let piped = try Child(
            ["sh", "-c", "'\(Rig.program)' list --all | head -n 1"],
            environment: rig.environment(at: Self.tomorrow)
        ).finish()
        #expect(piped.status == 0 && piped.notes.isEmpty)
        #expect(piped.output.split(separator: "\n").count == 1)
    }

    @Test func tomorrowAloneShowsWhatIsNewAndWhatMakesSenseNext() throws {
        let rig = try rig()
        let rows = try screen(rig, 60).filter { !$0.hasPrefix("They take") }
        #expect(
            rows == [
                "2 new memos to hear; the next leaves Wed 2026-12-02 00:00,",
                "in 15 h.",
                "  1  0:01  a^[[31mb^G 日本語の題 👨‍👩‍👧 family^Jof a line, and …",
                "  2  0:01  A Straße to walk",
                "1 memo waiting; the next opens Wed 2026-12-02 00:00, in 15",
                "h.",
                "  tomorrow play    plays what is new",
                "  tomorrow record  records a memo for tomorrow",
                "  tomorrow help    says what else there is",
                "end",
            ])
        let nothing = try Rig().run().output
        #expect(nothing.hasPrefix("There is nothing to hear, and nothing waits.\n\n  tomorrow record"))
    }
}
