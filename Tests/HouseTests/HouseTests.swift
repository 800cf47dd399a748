import Foundation
import Testing

/// Who may know whom. A module that is to know another one gets a line here first.
@Suite struct HouseTests {
    /// Module by module: what its files may import beside Swift's own.
    static let mayImport: [String: Set<String>] = [
        "Linux": ["CArguments", "CLinux"],
        "Sound": ["CEBUR128", "CSampleRate", "CSonic"],
        "AudioFile": ["CFLAC", "CMPG123", "COgg", "CSndFile", "Linux", "Sound"],
        "Memos": ["CSQLite", "Linux"],
        "ALSA": ["CALSA", "CALSAMessages", "Linux", "Sound"],
        "Engine": ["AudioFile", "Linux", "Memos", "Sound"],
        "Terminal": ["CLinux", "CTerminalGuard", "Sound"],
        "Desktop": ["CLinux", "CMediaPlayer", "CSystemd", "Linux"],
        "CommandTable": [],
        "tomorrow": [
            "ALSA", "AudioFile", "CommandTable", "Desktop", "Engine", "Linux", "Memos", "Sound", "Terminal",
        ],
    ]

    /// What comes with Swift and is let into what ships: not Foundation, which costs 10 ms at every start.
    static let always: Set = ["Glibc", "Synchronization"]

    static let project = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The Swift files below Sources, with the module each belongs to.
    private func files() throws -> [(module: String, name: String, text: String)] {
        let sources = Self.project.appendingPathComponent("Sources").path
        let names = try #require(FileManager.default.enumerator(atPath: sources)).compactMap { $0 as? String }
        return try names.filter { $0.hasSuffix(".swift") }.map { name in
            let module = String(name.prefix { $0 != "/" })
            return (module, name, try String(contentsOfFile: sources + "/" + name, encoding: .utf8))
        }
    }

    @Test func everyImportIsInTheTable() throws {
        let files = try files()
        #expect(files.count > 40)
        for file in files {
            let allowed = try #require(Self.mayImport[file.module], "\(file.module) is not in the table")
            for line in file.text.split(separator: "\n") {
                guard let match = line.wholeMatch(of: /(?:(?:public|internal|@\w+) )*import (\w+).*/) else {
                    continue
                }
                let module = String(match.1)
                #expect(allowed.union(Self.always).contains(module), "\(file.name) imports \(module)")
            }
        }
    }

    @Test func theTableHasNoCircle() {
        var done: Set<String> = []
        while let next = Self.mayImport.first(where: { name, needs in
            !done.contains(name)
                && needs.allSatisfy { done.contains($0) || $0.hasPrefix("C") && $0 != "CommandTable" }
        }) {
            done.insert(next.key)
        }
        #expect(done == Set(Self.mayImport.keys))
    }

    @Test func onlyTheProgramPrintsExitsAndReadsTheEnvironment() throws {
        for file in try files() where file.module != "tomorrow" {
            for call in [/\bprint\(/, /\b_?exit\(/, /\bgetenv\(/, /CommandLine\./] {
                for line in file.text.split(separator: "\n") where line.contains(call) {
                    // Dying of a signal, as the shell would have it, is the one way out below the program.
                    #expect(line.contains("exit(128 + signal)"), "\(file.name): \(line)")
                }
            }
        }
    }
}
