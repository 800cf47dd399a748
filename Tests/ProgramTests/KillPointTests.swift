import Foundation
import TestSupport
import Testing

/// The program killed before, after and in the middle of each call with which it changes a file. Whatever it was
/// at, one more `expire` brings the store to where it would have come.
@Suite struct KillPointTests {
    static let quick: [StoreScenario.Kind] = [
        .expire, .expireOfASealedFolder, .migration, .record("flac"), .delete, .edit, .importOfAFormatOfOurs,
        .importOfAnother, .exportInItsFormat, .exportInAnother, .rebuild,
    ]

    /// A few of the points; the campaign tries the others (`Scripts/torture`).
    @Test(arguments: quick)
    func oneMoreExpireMendsWhatAKillLeft(kind: StoreScenario.Kind) throws {
        let scenario = try StoreScenario(kind)
        let expected = try scenario.outcomeOfAll()
        let points = try KillTortureTests.points(of: scenario)
        var kills = 0
        for point in stride(from: 0, to: points.count, by: min(23, points.count / 4)).map({ points[$0] }) {
            let outcome = try scenario.outcome(struckAt: point)
            kills += outcome.wasKilled ? 1 : 0
            for (fault, text) in scenario.faults(in: outcome, expected: expected) {
                Issue.record("\(kind), \(point): \(fault.rawValue): \(text)")
            }
        }
        #expect(kills > 2)
    }
}
