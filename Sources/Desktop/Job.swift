/// What is to be run again and again: a program with its arguments and what it must find in its environment.
public struct Job: Equatable, Sendable {
    /// The program's absolute path.
    public let program: String
    /// Plain words of ours.
    public let arguments: [String]
    /// Variables by name, beyond those that every job has.
    public let variables: [String: String]

    /// - Parameters:
    ///   - program: an absolute path, as cron's PATH is not the user's.
    ///   - arguments: words that need no quoting.
    ///   - variables: what the job must find in its environment.
    public init(program: String, arguments: [String], variables: [String: String]) {
        self.program = program
        self.arguments = arguments
        self.variables = variables
    }

    /// The command of a crontab line: the variables, the program, its arguments, quoted for `sh`, and a
    /// comment.
    ///
    /// - Throws: ``DesktopError`` for what no crontab line can hold: `%` is cron's own new line there, with
    ///   no way around it that every shell understands, and Debian's crontab takes 998 bytes.
    func cronCommand(comment: String) throws(DesktopError) -> String {
        try requireNoControlCharacters()
        let words =
            variables.sorted { $0.key < $1.key }.map { $0.key + "=" + Self.shellQuoted($0.value) }
            + [Self.shellQuoted(program)] + arguments + [comment]
        let command = words.joined(separator: " ")
        if let word = words.first(where: { $0.contains("%") }) {
            throw refusal("cron cannot take the % in \(word)")
        }
        if command.utf8.count > Self.cronCommandBytes {
            throw refusal("the command is longer than the \(Self.cronCommandBytes) bytes that cron takes")
        }
        return command
    }

    /// The lines of a service that run it (`systemd.service(5)`), quoted for systemd.
    ///
    /// - Throws: ``DesktopError`` for what systemd does not take: control characters, and in the program's
    ///   path quotes and backslashes, however they are quoted.
    func serviceLines() throws(DesktopError) -> [String] {
        try requireNoControlCharacters()
        if program.contains(where: { "'\"\\".contains($0) }) {
            throw refusal("systemd takes no quotes and no backslash in a program's path")
        }
        let environment = variables.sorted { $0.key < $1.key }.map {
            "Environment=" + Self.systemdQuoted($0.key + "=" + $0.value)
        }
        let command = [Self.systemdQuoted(program)] + arguments
        return environment + ["ExecStart=" + command.joined(separator: " ")]
    }

    private static let cronCommandBytes = 998

    private func requireNoControlCharacters() throws(DesktopError) {
        for text in [program] + variables.values
        where text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
            throw refusal("there is a control character in a path")
        }
    }

    private func refusal(_ reason: String) -> DesktopError {
        DesktopError(
            attempt: "schedule \(program)", reason: reason,
            advice: "A path without that, or a link to it, can be scheduled.")
    }

    /// A word for `sh`; between single quotes everything is itself.
    private static func shellQuoted(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."),
                UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: ","):
                true
            default: false
            }
        }
        if isPlain, !text.isEmpty { return text }
        return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
            + "'"
    }

    /// A word for systemd: in double quotes, with its specifiers' `%` doubled. `$` is itself both in a path
    /// and in `Environment=`.
    private static func systemdQuoted(_ text: String) -> String {
        var quoted = ""
        for character in text.unicodeScalars {
            switch character {
            case "\\", "\"": quoted += "\\"
            case "%": quoted += "%"
            default: break
            }
            quoted.unicodeScalars.append(character)
        }
        return "\"" + quoted + "\""
    }
}
