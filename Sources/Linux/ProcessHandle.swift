import CLinux

/// Another process, held so that its number cannot be given to a stranger meanwhile: a `pidfd`.
public struct ProcessHandle {
    private let descriptor: FileDescriptor

    /// - Throws: ``SystemError`` with `ESRCH` when there is no such process.
    public init(identifier: Int32) throws(SystemError) {
        descriptor = FileDescriptor(owning: try retryingInterrupts { tomorrow_pidfd_open(identifier) })
    }

    /// Sends a signal (`pidfd_send_signal`).
    ///
    /// - Throws: ``SystemError``, `EPERM` where the process is another user's.
    public func send(signal: Int32) throws(SystemError) {
        try retryingInterrupts { tomorrow_pidfd_send_signal(descriptor.number, signal) }
    }

    /// Waits for the process to end, and says whether it did so in time.
    public func waitForEnd(milliseconds: Int32) -> Bool {
        waitForReading([descriptor.number], milliseconds: milliseconds)[0]
    }
}
