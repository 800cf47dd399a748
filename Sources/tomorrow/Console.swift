import CommandTable
import Glibc
import Terminal

/// The one place that prints and exits. Data goes to standard output, everything else to standard error.
enum Console {
    /// Whether what we draw is made of ASCII, as the locale knows nothing else. Set once, at the start.
    nonisolated(unsafe) static var showsASCII = false

    private static func drawable(_ text: String) -> String {
        showsASCII ? ASCIIText.of(text) : text
    }

    /// Writes data as a person reads it.
    static func show(_ text: String) {
        output(drawable(text))
    }

    /// How wide the terminal at standard output is; nil where it is none, and nothing is cut or wrapped.
    static var columns: Int? {
        isatty(STDOUT_FILENO) == 1 ? TerminalSize.columns(of: STDOUT_FILENO) : nil
    }

    /// Writes data as a program reads it.
    static func output(_ text: String) {
        if !write(text, to: STDOUT_FILENO), errno != EPIPE {
            note("tomorrow: cannot write the output: \(String(cString: strerror(errno)))")
            exit(.failed)
        }
    }

    /// Writes a line for a person, above what is drawn.
    static func note(_ line: String) {
        erase()
        // Names of devices, files and options are as hostile as titles.
        var text = VisibleText.of(line)
        if isatty(STDERR_FILENO) == 1 {
            text = VisibleText.wrapped(text, columns: TerminalSize.columns(of: STDERR_FILENO))
        }
        tell(drawable(text) + "\n")
    }

    /// Writes a part of a line, such as what a person types into it; a line end in front begins another one.
    static func prompt(_ text: String) {
        erase()
        let isNew = text.hasPrefix("\n")
        tell((isNew ? "\n" : "") + drawable(VisibleText.of(String(text.dropFirst(isNew ? 1 : 0)))))
    }

    /// Whether a line on standard error can be drawn anew: on a terminal, but not on one without cursor.
    static var canRedraw: Bool {
        guard isatty(STDERR_FILENO) == 1 else { return false }
        return getenv("TERM").map { String(cString: $0) != "dumb" } ?? false
    }

    /// The terminal at standard error, if there is one. Only the main thread writes there.
    nonisolated(unsafe) private static var terminal = isatty(STDERR_FILENO) == 1 ? TerminalOutput() : nil

    /// Writes to standard error.
    private static func tell(_ text: String) {
        if terminal != nil {
            terminal?.write(text, milliseconds: TerminalOutput.patienceMilliseconds)
        } else {
            _ = write(text, to: STDERR_FILENO)
        }
    }

    /// How wide the lines are that stand on the terminal to be drawn anew.
    nonisolated(unsafe) private static var drawnColumns: [Int] = []
    /// How wide the terminal was then.
    nonisolated(unsafe) private static var drawnWidth = 0

    /// Puts lines in place of those that were drawn last, as much of each as fits; none takes them away. Where
    /// nothing can be redrawn it does nothing.
    static func draw(_ lines: [String]) {
        // What a terminal has not taken yet is not worth drawing over.
        guard canRedraw, !isInBackground, terminal?.flush(milliseconds: 0) ?? true else { return }
        let width = TerminalSize.columns(of: STDERR_FILENO)
        let columns = width - 1
        let cut = lines.map { drawable(VisibleText.cut(VisibleText.of($0), columns: max(0, columns))) }
        let text = cut.map { $0 + "\u{1b}[K" }
        // A terminal remembers which of its rows are parts of one line, until they are cleared whole (xterm, tmux): else
        // it would join ours when it becomes wider again, and there would be fewer than were counted.
        let clear = width == drawnWidth ? "" : "\u{1b}[J"
        let drawing = toDrawn + clear + text.joined(separator: "\n") + "\u{1b}[J"
        if terminal != nil { terminal?.write(drawing, milliseconds: 0) } else { tell(drawing) }
        (drawnColumns, drawnWidth) = (cut.map(VisibleText.columns), width)
    }

    /// Takes away what was drawn.
    static func erase() {
        if !drawnColumns.isEmpty { tell(toDrawn + "\u{1b}[J") }
        drawnColumns = []
    }

    /// Moves the cursor to the start of the first line that was drawn. A terminal that has become narrower since
    /// shows a line in several.
    private static var toDrawn: String {
        let columns = TerminalSize.columns(of: STDERR_FILENO)
        let rows = drawnColumns.reduce(0) { $0 + max(1, ($1 + columns - 1) / columns) }
        return rows > 1 ? "\r\u{1b}[\(rows - 1)A" : "\r"
    }

    /// Ends the process, without the libraries' farewells: a hung sound server would hang them.
    static func exit(_ status: ExitStatus) -> Never {
        terminal?.flush(milliseconds: TerminalOutput.patienceMilliseconds)
        SingleKeys.end()
        _exit(status.rawValue)
    }

    /// Whether something else runs in the terminal's foreground, and its screen is not ours to draw on.
    private static var isInBackground: Bool {
        let foreground = tcgetpgrp(STDERR_FILENO)
        return foreground > 0 && foreground != getpgrp()
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
