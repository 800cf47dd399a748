import Glibc

/// Standard error where it is a terminal. A terminal can stop taking anything, by Ctrl-S or as the line to it is
/// dead, and must not hold up a recording then: what it does not take waits here.
///
/// Only the main thread writes.
struct TerminalOutput {
    private let descriptor: Int32
    private var waiting: [UInt8] = []

    /// For so long a line for a person is waited for.
    static let patienceMilliseconds: Int32 = 1_000
    /// More than that is not kept for a terminal that takes nothing.
    private static let mostBytes = 1 << 16

    /// Opens the terminal anew (`O_NONBLOCK` belongs to what is opened, and standard error is the shell's too);
    /// nil where that is not allowed.
    init?() {
        descriptor = open("/proc/self/fd/\(STDERR_FILENO)", O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
    }

    /// Writes a text, behind what waits.
    ///
    /// - Parameter milliseconds: how long the terminal may take; what it has not taken by then waits on.
    mutating func write(_ text: String, milliseconds: Int32) {
        if waiting.count < Self.mostBytes { waiting += text.utf8 }
        flush(milliseconds: milliseconds)
    }

    /// Writes what waits, and says whether that was all.
    @discardableResult
    mutating func flush(milliseconds: Int32) -> Bool {
        while !waiting.isEmpty {
            let count = Glibc.write(descriptor, waiting, waiting.count)
            if count > 0 {
                waiting.removeFirst(count)
            } else if count < 0, errno == EAGAIN {
                var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                if poll(&entry, 1, milliseconds) <= 0 { return false }
            } else if count >= 0 || errno != EINTR {
                // The terminal is gone.
                waiting = []
            }
        }
        return true
    }
}
