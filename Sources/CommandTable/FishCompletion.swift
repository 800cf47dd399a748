/// The script for fish.
enum FishCompletion {
    static func script() -> String {
        let taking = CommandTable.globalOptions + CommandTable.commands.flatMap(\.options)
        var names: [String] = []
        for name in taking.filter({ $0.value != nil }).flatMap(Completion.names) where !names.contains(name) {
            names.append(name)
        }
        return Completion.filled(
            template, ["TAKING": ["case " + names.joined(separator: " ")], "COMPLETE": commands])
    }

    private static let template = #"""
        # fish completion for tomorrow: tomorrow completion fish | source

        # Prints the command and the operands that stand before the cursor.
        function __tomorrow_words
            set -l words (commandline -opc)
            set -l isValue 0
            for word in $words[2..-1]
                if test $isValue = 1
                    set isValue 0
                    continue
                end
                switch $word
                    TAKING
                        set isValue 1
                    case '-*'
                    case '*'
                        printf '%s\n' $word
                end
            end
        end

        # Whether a command was typed, and so many operands behind it.
        function __tomorrow_at
            set -l words (__tomorrow_words)
            test (count $words) -gt 0; and test "$words[1]" = $argv[1]; or return 1
            test (count $argv) -eq 1; or test (count $words) -gt $argv[2] -a (count $words) -le $argv[3]
        end

        # Prints what the program knows: a line each, with a tab before its title.
        function __tomorrow_ask
            tomorrow completion $argv[1] 2>/dev/null
        end

        complete -c tomorrow -f
        COMPLETE
        """#

    private static var commands: [String] {
        let global = CommandTable.globalOptions.map { complete(nil, $0) }
        let names = CommandTable.commands.map {
            "complete -c tomorrow -n 'test (count (__tomorrow_words)) -eq 0' -a \($0.name)"
                + " -d \(quoted($0.summary))"
        }
        return global + names
            + CommandTable.commands.flatMap { command in
                command.options.map { complete("__tomorrow_at \(command.name)", $0) } + operands(command)
            }
    }

    private static func complete(_ condition: String?, _ option: OptionSpecification) -> String {
        let short = option.short.map { " -s \($0)" } ?? ""
        let value = option.value == nil ? "" : argument(option.completes) ?? " -x"
        return "complete -c tomorrow" + (condition.map { " -n '\($0)'" } ?? "") + short + " -l \(option.long)"
            + value + " -d \(quoted(option.summary))"
    }

    private static func operands(_ command: CommandSpecification) -> [String] {
        let last = command.completes.count - 1
        return command.completes.enumerated().compactMap { index, kind in
            let most = index == last ? command.operandCount.upperBound : index + 1
            return argument(kind).map {
                "complete -c tomorrow -n '__tomorrow_at \(command.name) \(index) \(most)'\($0)"
            }
        }
    }

    private static func argument(_ kind: ValueKind) -> String? {
        switch kind {
        case .text: nil
        case .file: " -r -F"
        case .asked(let query): " -k -x -a '(__tomorrow_ask \(query.rawValue))'"
        case .oneOf, .such, .commands: " -x -a \(quoted(kind.words.joined(separator: " ")))"
        }
    }

    /// Within fish's single quotes, a backslash stands before a quote.
    private static func quoted(_ text: String) -> String {
        "'" + text.map { "'\\".contains($0) ? "\\\($0)" : String($0) }.joined() + "'"
    }
}
