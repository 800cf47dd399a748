import Foundation
import Linux

/// A process that a test has started. It is ended with its owner, if it has not ended by then.
public final class Child: @unchecked Sendable {
    // @unchecked Sendable: a test uses its children from one task at a time.

    /// Its number.
    public let pid: Int32
    private let handle: ProcessHandle
    private let notesPipe: FileHandle
    private let outputPath: String
    private let folder: TemporaryFolder
    private var notes = Data()
    private var result: Result?

    /// How a process ended.
    public struct Result: Sendable {
        /// Its exit status, or nil when a signal ended it.
        public let status: Int32?
        /// The signal that ended it, or nil.
        public let signal: Int32?
        /// What it wrote to standard output.
        public let output: String
        /// What it wrote to standard error.
        public let notes: String
    }

    /// The directory of zone rules that the tests were given, if any (`TZDIR`). Every child gets it, so that all
    /// of them use the same rules.
    private static let zoneRules = ProcessInfo.processInfo.environment.filter { $0.key == "TZDIR" }

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - command: the program, by path or looked for in PATH, and its arguments.
    ///   - environment: its whole environment, apart from the directory of zone rules (see ``zoneRules``).
    ///   - input: what it reads from standard input; nothing by default.
    ///   - notes: where its standard error goes instead of being kept.
    ///   - ignoring: signals that it ignores from its start, as `nohup` has it.
    public init(
        _ command: [String], environment: [String: String], input: String = "/dev/null",
        notes notesPath: String? = nil, ignoring: [Int32] = []
    ) throws {
        folder = try TemporaryFolder()
        outputPath = folder.file("output")
        var pipe: [Int32] = [0, 0]
        guard Foundation.pipe(&pipe) == 0 else { throw SystemError.last }
        for end in pipe { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        notesPipe = FileHandle(fileDescriptor: pipe[0], closeOnDealloc: true)
        defer { close(pipe[1]) }

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, outputPath, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        if let notesPath {
            posix_spawn_file_actions_addopen(&actions, 2, notesPath, O_WRONLY | O_NOCTTY, 0)
        } else {
            posix_spawn_file_actions_adddup2(&actions, pipe[1], 2)
        }
        // Whatever the test's process does with signals, the child begins afresh.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var set = sigset_t()
        sigemptyset(&set)
        posix_spawnattr_setsigmask(&attributes, &set)
        for signal in [SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGHUP] { sigaddset(&set, signal) }
        posix_spawnattr_setsigdefault(&attributes, &set)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        let trap =
            ignoring.isEmpty
            ? []
            : ["sh", "-c", "trap '' \(ignoring.map(String.init).joined(separator: " ")); exec \"$@\"", "sh"]
        let words = trap + command
        var arguments = words.map { strdup($0) } + [nil]
        let whole = Self.zoneRules.merging(environment) { $1 }
        var variables = whole.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in arguments + variables { free(text) } }
        var pid: pid_t = 0
        let code = posix_spawnp(&pid, words[0], &actions, &attributes, &arguments, &variables)
        guard code == 0 else { throw SystemError(code: code) }
        self.pid = pid
        handle = try ProcessHandle(identifier: pid)
    }

    deinit {
        if result == nil {
            kill(pid, SIGKILL)
            reap()
        }
    }

    /// Sends a signal, if it has not ended.
    public func send(_ signal: Int32) {
        if result == nil { kill(pid, signal) }
    }

    /// Whether it ends within a time.
    public func ends(within seconds: Int32) -> Bool {
        result != nil || handle.waitForEnd(milliseconds: seconds * 1000)
    }

    /// The most memory that it has had resident so far, in kilobytes; nil when it has ended. What `wait4` says
    /// of it counts the memory of whoever started it.
    public var peakKilobytes: Int? {
        guard let status = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") })
        else { return nil }
        return Int(line.filter(\.isNumber))
    }

    /// How long its threads have waited for a processor so far, in seconds, added up; 0 when it has ended
    /// (/proc/PID/task/…/schedstat).
    public var waitedSeconds: Double {
        let tasks = "/proc/\(pid)/task"
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
        return threads.reduce(0) { sum, thread in
            let text = try? String(contentsOfFile: tasks + "/" + thread + "/schedstat", encoding: .utf8)
            let words = text?.split(separator: " ") ?? []
            return sum + (words.count > 1 ? (Double(words[1]) ?? 0) / 1e9 : 0)
        }
    }

    /// Waits until it has written something to standard error that contains a text.
    ///
    /// - Returns: whether that came within 60 seconds and before its end.
    public func waits(for text: String) -> Bool {
        let deadline = MonotonicClock.milliseconds + 60_000
        while !String(decoding: notes, as: UTF8.self).contains(text) {
            let left = Int32(deadline - MonotonicClock.milliseconds)
            guard left > 0, waitForReading([notesPipe.fileDescriptor], milliseconds: left)[0] else {
                return false
            }
            let more = notesPipe.availableData
            if more.isEmpty { return false }
            notes += more
        }
        return true
    }

    /// Waits for its end. One that takes too long is killed, and counts as ended by that.
    public func finish(within seconds: Int32 = 120) -> Result {
        if let result { return result }
        if !ends(within: seconds) { kill(pid, SIGKILL) }
        let status = reap()
        // Its own children may still hold the pipe; what it wrote itself is there.
        while waitForReading([notesPipe.fileDescriptor], milliseconds: 0)[0] {
            let more = notesPipe.availableData
            if more.isEmpty { break }
            notes += more
        }
        let output = (try? Data(contentsOf: URL(fileURLWithPath: outputPath))) ?? Data()
        let signal = status & 0x7f
        let ended = Result(
            status: signal == 0 ? status >> 8 & 0xff : nil, signal: signal == 0 ? nil : signal,
            output: String(decoding: output, as: UTF8.self), notes: String(decoding: notes, as: UTF8.self))
        result = ended
        return ended
    }

    @discardableResult
    private func reap() -> Int32 {
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        // libfaketime leaves its shared memory behind when a process ends by a signal or `_exit`.
        unlink("/dev/shm/faketime_shm_\(pid)")
        unlink("/dev/shm/sem.faketime_sem_\(pid)")
        return status
    }
}
