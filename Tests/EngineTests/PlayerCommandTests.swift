import Testing

@testable import Engine

/// What many commands at once come to.
@Suite struct PlayerCommandTests {
    /// Commands, and what is left of them.
    static let table: [(all: [PlayerCommand], merged: [PlayerCommand])] = [
        ([], []),
        ([.move(by: 5), .move(by: -7)], [.move(by: -2)]),
        ([.move(by: .max), .move(by: .max)], [.move(by: 1 << 60)]),
        ([.move(by: .min), .move(by: .min), .move(by: .min)], [.move(by: -1 << 60)]),
        ([.seek(to: 1), .seek(to: 2)], [.seek(to: 2)]),
        ([.move(by: 1), .seek(to: 2)], [.seek(to: 2)]),
        // A seek is kept within the item before a move begins there.
        ([.seek(to: 1), .move(by: 2)], [.seek(to: 1), .move(by: 2)]),
        ([.pause, .resume], [.resume]),
        ([.resume, .resume, .pause], [.pause]),
        ([.pauseOrResume, .pauseOrResume], []),
        ([.pauseOrResume, .pauseOrResume, .pauseOrResume], [.pauseOrResume]),
        ([.pause, .pauseOrResume], [.pause, .pauseOrResume]),
        (
            [.speed(1), .speed(2), .volume(percent: 3), .volume(percent: 4)],
            [.speed(2), .volume(percent: 4)]
        ),
        ([.passes(1), .passes(nil)], [.passes(nil)]),
        ([.pause, .seek(to: 1), .resume], [.pause, .seek(to: 1), .resume]),
        ([.stop, .stop], [.stop, .stop]),
    ]

    @Test(arguments: table.indices)
    func theyComeToTheSame(index: Int) {
        let (all, merged) = Self.table[index]
        #expect(PlayerCommand.merged(all).map { "\($0)" } == merged.map { "\($0)" })
    }
}
