import CommandTable
import TestSupport
import Testing

/// What is made of the table, as it was looked at last.
@Suite struct GoldenTests {
    @Test func theManualPageIsTheOneThatWasLookedAt() {
        let difference = Golden.difference(ManualPage.text(), from: "tomorrow.1")
        #expect(difference == nil, "\(difference ?? "")")
    }

    @Test(arguments: Completion.Shell.allCases)
    func aCompletionIsTheOneThatWasLookedAt(shell: Completion.Shell) {
        let difference = Golden.difference(Completion.script(for: shell), from: "tomorrow.\(shell.rawValue)")
        #expect(difference == nil, "\(difference ?? "")")
    }

    @Test func helpIsTheOneThatWasLookedAt() {
        let texts = [HelpText.overview()] + CommandTable.commands.map { HelpText.command($0) }
        let difference = Golden.difference(texts.joined(separator: "\n---\n\n"), from: "help.txt")
        #expect(difference == nil, "\(difference ?? "")")
    }

    @Test(arguments: CommandTable.commands.map(\.name))
    func everyOptionIsInTheManualAndInEveryCompletion(name: String) throws {
        let command = try #require(CommandTable.command(name))
        let manual = ManualPage.text()
        let bash = Completion.script(for: .bash)
        let zsh = Completion.script(for: .zsh)
        let fish = Completion.script(for: .fish)
        for option in command.options + CommandTable.globalOptions {
            let roff = option.long.split(separator: "-").joined(separator: "\\-")
            #expect(manual.contains("Fl \\-\(roff)"))
            #expect(bash.contains("\\n--\(option.long)") || bash.contains("'--\(option.long)"))
            #expect(zsh.contains("--\(option.long)"))
            #expect(fish.contains(" -l \(option.long) "))
        }
    }
}
