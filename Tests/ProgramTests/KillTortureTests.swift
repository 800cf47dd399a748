import Foundation
import TestSupport
import Testing

/// The program killed at every call with which it changes a file, and at any moment.
@Suite(.serialized) struct KillTortureTests {
    static let formats = ["flac", "wav", "opus", "vorbis", "mp3", "alac"]
    static let kinds =
        formats.map { StoreScenario.Kind.record($0) } + ["flac", "wav", "opus"].map { .mend($0) } + [
            .expire, .expireOfASealedFolder, .migration, .delete, .edit, .play, .importOfAFormatOfOurs,
            .importOfAnother, .exportInItsFormat, .exportInAnother, .rebuild,
        ]

    /// Every point at which a command can be killed.
    static func points(of scenario: StoreScenario) throws -> [FaultPoint] {
        func count(_ fate: FaultPoint.Fate) throws -> Int {
            try scenario.restore()
            return try scenario.rig.count(of: fate, in: scenario.command, at: StoreScenario.wednesday)
        }
        let (all, writes) = (try count(.killBefore), try count(.killInTheMiddle))
        return FaultPoint.all([.killBefore, .killInTheMiddle, .killAfter]) { fate in
            if case .killInTheMiddle = fate { writes } else { all }
        }
    }

    /// Every second time what mends is killed, too.
    @Test(arguments: kinds) func oneMoreExpireMendsWhatAKillLeft(kind: StoreScenario.Kind) throws {
        let torture = TortureCase("killed at a call: \(kind)", share: 0.14 / Double(Self.kinds.count))
        let scenario = try StoreScenario(kind, seconds: 3)
        let expected = try scenario.outcomeOfAll()
        let points = try Self.points(of: scenario)
        for number in TortureCase.spread(points.count) where torture.goesOn {
            let point = points[number - 1]
            let twice = torture.points % 2 == 1
            let outcome = try scenario.outcome(struckAt: point, twice: twice)
            torture.tried()
            for (fault, text) in scenario.faults(in: outcome, expected: expected) {
                torture.found(fault, "\(point)\(twice ? ", twice" : ""): \(text)")
            }
        }
        torture.remark("of \(points.count)")
        try torture.report()
    }
}
