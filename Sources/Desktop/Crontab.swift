/// The user's crontab, read and written through `crontab(1)`.
public struct Crontab: Sendable {
    private let program: String
    private static let milliseconds: Int64 = 10_000
    /// Messages in English, and every line: Debian's takes up to three comments at the top for its own header
    /// and leaves them out, whosever they are.
    private static let variables = ["LC_ALL=C", "CRONTAB_NOHEADER=N"]

    /// Finds the program.
    ///
    /// - Parameter path: where programs are looked for, as PATH has it.
    /// - Throws: ``DesktopError`` where there is none.
    public init(path: String) throws(DesktopError) {
        guard let program = Subprocess.find("crontab", path: path) else {
            throw DesktopError(
                attempt: "read your crontab", reason: "there is no crontab program on this machine",
                advice: "Debian's package cron has it; or use a systemd timer: --with systemd.")
        }
        self.program = program
    }

    /// Reads it (`crontab -l`); none is an empty one.
    ///
    /// - Throws: ``DesktopError`` when it cannot be read. It is then not known what is in it.
    public func read() throws(DesktopError) -> CrontabText {
        let attempt = "read your crontab"
        let ending = try run("-l", to: attempt)
        if ending.status == 0 { return CrontabText(listed: ending.output) }
        guard ending.output.isEmpty, ending.notes.contains("no crontab for ") else {
            throw DesktopError(attempt: attempt, reason: ending.reason)
        }
        return CrontabText([])
    }

    /// Has it run a job, in place of the one that it ran for us before.
    ///
    /// - Returns: what it then holds.
    /// - Throws: ``DesktopError``; it is then as it was. Nothing is written unless all of it could be read.
    @discardableResult
    public func install(_ job: Job, every interval: JobInterval) throws(DesktopError) -> CrontabText {
        let old = try read()
        let new = try old.installing(job, every: interval)
        if new != old {
            try write(new, over: old, otherwise: "Add this line with 'crontab -e': \(new.line ?? "")")
        }
        return new
    }

    /// Takes our line away.
    ///
    /// - Returns: whether there was one.
    /// - Throws: ``DesktopError``; it is then as it was.
    @discardableResult
    public func remove() throws(DesktopError) -> Bool {
        let old = try read()
        let new = old.removing()
        if new == old { return false }
        try write(new, over: old, otherwise: "Take this line away with 'crontab -e': \(old.line ?? "")")
        return true
    }

    private func write(
        _ text: CrontabText, over old: CrontabText, otherwise advice: String
    ) throws(DesktopError) {
        let attempt = "write your crontab"
        if old.mayShowReturnsAsText {
            throw DesktopError(
                attempt: attempt, reason: "there is \\r in it, as which crontab also shows a carriage return",
                advice: advice)
        }
        if text.bytes.isEmpty {
            let ending = try run("-r", to: attempt)
            if ending.status != 0 { throw DesktopError(attempt: attempt, reason: ending.reason) }
            return
        }
        var ending = try run("-", input: text.bytes, to: attempt)
        // Debian's takes no last line without an end, even where it was there before.
        if ending.status != 0, text.bytes.last != UInt8(ascii: "\n") {
            ending = try run("-", input: text.bytes + [UInt8(ascii: "\n")], to: attempt)
        }
        if ending.status != 0 { throw DesktopError(attempt: attempt, reason: ending.reason) }
    }

    private func run(
        _ argument: String, input: [UInt8] = [], to attempt: String
    ) throws(DesktopError) -> Subprocess.Ending {
        try Subprocess.run(
            [program, argument], input: input, variables: Self.variables, keeps: true,
            milliseconds: Self.milliseconds, to: attempt)
    }
}
