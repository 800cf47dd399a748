import AudioFile
import CommandTable
import Foundation
import TestSupport
import Testing

/// The completions, each driven in its own shell, at a terminal where the shell wants one.
@Suite struct CompletionTests {
    static let today = Rig.Clock("2026-11-30 09:00:00")

    /// A machine with memos, two that can be heard and one that waits, where `tomorrow` is found by its name.
    private func rig() throws -> FileRig {
        let rig = try FileRig()
        try rig.configure("categories = work, family, home:garden=1, deep sleep, $(touch ran)\n")
        let titles = ["One: $(touch ran)", "Two\n\u{1b}[31m", "Sealed"]
        for (title, day) in zip(titles, [0, 0, 1]) {
            try rig.run(
                "record", "-D", "mic", "-d", "1", "-t", title, at: Self.today.adding(seconds: day * 86_400))
        }
        try FileManager.default.createDirectory(
            atPath: rig.folder.file("bin"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: rig.folder.file("bin/tomorrow"), withDestinationPath: Rig.program)
        rig.environment["PATH"] = rig.folder.file("bin") + ":/usr/bin:/bin"
        rig.environment = rig.environment(at: Self.today.adding(seconds: 86_400 + 60))
        return rig
    }

    /// What is typed, words that are offered, and whether these are all.
    static let offers: [(typed: String, holds: [String], isAll: Bool)] = [
        ("rec", ["record"], true), ("sta", ["status"], true), ("help expi", ["expire"], true),
        ("list --wa", ["--waiting"], true), ("record --stop", ["--stop-on-silence"], true),
        ("record -f op", ["opus"], true), ("record --color al", ["always"], true),
        ("record -t list -c fa", ["family"], true), ("--color never schedule in", ["install"], true),
        ("record --category ", ["focus", "work", "family"], false),
        ("play ", ["1", "2"], true), ("play 1 ", ["1", "2"], true), ("delete ", ["1", "2", "3"], true),
        ("record ", [], true), ("completion ", ["bash", "zsh", "fish"], true),
    ]

    @Test func fishOffersWhatFits() throws {
        let rig = try rig()
        for (typed, holds, isAll) in Self.offers {
            let result = try rig.tool(
                "fish", "--no-config", "-c",
                "tomorrow completion fish | source; complete -C 'tomorrow \(typed)'")
            let offers = result.output.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
            #expect(result.notes.isEmpty, "\(result.notes)")
            #expect(
                isAll ? Set(offers) == Set(holds) : Set(holds).isSubset(of: offers), "\(typed): \(offers)")
        }
    }

    @Test func bashOffersWhatFits() throws {
        let rig = try rig()
        for (typed, holds, isAll) in Self.offers {
            let result = try rig.tool(
                "bash", "--norc", "-c",
                """
                set -u; eval "$(tomorrow completion bash)"
                COMP_LINE='tomorrow \(typed)' COMP_POINT=${#COMP_LINE} COMP_TYPE=37
                read -ra COMP_WORDS <<<"$COMP_LINE"
                if [[ $COMP_LINE == *' ' ]]; then COMP_WORDS+=(""); fi
                COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMPREPLY=()
                _tomorrow tomorrow; printf '%s\\n' ${COMPREPLY+"${COMPREPLY[@]}"}
                """)
            let offers = result.output.split(separator: "\n").map(String.init)
            #expect(result.notes.isEmpty, "\(result.notes)")
            #expect(
                isAll ? Set(offers) == Set(holds) : Set(holds).isSubset(of: offers), "\(typed): \(offers)")
        }
        #expect(!rig.folder.names().contains("ran"))
    }

    /// What is typed before Tab, and what the line must be then.
    static let lines: [(typed: String, completed: String)] = [
        ("tomorrow rec", "tomorrow record "), ("tomorrow record --cat", "tomorrow record --category"),
        ("tomorrow record --category=fam", "tomorrow record --category=family"),
        ("tomorrow record -c wo", "tomorrow record -c work"),
        ("tomorrow record -t 'a b' -D mi", "tomorrow record -t 'a b' -D mic"),
        ("tomorrow play -D spe", "tomorrow play -D speaker"),
        ("tomorrow list -c home:g", "tomorrow list -c home:garden=1"),
        ("tomorrow list --category=home:garden=", "tomorrow list --category=home:garden=1"),
        ("tomorrow edit 1 -c dee", "tomorrow edit 1 -c deep\\ sleep"),
    ]

    @Test(arguments: ["bash", "zsh"])
    func aLineIsCompletedAtATerminal(shell: String) throws {
        let rig = try rig()
        try rig.folder.write("inputrc", "set show-all-if-ambiguous on\n")
        rig.environment["INPUTRC"] = rig.folder.file("inputrc")
        // tmux gives what it starts a PATH of its own.
        let start = ["env", "PATH=" + (rig.environment["PATH"] ?? ""), shell]
        let bare = shell == "bash" ? ["--norc", "--noprofile"] : ["--no-rcs"]
        let terminal = try TmuxTerminal(columns: 100, start + bare, environment: rig.environment)
        try terminal.type("PS1='> '; eval \"$(tomorrow completion \(shell))\"; clear; echo ready", "Enter")
        _ = try terminal.waits(for: "ready\n>")
        for (typed, completed) in Self.lines {
            try terminal.type("-l", typed)
            try terminal.type("Tab")
            _ = try terminal.waits(for: "> " + completed.trimmingCharacters(in: .whitespaces))
            try terminal.type("C-u")
        }
        // Titles are shown, made harmless, and run nothing.
        try terminal.type("clear", "Enter")
        try terminal.type("-l", "tomorrow play ")
        try terminal.type("Tab")
        let shown = try terminal.waits(for: "One: $(touch ran)")
        #expect(shown.contains("Two^J^[[31m"))
        #expect(!shown.contains("Sealed"))
        #expect(!rig.folder.names().contains("ran"))
    }

    @Test func theScriptForBashIsCleanToShellcheck() throws {
        let rig = try Rig()
        let script = try rig.run("completion", "bash").output
        try rig.folder.write("tomorrow.bash", script)
        let checked = try rig.tool("shellcheck", "--shell=bash", rig.folder.file("tomorrow.bash"))
        #expect(checked.status == 0, "\(checked.output)")
    }

    @Test(arguments: ValueKind.Query.allCases)
    func aQueryIsQuietAndMakesNoStore(query: ValueKind.Query) throws {
        let rig = try Rig()
        let asked = try rig.run("completion", query.rawValue)
        #expect(asked.status == 0 && asked.notes.isEmpty)
        // The client of a sound server makes a folder for itself.
        #expect(rig.folder.names().filter { !$0.hasPrefix("pulse") } == ["home"])
        // Nor is anything that is in its way an error here.
        try rig.folder.write("store", "a file")
        try rig.configure("nonsense\n")
        let hindered = try rig.run("completion", query.rawValue)
        #expect(hindered.status == 0 && hindered.notes.isEmpty)
    }

    @Test func aShellThatThereIsNotIsWrongUsage() throws {
        let refused = try Rig().run("completion", "fis")
        #expect(refused.status == 2)
        #expect(
            refused.notes
                == "tomorrow: 'completion' takes one of bash, zsh, fish, not 'fis'\n  Did you mean 'fish'?\n")
    }

    @Test func theTableHasTheFormatsOfTheProgram() {
        #expect(CommandTable.formats == AudioFileFormat.all.map(\.name))
    }

    @Test func everySettingOfTheTableIsOneOfTheProgram() throws {
        let rig = try Rig()
        try rig.configure(CommandTable.settings.map { "\($0.key) = \($0.example)\n" }.joined())
        #expect(try rig.run("list").notes == "Nothing can be heard now.\n")
    }
}
