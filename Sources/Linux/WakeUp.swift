import CLinux
import Glibc

/// A flag that a thread can wait for in `poll` beside other descriptors: an `eventfd`.
///
/// Raising it is one system call, does not allocate and does not lock, so a capture thread may do it.
public final class WakeUp: Sendable {
    /// Becomes readable when the flag is raised.
    public let descriptor: FileDescriptor

    /// - Throws: ``SystemError`` when the process has no descriptor left.
    public init() throws(SystemError) {
        let number = try retryingInterrupts { eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK)) }
        descriptor = FileDescriptor(owning: number)
    }

    /// Raises the flag. Whoever waits goes on; raising it twice is raising it once.
    public func raise() {
        var one: UInt64 = 1
        _ = write(descriptor.number, &one, 8)
    }

    /// Takes the flag down again, and says whether it was up.
    @discardableResult
    public func lower() -> Bool {
        var count: UInt64 = 0
        return read(descriptor.number, &count, 8) == 8
    }

    /// Waits until the flag is raised, and leaves it up.
    ///
    /// - Returns: whether it was raised within `milliseconds`; −1 waits for ever.
    @discardableResult
    public func wait(milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, milliseconds) > 0
    }
}

/// Waits until one of the descriptors can be read, or has hung up (`poll`).
///
/// A negative descriptor is passed over. A signal that interrupts the wait counts as nothing to read.
///
/// - Returns: for each descriptor, in order, whether it is ready.
public func waitForReading(_ descriptors: [Int32], milliseconds: Int32) -> [Bool] {
    var entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    let ready = poll(&entries, nfds_t(entries.count), milliseconds)
    return entries.map { ready > 0 && $0.revents != 0 }
}
