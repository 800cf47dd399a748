import Testing

@testable import CommandTable

/// The table itself.
@Suite struct CommandTableTests {
    static let commands = CommandTable.commands.map(\.name)

    @Test func commandsHaveNamesOfTheirOwn() {
        #expect(Set(Self.commands).count == Self.commands.count)
        for name in Self.commands { #expect(name.wholeMatch(of: /[a-z]+/) != nil) }
    }

    @Test(arguments: commands)
    func optionsOfACommandDoNotClash(name: String) throws {
        let options = try #require(CommandTable.command(name)).options + CommandTable.globalOptions
        let shorts = options.compactMap(\.short)
        #expect(Set(options.map(\.long)).count == options.count)
        #expect(Set(shorts).count == shorts.count)
        for option in options { #expect(option.long.wholeMatch(of: /[a-z]+(-[a-z]+)*/) != nil) }
    }

    @Test(arguments: commands)
    func everyTextIsASentenceThatFitsItsPlace(name: String) throws {
        let command = try #require(CommandTable.command(name))
        #expect(command.summary.count <= 60)
        for text in [command.summary] + command.options.map(\.summary) + [command.details]
        where !text.isEmpty {
            #expect(text.hasSuffix("."), "\(text)")
        }
    }

    @Test func anOptionMeansTheSameInEveryCommand() {
        let options = CommandTable.commands.flatMap(\.options)
        for option in options {
            for other in options where other.long == option.long {
                #expect(other.short == option.short)
                #expect(other.value == option.value)
            }
        }
    }

    @Test(arguments: commands)
    func helpNamesEveryOptionWithin80Columns(name: String) throws {
        let command = try #require(CommandTable.command(name))
        let help = HelpText.command(command)
        for option in command.options + CommandTable.globalOptions {
            #expect(help.contains("--" + option.long))
            if let short = option.short { #expect(help.contains("-\(short), --\(option.long)")) }
        }
        for line in (help + HelpText.overview()).split(separator: "\n") {
            #expect(line.count <= 80, "\(line)")
        }
        #expect(HelpText.overview().contains("  \(name) "))
    }

    @Test func exitStatusesAreCountedFromZero() {
        #expect(ExitStatus.allCases.map(\.rawValue) == Array(0..<7))
    }
}
