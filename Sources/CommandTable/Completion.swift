/// What teaches a shell to complete our command line, made from the table.
///
/// The scripts know commands, options and fixed words by themselves; for the rest they run
/// `tomorrow completion QUERY`, which prints a line an offer, with a tab before what is to be said about it.
public enum Completion {
    /// The shells that can be taught.
    public enum Shell: String, CaseIterable, Sendable {
        case bash, zsh, fish
    }

    /// The script for a shell.
    public static func script(for shell: Shell) -> String {
        switch shell {
        case .bash: BashCompletion.script()
        case .zsh: ZshCompletion.script()
        case .fish: FishCompletion.script()
        }
    }

    /// The options that can be given with a command: its own and those of every command.
    static func options(of command: CommandSpecification) -> [OptionSpecification] {
        command.options + CommandTable.globalOptions
    }

    /// An option as it can be typed: `-t`, `--title`.
    static func names(_ option: OptionSpecification) -> [String] {
        (option.short.map { ["-\($0)"] } ?? []) + ["--" + option.long]
    }

    /// A text in single quotes, which no shell looks into.
    static func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }

    /// A script with its lines indented anew: `lines` are put in the place of a line that says only `name`.
    static func filled(_ template: String, _ parts: [String: [String]]) -> String {
        template.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line -> [String] in
            let indent = String(line.prefix { $0 == " " })
            guard let lines = parts[String(line.dropFirst(indent.count))] else { return [String(line)] }
            return lines.map { indent + $0 }
        }.joined(separator: "\n") + "\n"
    }
}
