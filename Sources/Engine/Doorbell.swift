import Linux
import Synchronization

/// Wakes one thread that sleeps for want of work. It costs a system call only when that thread really sleeps:
/// a producer that is faster than its consumer rings for nothing.
///
/// Rings that come between the last look for work and the sleep are not lost: the exchanges of the flag are in
/// one order, and whoever comes second sees all that was done before the first.
final class Doorbell: Sendable {
    private let wakeUp: WakeUp
    private let isAwaited = Atomic<Bool>(false)

    /// - Throws: `SystemError` when the process has no descriptor left.
    init() throws(SystemError) {
        wakeUp = try WakeUp()
    }

    /// Says that there is work, after it is there. Does not allocate or lock.
    func ring() {
        if isAwaited.exchange(false, ordering: .acquiringAndReleasing) { wakeUp.raise() }
    }

    /// Sleeps until somebody rings; now and then a moment only.
    ///
    /// - Parameters:
    ///   - milliseconds: the longest sleep.
    ///   - isIdle: whether there is still no work, as seen by this thread; it sleeps only then.
    func wait(milliseconds: Int32, while isIdle: () -> Bool) {
        _ = isAwaited.exchange(true, ordering: .acquiringAndReleasing)
        if isIdle() { wakeUp.wait(milliseconds: milliseconds) }
        if !isAwaited.exchange(false, ordering: .acquiringAndReleasing) { wakeUp.lower() }
    }
}
