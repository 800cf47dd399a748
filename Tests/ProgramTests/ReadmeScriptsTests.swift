import Foundation
import TestSupport
import Testing

/// The README's lines for scripts do what they are there for.
@Suite struct ReadmeScriptsTests {
    @Test func eachLineOfTheReadmeForScriptsWorks() throws {
        let lines = try Readme.lines(of: "In scripts")
        let expected = [
            "1\t2026-12-02T00:00:00+00:00\tA title\n", "2\n", "2026-12-02T00:00:00+00:00\n", "", "",
        ]
        #expect(lines.count == expected.count)

        let rig = try FileRig()
        try rig.configure("capture-device = mic\n")
        try FileManager.default.createSymbolicLink(
            atPath: rig.folder.file("tomorrow"), withDestinationPath: Rig.program)
        let today = Rig.Clock("2026-11-30 09:00:00")
        let tomorrow = today.adding(seconds: 86_400)
        try rig.run("record", "-d", "1", "-t", "A title", at: today)
        try rig.run("record", "-d", "2", at: tomorrow)
        var environment = rig.environment(at: tomorrow)
        environment["PATH"] = rig.folder.path + ":/usr/bin:/bin"
        for (line, output) in zip(lines, expected) {
            let ended = try Child(["sh", "-c", line], environment: environment).finish()
            #expect(ended.status == 0 && ended.output == output, "\(line): \(ended.output)\(ended.notes)")
        }
        #expect(
            try rig.memos("--waiting", at: tomorrow).last?["title"] as? String == "Said by a script")
    }
}
