import CLinux
import Glibc
import Linux

/// Another program, run to its end within a time.
///
/// What it reads and writes is in files that live in memory only: nothing has to be fed or drained meanwhile,
/// no pipe can break or fill up, and no title reaches a disk.
enum Subprocess {
    /// How it ended.
    struct Ending {
        /// Its exit status; 128 and the signal's number when a signal ended it, as a shell has it.
        let status: Int32
        /// What it wrote to standard output, where that was kept.
        var output: [UInt8] = []
        /// What it wrote to standard error, where that was kept.
        var notes = ""

        /// The first line that says why, or the status.
        var reason: String {
            notes.split(separator: "\n").first.map(String.init) ?? "it ended with status \(status)"
        }
    }

    /// Runs a program with this process's environment. It gets a process group of its own, which is killed at
    /// its end with all that is left in it.
    ///
    /// - Parameters:
    ///   - command: an absolute path and the arguments.
    ///   - input: what it finds on standard input.
    ///   - variables: put before the environment, `NAME=value` each.
    ///   - keeps: whether what it writes is kept rather than going where ours goes.
    ///   - attempt: what it is for, in an error's words.
    /// - Throws: ``DesktopError`` when it cannot be started, or takes too long.
    static func run(
        _ command: [String], input: [UInt8] = [], variables: [String] = [], keeps: Bool, milliseconds: Int64,
        to attempt: String
    ) throws(DesktopError) -> Ending {
        let ending = try DesktopError.wrapping(attempt) { () throws(SystemError) -> Ending? in
            let streams = [try memory(holding: input)] + (keeps ? [try memory(), try memory()] : [])
            guard let status = try run(command, streams, variables, milliseconds) else { return nil }
            guard keeps else { return Ending(status: status) }
            return Ending(
                status: status, output: try contents(streams[1]),
                notes: String(decoding: try contents(streams[2]), as: UTF8.self))
        }
        if let ending { return ending }
        throw DesktopError(
            attempt: attempt, reason: "\(command[0]) did not end within \(milliseconds / 1_000) s")
    }

    /// The program's absolute path, looked for as a shell does.
    ///
    /// - Parameter path: folders with colons between, as in PATH; one that is not absolute does not count.
    static func find(_ name: String, path: String) -> String? {
        path.split(separator: ":").filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }
            .first { access($0, X_OK) == 0 }
    }

    /// - Returns: the exit status, or nil when it did not end in time.
    private static func run(
        _ command: [String], _ streams: [FileDescriptor], _ variables: [String], _ milliseconds: Int64
    ) throws(SystemError) -> Int32? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, stream) in streams.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, stream.number, Int32(number))
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // What we ignore or block is our own affair; a hang-up that nohup ignores stays ignored.
        var set = sigset_t()
        sigemptyset(&set)
        posix_spawnattr_setsigmask(&attributes, &set)
        for signal in [SIGPIPE, SIGXFSZ, SIGTTOU] { sigaddset(&set, signal) }
        posix_spawnattr_setsigdefault(&attributes, &set)
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
        posix_spawnattr_setflags(&attributes, Int16(flags))

        var arguments = command.map { strdup($0) } + [nil]
        let ours = variables.map { strdup($0) }
        defer { for text in arguments + ours { free(text) } }
        // Where a variable occurs twice, the C library finds the first, but a shell script gets the last.
        let names = variables.map { $0.prefix { $0 != "=" } + "=" }
        let others = inherited().filter { variable in
            guard let variable else { return true }
            return !names.contains { strncmp(variable, String($0), $0.utf8.count) == 0 }
        }
        var environment = ours + others
        // Whoever started us may have had it ignored: children are then not there to be waited for.
        signal(SIGCHLD, SIG_DFL)
        var process: pid_t = 0
        let code = posix_spawn(&process, command[0], &actions, &attributes, &arguments, &environment)
        guard code == 0 else { throw SystemError(code: code) }
        defer { withExtendedLifetime(streams) {} }
        return try finish(process, milliseconds)
    }

    private static func inherited() -> [UnsafeMutablePointer<CChar>?] {
        var variables: [UnsafeMutablePointer<CChar>?] = []
        var next = tomorrow_environment()
        while let variable = next?.pointee {
            variables.append(variable)
            next = next?.successor()
        }
        return variables + [nil]
    }

    /// Waits for a process, and ends its group. Its number is not given away before it is waited for, so the
    /// group is still the right one.
    private static func finish(_ process: pid_t, _ milliseconds: Int64) throws(SystemError) -> Int32? {
        let deadline = MonotonicClock.milliseconds + milliseconds
        var isInTime = false
        if let handle = try? ProcessHandle(identifier: process) {
            repeat {
                let left = max(0, deadline - MonotonicClock.milliseconds)
                isInTime = handle.waitForEnd(milliseconds: Int32(clamping: left))
            } while !isInTime && MonotonicClock.milliseconds < deadline
        }
        kill(-process, SIGKILL)
        var status: Int32 = 0
        try retryingInterrupts { waitpid(process, &status, 0) }
        guard isInTime else { return nil }
        let signal = status & 0x7f
        return signal == 0 ? status >> 8 & 0xff : 128 + signal
    }

    /// A file in memory (`memfd_create`), to be read from its start.
    private static func memory(holding bytes: [UInt8] = []) throws(SystemError) -> FileDescriptor {
        let file = FileDescriptor(owning: try retryingInterrupts { tomorrow_memfd_create("tomorrow") })
        var done = 0
        while done < bytes.count {
            done += try retryingInterrupts {
                bytes.withUnsafeBytes {
                    pwrite(file.number, $0.baseAddress! + done, bytes.count - done, off_t(done))
                }
            }
        }
        return file
    }

    private static func contents(_ file: FileDescriptor) throws(SystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Int(try file.status().bytes))
        let count = try retryingInterrupts { pread(file.number, &bytes, bytes.count, 0) }
        return Array(bytes[..<count])
    }
}
