/// A command of the user's own.
public enum UserCommand {
    /// Runs a command with `/bin/sh -c`. What it writes goes where our own output goes, and what it leaves
    /// behind in its process group is killed.
    ///
    /// - Parameters:
    ///   - command: a line of shell.
    ///   - input: what it finds on standard input; it need not read it.
    ///   - milliseconds: when it is killed.
    /// - Returns: its exit status; 128 and the signal's number when a signal ended it.
    /// - Throws: ``DesktopError`` when it cannot be started, or did not end in time.
    public static func run(
        _ command: String, input: [UInt8], milliseconds: Int64 = 30_000
    ) throws(DesktopError) -> Int32 {
        try Subprocess.run(
            ["/bin/sh", "-c", command], input: input, keeps: false, milliseconds: milliseconds,
            to: "run '\(command)'"
        ).status
    }
}
