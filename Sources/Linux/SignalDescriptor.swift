import CLinux
import Glibc

/// Signals that arrive as data to be read, rather than as interruptions: a `signalfd`.
///
/// Made on the main thread before any other thread exists, so that all of them have the signals blocked.
public final class SignalDescriptor {
    /// Becomes readable when one of the signals has come.
    public let descriptor: FileDescriptor
    private let signals: [Int32]

    /// Blocks the signals and collects them here. One that was ignored when the process started, as
    /// `nohup` does with `SIGHUP`, stays ignored.
    ///
    /// - Throws: ``SystemError`` when the process has no descriptor left.
    public init(_ signals: [Int32]) throws(SystemError) {
        let kept = signals.filter { !Self.isIgnored($0) }
        var set = Self.set(of: kept)
        pthread_sigmask(SIG_BLOCK, &set, nil)
        let number = try retryingInterrupts {
            signalfd(-1, &set, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
        }
        descriptor = FileDescriptor(owning: number)
        self.signals = kept
    }

    /// The signal that has come, or nil.
    public func next() -> Int32? {
        var information = signalfd_siginfo()
        let size = MemoryLayout<signalfd_siginfo>.size
        return read(descriptor.number, &information, size) == size ? Int32(information.ssi_signo) : nil
    }

    /// Ends this process by a signal, as if nobody had caught it, so that a shell loop ends too.
    public func die(of signal: Int32) -> Never {
        Glibc.signal(signal, SIG_DFL)
        var set = Self.set(of: [signal])
        raise(signal)
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
        exit(128 + signal)
    }

    /// Stops this process by `SIGTSTP`, as if nobody had caught it, until it is continued. Returns at once where
    /// nobody could continue it: in a process group that no shell watches.
    public func suspend() {
        var set = Self.set(of: [SIGTSTP])
        raise(SIGTSTP)
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    private static func set(of signals: [Int32]) -> sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        return set
    }

    /// Whether this process ignores a signal.
    public static func isIgnored(_ signal: Int32) -> Bool {
        var action = sigaction()
        sigaction(signal, nil, &action)
        // SIG_IGN is a pointer that no function has: the address 1.
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    }
}
