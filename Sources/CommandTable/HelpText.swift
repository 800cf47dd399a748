/// Help as it is shown on a terminal, made from the table.
public enum HelpText {
    /// What the program is for.
    static let rule =
        "Record a memo for tomorrow. It stays sealed until then, can be heard for 24 hours, and then it is gone."

    /// Lines that are longer are hard to read.
    public static let mostColumns = 80
    /// What a summary needs beside its option; where there is less room it stands below.
    private static let leastColumns = 24

    /// The overview of all commands.
    ///
    /// - Parameter columns: how wide it may be.
    public static func overview(columns: Int = mostColumns) -> String {
        var text = wrapped(rule, indent: 0, columns)
        text += "\n\nUsage: tomorrow [COMMAND] [OPTION…]\n\nCommands:\n"
        text += rows(CommandTable.commands.map { ($0.name, $0.summary) }, columns)
        text += "\nOptions of every command:\n" + rows(CommandTable.globalOptions.map(row), columns)
        text += "\nExit status:\n"
        text += rows(ExitStatus.allCases.map { (String($0.rawValue), $0.meaning) }, columns)
        return text + "\n'tomorrow help COMMAND' says more.\n"
    }

    /// What there is to know about one command.
    ///
    /// - Parameter columns: how wide it may be.
    public static func command(_ command: CommandSpecification, columns: Int = mostColumns) -> String {
        let words = ["tomorrow", command.name, command.options.isEmpty ? "" : "[OPTION…]", command.operands]
        var text = wrapped(command.summary, indent: 0, columns) + "\n\nUsage: "
        text += words.filter { !$0.isEmpty }.joined(separator: " ") + "\n"
        if !command.details.isEmpty { text += "\n" + wrapped(command.details, indent: 0, columns) + "\n" }
        if !command.options.isEmpty { text += "\nOptions:\n" + rows(command.options.map(row), columns) }
        return text + "\nOptions of every command:\n" + rows(CommandTable.globalOptions.map(row), columns)
    }

    private static func row(_ option: OptionSpecification) -> (String, String) {
        let short = option.short.map { "-\($0), " } ?? "    "
        return (short + "--" + option.long + (option.value.map { " " + $0 } ?? ""), option.summary)
    }

    /// Two columns, the second wrapped beside the first.
    private static func rows(_ rows: [(String, String)], _ columns: Int) -> String {
        let width = (rows.map(\.0.count).max() ?? 0) + 4
        return rows.map { name, summary in
            if width + leastColumns > columns {
                return "  " + name + "\n      " + wrapped(summary, indent: 6, columns) + "\n"
            }
            let pad = String(repeating: " ", count: width - 2 - name.count)
            return "  " + name + pad + wrapped(summary, indent: width, columns) + "\n"
        }.joined()
    }

    /// Breaks between words; lines from the second on are indented.
    private static func wrapped(_ text: String, indent: Int, _ columns: Int) -> String {
        var lines = [""]
        for word in text.split(separator: " ") {
            let line = lines[lines.count - 1]
            if line.isEmpty {
                lines[lines.count - 1] = String(word)
            } else if indent + line.count + 1 + word.count <= columns {
                lines[lines.count - 1] += " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines.joined(separator: "\n" + String(repeating: " ", count: indent))
    }
}
