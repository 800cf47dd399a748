import Foundation
import Linux

/// A terminal as a person has it, with a screen that can be looked at: tmux, with a server of its own.
public final class TmuxTerminal {
    private let folder: TemporaryFolder
    private let server: Child

    /// Opens a terminal in which a command runs. It stays open when the command has ended.
    public init(
        columns: Int, rows: Int = 24, _ command: [String], environment: [String: String]
    ) throws {
        folder = try TemporaryFolder()
        var environment = environment
        environment["TERM"] = nil
        let preloaded = environment.removeValue(forKey: "LD_PRELOAD")
        // What is preloaded is meant for the program, not for the terminal.
        let words = ["env"] + (preloaded.map { ["LD_PRELOAD=" + $0] } ?? []) + command
        // With -D the server stays in the foreground, so that it is ended with its owner.
        server = try Child(
            ["tmux", "-D", "-S", folder.file("socket"), "-f", "/dev/null"], environment: environment)
        try wait("no tmux server") { (try? tmux(["show", "-g", "prefix"]))?.status == 0 }
        let started = try tmux(
            ["set", "-g", "remain-on-exit", "on", ";", "set", "-g", "remain-on-exit-format", "", ";"]
                + ["new-session", "-d", "-x", "\(columns)", "-y", "\(rows)"] + words)
        guard started.status == 0 else { throw RigError(message: "tmux: \(started.notes)") }
    }

    deinit {
        server.send(SIGTERM)
        _ = server.finish(within: 10)
    }

    /// Types: characters, or the name that tmux has for a key, such as `Enter`.
    public func type(_ keys: String...) throws {
        _ = try tmux(["send-keys"] + keys)
    }

    /// Makes it wider or narrower.
    public func resize(columns: Int) throws {
        _ = try tmux(["resize-window", "-x", "\(columns)"])
    }

    /// What the screen shows, without the empty lines at its end.
    ///
    /// - Parameter history: how many lines that have left the screen come first.
    public func screen(history: Int = 0) throws -> String {
        var lines = try tmux(["capture-pane", "-p", "-S", "-\(history)"]).output.components(separatedBy: "\n")
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines.joined(separator: "\n")
    }

    /// Waits until the screen shows a text, and gives all of it.
    public func waits(for text: String) throws -> String {
        var shown = ""
        try wait("the screen shows no “\(text)”: \(shown)") {
            shown = try screen()
            return shown.contains(text)
        }
        return shown
    }

    private func wait(_ message: @autoclosure () -> String, until isDone: () throws -> Bool) throws {
        let deadline = MonotonicClock.milliseconds + 30_000
        while try !isDone() {
            guard MonotonicClock.milliseconds < deadline else { throw RigError(message: message()) }
            _ = waitForReading([], milliseconds: 50)
        }
    }

    /// Asks our own server; without it there is to be no other.
    private func tmux(_ arguments: [String]) throws -> Child.Result {
        try Child(
            ["tmux", "-N", "-S", folder.file("socket")] + arguments,
            environment: ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"]
        ).finish(within: 20)
    }
}
