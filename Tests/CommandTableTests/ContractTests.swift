import CommandTable
import Foundation
import Testing

/// The contract, which lies beside the project where the project is developed.
private let contract: String? = {
    let project = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    let path = project.deletingLastPathComponent().appendingPathComponent("shared/product.md").path
    return try? String(contentsOfFile: path, encoding: .utf8)
}()

/// The command table against the contract.
@Suite(.enabled(if: contract != nil, "there is no ../shared/product.md beside the project"))
struct ContractTests {
    /// Commands in the contract that are not built yet. An entry must go once its command is built.
    static let commandsToCome: Set<String> = ["toggle", "transcribe"]
    /// Options in the contract that are not built yet, by command. An entry must go once its option is built.
    static let optionsToCome: [String: Set<String>] = [
        "record": ["append", "cue"],
        "play": ["skip-silence", "find"],
        "edit": ["keep", "cut"],
        "import": ["inbox", "recursive"],
        "export": ["format"],
        "schedule": ["at", "on"],
        "status": ["follow", "format"],
    ]
    /// Options that are built under an old name, by command: the old name and the contract's name.
    static let optionsToRename: [String: [String: String]] = [
        "record": ["for": "duration"], "play": ["even": "normalize"],
    ]
    /// Options that the contract leaves out: scripts read the schedule as JSON, and packages print the manual.
    static let optionsBeyond: [String: Set<String>] = ["schedule": ["json"], "help": ["man"]]

    /// The commands in the contract's table, each with the long options that its row promises. Where several
    /// commands share a row, the options belong to the last one.
    private func rows() throws -> [(command: String, options: Set<String>)] {
        try #require(contract).split(separator: "\n").flatMap {
            line -> [(command: String, options: Set<String>)] in
            guard line.hasPrefix("| `tomorrow "), let cell = line.split(separator: "|").first else {
                return []
            }
            let commands = cell.matches(of: /`tomorrow ([a-z]+)/).map { String($0.1) }
            return commands.map { command in
                (command, command == commands.last ? options(of: command, in: line) : [])
            }
        }
    }

    private func options(of command: String, in row: Substring) -> Set<String> {
        let options = row.matches(of: /--([a-z][a-z-]+)/).map { String($0.1) }
        // Some are named by their short option alone.
        let letters = row.matches(of: /[` ]-([a-zA-Z])(?=[` ])/).compactMap { $0.1.first }
        let named = CommandTable.command(command)?.options.filter { option in
            option.short.map(letters.contains) ?? false
        }
        return Set(options + (named ?? []).map(\.long))
    }

    @Test func everyCommandOfTheContractIsInTheTableOrStillToCome() throws {
        let commands = try rows().map(\.command)
        #expect(commands.count >= 15)
        for command in commands {
            #expect(
                (CommandTable.command(command) != nil) != Self.commandsToCome.contains(command), "\(command)")
        }
        #expect(Self.commandsToCome.subtracting(commands).isEmpty)
        for command in CommandTable.commands {
            #expect(commands.contains(command.name), "\(command.name) is not in the contract")
        }
    }

    @Test func everyOptionOfTheContractIsInTheTableOrStillToCome() throws {
        let rows = try rows()
        for (name, promised) in rows {
            guard let command = CommandTable.command(name) else { continue }
            let later = Self.optionsToCome[name] ?? []
            let renamed = Self.optionsToRename[name] ?? [:]
            let global = Set(CommandTable.globalOptions.map(\.long))
            let built = Set(command.options.map(\.long))
            let beyond = Self.optionsBeyond[name] ?? []
            #expect(promised.isSuperset(of: renamed.values), "\(name)")
            let expected = promised.subtracting(global).subtracting(renamed.values).union(renamed.keys)
            #expect(built.union(later) == expected.union(beyond), "\(name)")
            #expect(promised.isDisjoint(with: beyond), "\(name)")
            #expect(built.isDisjoint(with: later), "\(name)")
        }
        let tables = [
            Set(Self.optionsToCome.keys), Set(Self.optionsToRename.keys), Set(Self.optionsBeyond.keys),
        ]
        for name in tables.joined() {
            #expect(CommandTable.command(name) != nil, "\(name) is not a command")
        }
    }
}
