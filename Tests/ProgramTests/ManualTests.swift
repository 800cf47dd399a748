import CommandTable
import TestSupport
import Testing

/// The manual page, as its readers see it.
@Suite struct ManualTests {
    private func page() throws -> Rig {
        let rig = try Rig()
        try rig.folder.write("tomorrow.1", try rig.run("help", "--man").output)
        return rig
    }

    @Test func mandocHasNothingToSayOfIt() throws {
        let rig = try page()
        let checked = try rig.tool("mandoc", "-Tlint", rig.folder.file("tomorrow.1"))
        // Which other manuals there are is a matter of the machine.
        let remarks = checked.output.split(separator: "\n").filter {
            !$0.contains("referenced manual not found")
        }
        #expect(remarks.isEmpty, "\(remarks)")
    }

    @Test(arguments: [40, 80, 200])
    func manShowsAllOfItAtEveryWidth(columns: Int) throws {
        let rig = try page()
        rig.environment["MANWIDTH"] = "\(columns)"
        let shown = try rig.tool("man", "--warnings", "-l", rig.folder.file("tomorrow.1"))
        #expect(shown.notes.isEmpty, "\(shown.notes)")
        for line in shown.output.split(separator: "\n") { #expect(line.count <= columns, "\(line)") }
        for command in CommandTable.commands { #expect(shown.output.contains("   \(command.name)\n")) }
        for word in ["EXIT STATUS", "--stop-on-silence", "~/.config/tomorrow/config"] {
            #expect(shown.output.contains(word))
        }
    }
}
