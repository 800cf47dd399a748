import Glibc
import Linux
import Terminal

/// The keys that a person presses, one by one, while this program is in the foreground of its terminal. Without
/// a terminal at standard input there are none.
final class Keyboard {
    private var terminal: Int32
    private var decoder = KeyDecoder()

    /// How long after `fg` a key may have to wait.
    private static let backgroundMilliseconds: Int32 = 250

    init() {
        terminal = isatty(STDIN_FILENO) == 1 ? STDIN_FILENO : -1
    }

    /// Whether there is somebody who could press a key.
    var isThere: Bool { terminal >= 0 }

    /// Whether that person looks at this program now, and not at what runs in the terminal's foreground instead.
    var isInForeground: Bool { terminal >= 0 && SingleKeys.mayRead(terminal) }

    /// What to wait for a key at, or −1: a terminal in whose background we are is another's to read.
    func descriptor() -> Int32 {
        guard isInForeground else { return -1 }
        SingleKeys.begin(on: terminal)
        return terminal
    }

    /// After how long to look again although nothing has come; nil when that is not needed.
    var patienceMilliseconds: Int32? {
        if decoder.isWaiting { return KeyDecoder.patienceMilliseconds }
        return isThere && !isInForeground ? Self.backgroundMilliseconds : nil
    }

    /// The keys that were pressed, each in lower case.
    func keys(isReady: Bool) -> [Key]? { typed(isReady: isReady)?.map(\.lowercased) }

    /// The keys as they were typed.
    ///
    /// - Parameter isReady: whether ``descriptor()`` can be read. When it can not, a key that has waited for
    ///   more is taken as it is.
    /// - Returns: nil once the terminal is gone.
    func typed(isReady: Bool) -> [Key]? {
        guard isReady else { return decoder.finish() }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(terminal, &bytes, bytes.count)
        if count < 0, errno == EINTR || errno == EAGAIN { return [] }
        guard count > 0 else {
            terminal = -1
            return nil
        }
        return decoder.decode(bytes[..<count])
    }

    /// Does what a signal asks for that has to do with the terminal alone: Ctrl-Z stops this process, with the
    /// terminal as it was, until it is continued.
    ///
    /// - Returns: whether it was such a signal. Whoever draws draws anew afterwards.
    func handles(_ signal: Int32, _ signals: SignalDescriptor) -> Bool {
        if signal == SIGTSTP {
            Console.erase()
            SingleKeys.end()
            signals.suspend()
        }
        return Self.signals.contains(signal)
    }

    /// Forgets what was typed and not read yet.
    func forget() {
        if isInForeground { SingleKeys.forget(on: terminal) }
    }

    /// Gives the terminal back.
    func end() {
        SingleKeys.end()
    }

    /// The signals that a program with single keys and a display must see.
    static let signals = [SIGTSTP, SIGCONT, SIGWINCH]
}
