/// The manual page tomorrow(1) in the language of mdoc(7), made from the table.
public enum ManualPage {
    /// The day of the last change of what it says, as mdoc has it.
    private static let date = "November 30, 2026"

    /// The page.
    public static func text() -> String {
        let sections = [
            ("NAME", [".Nm tomorrow", ".Nd record a memo today, hear it tomorrow"]),
            ("SYNOPSIS", [".Nm"] + CommandTable.commands.flatMap(synopsis)),
            ("DESCRIPTION", sentence(HelpText.rule)),
            ("COMMANDS", CommandTable.commands.flatMap(command)),
            ("OPTIONS", sentence("Every command takes:") + options(CommandTable.globalOptions)),
            ("SETTINGS", settings),
            ("ENVIRONMENT", list(CommandTable.environment, ".Ev")),
            ("FILES", list(CommandTable.files, ".Pa")),
            ("SIGNALS", list(CommandTable.signals, "")),
            ("EXIT STATUS", list(ExitStatus.allCases.map { (String($0.rawValue), $0.meaning + ".") }, "")),
            ("EXAMPLES", Array(CommandTable.examples.flatMap(example).dropFirst())),
            ("SEE ALSO", [".Xr arecord 1 ,", ".Xr crontab 1 ,", ".Xr systemd.timer 5"]),
        ]
        let head = [".Dd \(date)", ".Dt TOMORROW 1", ".Os"]
        return (head + sections.flatMap { [".Sh " + $0.0] + $0.1 }).joined(separator: "\n") + "\n"
    }

    private static func synopsis(_ command: CommandSpecification) -> [String] {
        let options = command.options.isEmpty ? "" : " Oo Ar option ... Oc"
        return [".Nm", ".Cm \(command.name)\(options)\(operands(command))"]
    }

    /// The operands of a command, as arguments: `[ID…]` is what may be left out.
    private static func operands(_ command: CommandSpecification) -> String {
        guard !command.operands.isEmpty else { return "" }
        let isOptional = command.operands.hasPrefix("[")
        var name = command.operands.filter { $0 != "[" && $0 != "]" }
        let isMany = name.hasSuffix("…")
        if isMany { name.removeLast() }
        if case .oneOf(let words) = command.completes.first {
            return " " + words.map { "Cm " + escaped($0) }.joined(separator: " | ")
        }
        return (isOptional ? " Oo Ar " : " Ar ") + escaped(name.lowercased()) + (isMany ? " ..." : "")
            + (isOptional ? " Oc" : "")
    }

    private static func command(_ command: CommandSpecification) -> [String] {
        [".Ss \(command.name)"] + sentence(command.summary)
            + (command.details.isEmpty ? [] : [".Pp"] + sentence(command.details))
            + (command.options.isEmpty ? [] : options(command.options))
    }

    private static func options(_ options: [OptionSpecification]) -> [String] {
        let items = options.flatMap { option in
            let short = option.short.map { "Fl \($0) , " } ?? ""
            let value = option.value.map { " Ar " + escaped($0) } ?? ""
            return [".It \(short)Fl \\-\(escaped(option.long))\(value)"] + sentence(option.summary)
        }
        return [".Bl -tag -width 4n"] + items + [".El"]
    }

    private static var settings: [String] {
        sentence("Lines of 'key = value' in the configuration file; the command line wins. For example:")
            + list(CommandTable.settings.map { ("\($0.key) = \($0.example)", $0.summary) }, ".Cm")
    }

    private static func list(_ rows: [(String, String)], _ macro: String) -> [String] {
        let name = macro.isEmpty ? "" : macro.dropFirst() + " "
        // A word of one argument, even where it holds spaces.
        let items = rows.flatMap { [".It \(name)\"\(escaped($0.0))\""] + sentence($0.1) }
        return [".Bl -tag -width 4n"] + items + [".El"]
    }

    private static func example(_ command: String, _ summary: String) -> [String] {
        [".Pp"] + sentence(summary) + [".Dl " + escaped(command)]
    }

    /// A text, each sentence on lines of its own, as roff sets the space behind it.
    private static func sentence(_ text: String) -> [String] {
        var lines = [""]
        for word in text.split(whereSeparator: \.isWhitespace).map({ escaped(String($0)) }) {
            let last = lines[lines.count - 1]
            // A line that begins with a point is a macro.
            let first = word.hasPrefix(".") ? "\\&" + word : word
            if last.isEmpty {
                lines[lines.count - 1] = first
            } else if last.hasSuffix(".") || last.count + 1 + word.count > mostLetters {
                lines.append(first)
            } else {
                lines[lines.count - 1] += " " + word
            }
        }
        return lines
    }

    private static let mostLetters = 78

    /// What roff would take for its own; hyphens are to be copied as they are typed.
    private static func escaped(_ text: String) -> String {
        text.map { character in
            switch character {
            case "\\": "\\e"
            case "-": "\\-"
            case "'": "\\(aq"
            case "\"": "\\(dq"
            case "`": "\\(ga"
            case "~": "\\(ti"
            case "^": "\\(ha"
            case "…": "..."
            default: String(character)
            }
        }.joined()
    }
}
