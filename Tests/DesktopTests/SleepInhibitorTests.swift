import Glibc
import Linux
import TestSupport
import Testing

@testable import Desktop

/// The lock that keeps the machine awake, from something on a real bus that gives such locks.
@Suite struct SleepInhibitorTests {
    private func inhibitor(_ rig: BusRig) -> SleepInhibitor {
        SleepInhibitor(reason: "A test", busAddress: rig.address)
    }

    private func isHeld(_ inhibitor: SleepInhibitor) -> Bool {
        let deadline = MonotonicClock.milliseconds + 10_000
        while !inhibitor.isHeld, MonotonicClock.milliseconds < deadline {
            _ = waitForReading([], milliseconds: 2)
        }
        return inhibitor.isHeld
    }

    @Test func itIsHeldUntilItIsReleasedAndCanBeHadAgain() throws {
        let rig = try BusRig()
        let login = try rig.giveSleepLocks()
        let inhibitor = inhibitor(rig)
        let asked = "sleep:idle|tomorrow|A test|block"
        inhibitor.acquire()
        #expect(isHeld(inhibitor))
        inhibitor.acquire()
        #expect(rig.locks == [asked])
        inhibitor.release()
        #expect(rig.waitsForLocks([asked, "released"]))
        inhibitor.acquire()
        #expect(isHeld(inhibitor))
        #expect(rig.locks == [asked, "released", asked])
        _ = login
    }

    @Test func itGoesWithItsOwner() throws {
        let rig = try BusRig()
        let login = try rig.giveSleepLocks()
        do {
            let inhibitor = inhibitor(rig)
            inhibitor.acquire()
            #expect(isHeld(inhibitor))
        }
        #expect(rig.waitsForLocks(["sleep:idle|tomorrow|A test|block", "released"]))
        _ = login
    }

    @Test func whoMayNotStopTheMachineFromSleepingAtLeastStopsItFromBeingIdle() throws {
        let rig = try BusRig()
        let login = try rig.giveSleepLocks("refuses")
        let inhibitor = inhibitor(rig)
        inhibitor.acquire()
        #expect(isHeld(inhibitor))
        #expect(rig.locks == ["sleep:idle|tomorrow|A test|block", "idle|tomorrow|A test|block"])
        _ = login
    }

    @Test func nobodyWaitsForIt() throws {
        let rig = try BusRig()
        let login = try rig.giveSleepLocks("hangs")
        let nobody = try BusRig()
        let hung = try BusRig()
        hung.bus.send(SIGSTOP)
        let dead = try BusRig()
        dead.bus.send(SIGKILL)
        _ = dead.bus.finish()
        for rig in [rig, nobody, hung, dead] {
            let inhibitor = inhibitor(rig)
            let start = MonotonicClock.milliseconds
            inhibitor.acquire()
            #expect(MonotonicClock.milliseconds - start < 100)
            #expect(!inhibitor.isHeld)
            inhibitor.release()
        }
        hung.bus.send(SIGCONT)
        _ = login
    }
}
