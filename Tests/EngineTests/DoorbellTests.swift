import Linux
import Synchronization
import Testing

@testable import Engine

@Suite struct DoorbellTests {
    /// A count that goes back and forth between two threads, each of which sleeps until it is its turn. A ring
    /// that is lost costs ten seconds.
    @Test func noRingIsLost() throws {
        final class Game: Sendable {
            let turn = Atomic<Int>(0)
            let bells = [try! Doorbell(), try! Doorbell()]

            func play(_ player: Int, turns: Int) {
                for _ in 0..<turns {
                    while turn.load(ordering: .acquiring) % 2 != player {
                        bells[player].wait(milliseconds: 10_000) {
                            turn.load(ordering: .acquiring) % 2 != player
                        }
                    }
                    turn.add(1, ordering: .releasing)
                    bells[1 - player].ring()
                }
            }
        }
        let game = Game()
        let began = MonotonicClock.milliseconds
        let other = try NativeThread(name: "other") { game.play(1, turns: 2_000) }
        game.play(0, turns: 2_000)
        other.join()
        #expect(game.turn.load(ordering: .acquiring) == 4_000)
        #expect(MonotonicClock.milliseconds - began < 10_000)
    }

    @Test func aRingAfterTheLastLookIsHeard() throws {
        let bell = try Doorbell()
        let began = MonotonicClock.milliseconds
        bell.wait(milliseconds: 10_000) {
            bell.ring()
            return true
        }
        #expect(MonotonicClock.milliseconds - began < 5_000)
    }

    @Test func aBellThatNobodyRingsIsGivenUp() throws {
        let began = MonotonicClock.milliseconds
        try Doorbell().wait(milliseconds: 30) { true }
        #expect(MonotonicClock.milliseconds - began >= 29)
    }

    @Test func whoHasWorkDoesNotSleep() throws {
        let bell = try Doorbell()
        let began = MonotonicClock.milliseconds
        bell.ring()
        bell.wait(milliseconds: 10_000) { false }
        #expect(MonotonicClock.milliseconds - began < 5_000)
    }
}
