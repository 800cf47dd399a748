import Foundation
import TestSupport
import Testing

/// The power is cut at a call that changes a file: what was not synced by then is gone, or some of it. What was
/// reported as saved is there, and what is over does not come back.
@Suite(.serialized) struct PowerCutTortureTests {
    private static let kinds: [StoreScenario.Kind] = [
        .record("flac"), .record("wav"), .record("opus"), .record("mp3"), .mend("flac"),
        .importOfAFormatOfOurs,
        .importOfAnother, .expire, .expireOfASealedFolder, .delete, .edit,
    ]

    @Test(arguments: kinds) func whatWasReportedIsThere(kind: StoreScenario.Kind) throws {
        let torture = TortureCase("power cut at a call: \(kind)", share: 0.07 / Double(Self.kinds.count))
        let scenario = try StoreScenario(kind, seconds: 3)
        let expected = try scenario.outcomeOfAll()
        try scenario.restore()
        let count = try scenario.rig.count(of: .killBefore, in: scenario.command, at: StoreScenario.wednesday)
        var chance = Noise.Generator(state: 1)
        // First of all, after the program's own end.
        for number in [0] + TortureCase.spread(count) where torture.goesOn {
            let point = FaultPoint(.killBefore, number)
            // Twice in three nothing is kept that was not synced.
            let keepsSome = torture.points % 3 == 2
            try scenario.restore()
            let power = try PowerCut(scenario.rig)
            let environment = scenario.rig.environment(at: StoreScenario.wednesday, struckAt: point)
            let ended = try Child(
                [Rig.program] + scenario.command, environment: environment.merging(power.shadow) { $1 }
            ).finish()
            try power.cut { keepsSome && Bool.random(using: &chance) }
            torture.tried()
            let outcome = try scenario.outcome(of: ended)
            for (fault, text) in scenario.faults(in: outcome, expected: expected) {
                torture.found(fault, "\(point)\(keepsSome ? ", some kept" : ""): \(text)")
            }
        }
        torture.remark("of \(count + 1)")
        try torture.report()
    }
}
