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
    /// Of the contract, what is not built yet. What is built must not stand here.
    static let commandsToCome: Set<String> = []
    static let optionsToCome: [String: Set<String>] = [:]
    /// What goes beyond it: whoever watches over many machines asks for the schedule as a program does.
    static let optionsBeyond: [String: Set<String>] = ["schedule": ["json"]]

    /// The rows of the contract's table of commands: the first word, and all long options of the row.
    private func rows() throws -> [(command: String, options: Set<String>)] {
        try #require(contract).split(separator: "\n").compactMap { line in
            guard let match = line.firstMatch(of: /^\| `tomorrow ([a-z]+)/) else { return nil }
            let command = String(match.1)
            let options = line.matches(of: /--([a-z][a-z-]+)/).map { String($0.1) }
            // Some stand there by their letter alone.
            let letters = line.matches(of: /[` ]-([a-zA-Z])(?=[` ])/).compactMap { $0.1.first }
            let named = CommandTable.command(command)?.options.filter { option in
                option.short.map(letters.contains) ?? false
            }
            return (command, Set(options + (named ?? []).map(\.long)))
        }
    }

    @Test func everyCommandOfTheContractIsInTheTableOrStillToCome() throws {
        let commands = try rows().map(\.command)
        #expect(commands.count >= 15)
        for command in commands {
            #expect(
                (CommandTable.command(command) != nil) != Self.commandsToCome.contains(command), "\(command)")
        }
        for command in CommandTable.commands where command.name != "help" {
            #expect(commands.contains(command.name), "\(command.name) is not in the contract")
        }
    }

    @Test func everyOptionOfTheContractIsInTheTableOrStillToCome() throws {
        for (name, promised) in try rows() {
            guard let command = CommandTable.command(name) else { continue }
            let later = Self.optionsToCome[name] ?? []
            let global = Set(CommandTable.globalOptions.map(\.long))
            let built = Set(command.options.map(\.long))
            let beyond = Self.optionsBeyond[name] ?? []
            #expect(built.union(later) == promised.subtracting(global).union(beyond), "\(name)")
            #expect(promised.isDisjoint(with: beyond), "\(name)")
            #expect(built.isDisjoint(with: later), "\(name)")
        }
    }
}
