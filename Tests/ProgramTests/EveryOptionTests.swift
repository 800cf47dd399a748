import CommandTable
import Foundation
import Testing

import enum CommandTable.ExitStatus

/// That nothing of the command line is left without a test that runs the program with it.
@Suite struct EveryOptionTests {
    /// The tests beside this one, each file's text.
    private static let sources: [String] = {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let files =
            (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil))
        return (files ?? []).filter { $0.pathExtension == "swift" && $0.path != #filePath }
            .compactMap { try? String(contentsOf: $0, encoding: .utf8) }
    }()

    /// Whether a file of tests names one of these words as an argument.
    private func names(_ source: String, _ words: [String]) -> Bool {
        words.contains {
            source.contains("\"\($0)\"") || source.contains("\"\($0)=") || source.contains(" \($0) ")
        }
    }

    @Test(arguments: CommandTable.commands.map(\.name))
    func aTestRunsTheCommandWithEachOfItsOptions(name: String) throws {
        let command = try #require(CommandTable.command(name))
        let files = Self.sources.filter { names($0, [name]) }
        #expect(!files.isEmpty)
        for option in command.options {
            let words = ["--" + option.long] + (option.short.map { ["-\($0)"] } ?? [])
            #expect(files.contains { names($0, words) }, "no test of '\(name) --\(option.long)'")
        }
    }

    @Test(arguments: CommandTable.globalOptions.map(\.long))
    func aTestRunsTheProgramWithEachOptionOfAllCommands(long: String) {
        #expect(Self.sources.contains { names($0, ["--" + long]) })
    }

    @Test(arguments: ExitStatus.allCases)
    func aTestEndsWithEachStatus(status: ExitStatus) {
        #expect(Self.sources.contains { $0.contains("status == \(status.rawValue)") })
    }
}
