import Foundation
import TestSupport
import Testing

/// Calls of the kernel that fail once; the campaign has many more of them (`Scripts/torture`).
@Suite struct FailingCallTests {
    private static let commands = [
        ["record", "-y", "-D", "mic", "-d", "0.1"], ["edit", "1", "-t", "other"], ["expire"],
    ]

    @Test(arguments: commands) func whateverCallFailsTheErrorNamesWhatWasTried(command: [String]) throws {
        let rig = try FileRig()
        try rig.run("record", "-y", "-D", "mic", "-d", "0.1")
        let count = try rig.count(of: .fail(EIO), in: command)
        #expect(count > 5)
        for number in 1...count {
            let environment = rig.environment(at: nil, struckAt: FaultPoint(.fail(EIO), number))
            let ended = try Child([Rig.program] + command, environment: environment).finish(within: 20)
            let isTold = ended.notes.contains(/tomorrow: cannot (?!go on)[^\n]+: [^\n]+/)
            #expect(
                ended.status == 0 || ended.status == 6 && isTold,
                "call \(number): \(ended.status ?? -1): \(ended.notes)")
        }
    }

    /// On a store that is not there yet.
    @Test func aCallThatASignalBreaksOffIsMadeAgain() throws {
        let rig = try FileRig()
        let count = try rig.count(of: .fail(EINTR), in: Self.commands[0])
        #expect(count > 20)
        for number in 1...count {
            try FileManager.default.removeItem(atPath: rig.folder.file("store"))
            let environment = rig.environment(at: nil, struckAt: FaultPoint(.fail(EINTR), number))
            let ended = try Child([Rig.program] + Self.commands[0], environment: environment).finish(
                within: 20)
            #expect(ended.status == 0, "call \(number): \(ended.notes)")
        }
    }
}
