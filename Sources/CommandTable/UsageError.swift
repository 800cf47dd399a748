/// A command line that cannot be understood.
public struct UsageError: Error, Equatable, Sendable {
    /// What is wrong, with the option as typed and the value in quotes.
    public let message: String
    /// The command whose help says more, or nil.
    public let command: String?
    /// What was perhaps meant, or nil.
    public let nearest: String?
    /// What else helps, or nil.
    public let hint: String?

    /// An error with its words.
    public init(_ message: String, command: String?, nearest: String? = nil, hint: String? = nil) {
        self.message = message
        self.command = command
        self.nearest = nearest
        self.hint = hint
    }

    /// The line that says what to do: what was perhaps meant, else what helps, else where to look.
    public var advice: String {
        if let nearest { return "Did you mean '\(nearest)'?" }
        if let hint { return hint }
        return "'tomorrow help\(command.map { " " + $0 } ?? "")' says what can be given."
    }

    /// A command that there is not.
    public static func noCommand(_ typed: String) -> UsageError {
        UsageError(
            "there is no command '\(typed)'", command: nil,
            nearest: Spelling.nearest(to: typed, among: CommandTable.commands.map(\.name)))
    }

    /// A value that is none of those that there are.
    ///
    /// - Parameters:
    ///   - typed: the option as it was typed.
    ///   - words: what may be given.
    ///   - hint: how there could be others.
    public static func noValue(
        _ value: String, of typed: String, among words: [String], command: String?, hint: String? = nil
    ) -> UsageError {
        let allowed =
            words.count <= 2 ? words.joined(separator: " or ") : "one of " + words.joined(separator: ", ")
        return UsageError(
            "'\(typed)' takes \(allowed), not '\(value)'", command: command,
            nearest: Spelling.nearest(to: value, among: words), hint: hint)
    }
}
