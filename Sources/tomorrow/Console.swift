import CommandTable
import Glibc
import Terminal

/// The one place that prints and exits. Data goes to standard output, everything else to standard error.
enum Console {
    /// Writes data.
    static func output(_ text: String) {
        if !write(text, to: STDOUT_FILENO), errno != EPIPE {
            note("tomorrow: cannot write the output: \(String(cString: strerror(errno)))")
            exit(.failed)
        }
    }

    /// Writes a line for a person.
    static func note(_ line: String) {
        // Names of devices, files and options are as hostile as titles.
        _ = write(VisibleText.of(line) + "\n", to: STDERR_FILENO)
    }

    /// Whether a line on standard error can be drawn anew: on a terminal, but not on one without cursor.
    static var canRedraw: Bool {
        guard isatty(STDERR_FILENO) == 1 else { return false }
        return getenv("TERM").map { String(cString: $0) != "dumb" } ?? false
    }

    /// Puts a text in place of the line that stands on the terminal, as much of it as fits into one; an empty
    /// one leaves none.
    static func redraw(_ line: String) {
        let text = VisibleText.of(line)
        let width = min(VisibleText.columns(text), TerminalSize.columns(of: STDERR_FILENO) - 1)
        _ = write("\r" + VisibleText.fitted(text, columns: max(0, width)) + "\u{1b}[K", to: STDERR_FILENO)
    }

    /// Ends the process, without the libraries' farewells: a hung sound server would hang them.
    static func exit(_ status: ExitStatus) -> Never {
        _exit(status.rawValue)
    }

    private static func write(_ text: String, to descriptor: Int32) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            var done = 0
            while done < bytes.count {
                let count = Glibc.write(descriptor, bytes.baseAddress! + done, bytes.count - done)
                if count < 0, errno == EINTR { continue }
                if count < 0, errno == EAGAIN {
                    var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    poll(&entry, 1, -1)
                    continue
                }
                guard count > 0 else { return false }
                done += count
            }
            return true
        }
    }
}
