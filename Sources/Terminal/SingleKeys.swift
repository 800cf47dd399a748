import CTerminalGuard
import Glibc

/// The terminal's mode in which each key is read as it is pressed, and not shown (`tcsetattr`: neither `ICANON`
/// nor `ECHO`). Ctrl-C and Ctrl-Z stay signals.
public enum SingleKeys {
    /// Begins, or begins again after a shell or a line has had the terminal. A crash of this process ends it.
    ///
    /// - Parameter terminal: a terminal in whose foreground this process is.
    /// - Returns: whether the terminal is in that mode now.
    @discardableResult
    public static func begin(on terminal: Int32) -> Bool {
        terminal_guard_enter(terminal) == 0
    }

    /// Leaves the terminal as it was found. Calling it again does nothing.
    public static func end() {
        terminal_guard_leave()
    }

    /// Whether this process is in the foreground of a terminal, and may read from it (`tcgetpgrp`). A terminal
    /// that has no foreground, as it is another session's or gone, can be read: that tells what it is.
    public static func mayRead(_ terminal: Int32) -> Bool {
        let foreground = tcgetpgrp(terminal)
        return foreground < 0 || foreground == getpgrp()
    }

    /// Forgets what was typed and not read yet (`tcflush`).
    public static func forget(on terminal: Int32) {
        tcflush(terminal, TCIFLUSH)
    }
}
