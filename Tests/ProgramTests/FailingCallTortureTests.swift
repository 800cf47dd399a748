import Foundation
import TestSupport
import Testing

/// Calls of the kernel that change a file and fail, once or from then on. The program says so in one line, or it
/// does not matter; it ends by itself; and what was saved is there.
@Suite(.serialized) struct FailingCallTortureTests {
    private static let kinds: [StoreScenario.Kind] = [
        .record("flac"), .record("wav"), .record("opus"), .record("mp3"), .record("alac"),
        .importOfAFormatOfOurs,
        .importOfAnother, .exportInItsFormat, .exportInAnother, .expire, .expireOfASealedFolder, .delete,
        .edit,
        .mend("flac"), .mend("opus"), .play, .migration, .rebuild,
    ]
    private static let errors = [ENOSPC, EIO, EDQUOT, EMFILE, ENOLCK, EINTR]
    /// Much longer than any of the commands takes.
    private static let mostSeconds: Int32 = 20

    @Test(arguments: kinds) func aCallThatFailsIsToldOrDoesNotMatter(kind: StoreScenario.Kind) throws {
        let torture = TortureCase("a call fails: \(kind)", share: 0.12 / Double(Self.kinds.count))
        let scenario = try StoreScenario(kind, seconds: 0.5)
        let expected = try scenario.outcomeOfAll()
        let fates = Self.errors.flatMap { code -> [FaultPoint.Fate] in
            // One that is interrupted for ever need not end.
            code == EINTR ? [.fail(code)] : [.fail(code), .failFromThere(code)]
        }
        var counts: [Int32: Int] = [:]
        let points = try FaultPoint.all(fates) { fate in
            // A full disk and a full quota come from the same calls.
            let code = Self.code(fate) == EDQUOT ? ENOSPC : Self.code(fate)
            if let count = counts[code] { return count }
            try scenario.restore()
            let count = try scenario.rig.count(
                of: fate, in: scenario.command, at: StoreScenario.wednesday)
            counts[code] = count
            return count
        }
        for number in TortureCase.spread(points.count) where torture.goesOn {
            let point = points[number - 1]
            try scenario.restore()
            let child = try Child(
                [Rig.program] + scenario.command,
                environment: scenario.rig.environment(at: StoreScenario.wednesday, struckAt: point))
            torture.tried()
            if !child.ends(within: Self.mostSeconds) { torture.found(.hung, "\(point)") }
            let outcome = try scenario.outcome(of: child.finish(within: 1))
            for (fault, text) in scenario.faults(in: outcome, expected: expected) {
                torture.found(fault, "\(point): \(text)")
            }
            for text in Self.wrongExits(outcome, expected, point, scenario) {
                torture.found(.wrongExit, "\(point): \(text)")
            }
            if !outcome.parts.isEmpty, !Self.keepsFiles(point) {
                torture.found(.leftBehind, "\(point): \(outcome.parts)")
            }
        }
        torture.remark("of \(points.count)")
        try torture.report()
    }

    /// The error with which a call fails.
    private static func code(_ fate: FaultPoint.Fate) -> Int32 {
        switch fate {
        case .fail(let code), .failFromThere(let code): code
        case .killBefore, .killInTheMiddle, .killAfter: 0
        }
    }

    /// Whether what is to be removed cannot be.
    private static func keepsFiles(_ point: FaultPoint) -> Bool {
        if case .failFromThere(EIO) = point.fate { true } else { false }
    }

    /// What is wrong with how the program ended.
    private static func wrongExits(
        _ outcome: StoreScenario.Outcome, _ expected: StoreScenario.Outcome, _ point: FaultPoint,
        _ scenario: StoreScenario
    ) -> [String] {
        let ended = outcome.ended
        guard let status = ended.status else { return ["ended by signal \(ended.signal ?? 0)"] }
        if status == expected.ended.status {
            let isWhole = outcome.memos == expected.memos && outcome.exported == expected.exported
            return isWhole ? [] : ["status \(status) and \(outcome.memos): \(ended.notes)"]
        }
        let code = code(point.fate)
        if code == EINTR { return ["it is interrupted, status \(status): \(ended.notes)"] }
        var faults: [String] = []
        // What fails outside the store, or is no matter of storage, is a failure like any other.
        let allowed: [Int32] = scenario.kind.isExport || [EMFILE, ENOLCK].contains(code) ? [1, 6] : [6]
        if !allowed.contains(status) { faults.append("status \(status): \(ended.notes)") }
        let said = ended.notes + ended.output
        let lines = ended.notes.split(separator: "\n").filter { $0.hasPrefix("tomorrow: ") }
        let isTold = said.contains(/cannot [^\n]+: [^\n]+/) || said.contains("The memo stays a FLAC: ")
        if !isTold || lines.count != Set(lines).count { faults.append("it says: \(said)") }
        if said.contains("locked") { faults.append(said) }
        return faults
    }

    /// A take at a terminal whose calls fail.
    @Test func theTerminalIsAsItWas() throws {
        let torture = TortureCase("a call fails: record at a terminal", share: 0.01)
        let rig = try FileRig()
        let command = ["record", "-y", "-D", "mic", "-d", "0.5"]
        let points = try FaultPoint.all([.fail(EIO), .failFromThere(ENOSPC)]) {
            try rig.count(of: $0, in: command)
        }
        for number in TortureCase.spread(points.count) where torture.goesOn {
            let terminal = try PseudoTerminal()
            let before = terminal.settings
            let recording = try Child(
                ["setsid", "--ctty", Rig.program] + command,
                environment: rig.environment(at: nil, struckAt: points[number - 1]), input: terminal.path)
            torture.tried()
            if !recording.ends(within: Self.mostSeconds) { torture.found(.hung, "\(points[number - 1])") }
            let ended = recording.finish(within: 1)
            if ![0, 6].contains(ended.status) {
                torture.found(.wrongExit, "\(points[number - 1]): \(ended.notes)")
            }
            if terminal.settings != before { torture.found(.leftBehind, "\(points[number - 1])") }
        }
        torture.remark("of \(points.count)")
        try torture.report()
    }
}
