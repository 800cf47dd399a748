/// The script for bash, which needs no other one.
enum BashCompletion {
    static func script() -> String {
        Completion.filled(
            template, ["TAKING": taking, "VALUES": values, "OPTIONS": options, "OPERANDS": operands])
    }

    /// Bash has taken words apart at `=` and `:`, which belong to ours; what is offered is only what stands
    /// behind the last of them. Nothing is given to `compgen -W`, which would run what stands in a category.
    private static let template = #"""
        # bash completion for tomorrow: eval "$(tomorrow completion bash)"

        _tomorrow() {
            local words=() word title rest=${COMP_LINE:0:COMP_POINT}
            for word in "${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
                if [[ ${#words[@]} -eq 0 || $rest == [[:space:]]* ]]; then words+=(""); fi
                rest=${rest#"${rest%%[![:space:]]*}"}
                if [[ $rest != "$word"* ]]; then word=$rest; fi
                words[${#words[@]}-1]+=$word
                rest=${rest#"$word"}
            done

            local command="" option="" count=0 index
            for ((index = 1; index < ${#words[@]} - 1; index++)); do
                word=${words[index]}
                if [[ -n $option ]]; then
                    option=""
                elif [[ $word == -* ]]; then
                    case "$command $word" in
                    TAKING
                    esac
                elif [[ -z $command ]]; then
                    command=$word
                else
                    count=$((count + 1))
                fi
            done

            local offers="" current=${words[${#words[@]}-1]}
            if [[ -z $option && $current == --*=* ]]; then
                option=${current%%=*}
                current=${current#*=}
            fi
            if [[ -n $option ]]; then
                case "$command $option" in
                VALUES
                esac
            elif [[ $current == -* ]]; then
                case $command in
                OPTIONS
                esac
            else
                case "$command $count" in
                OPERANDS
                esac
            fi

            current=${current//[\\\"\']/}
            local before=${current%"${current##*[=:]}"} plain=() titled=()
            while IFS=$'\t' read -r word title; do
                if [[ -z $word || $word != "$current"* ]]; then continue; fi
                printf -v word %q "${word#"$before"}"
                plain+=("$word")
                titled+=("$word${title:+  $title}")
            done <<<"$offers"
            # Titles are for whoever looks; what is put in is the number alone.
            if [[ ${#plain[@]} -gt 1 && $COMP_TYPE != 37 ]]; then
                COMPREPLY=("${titled[@]}")
            else
                COMPREPLY=("${plain[@]}")
            fi
        }
        complete -o nosort -F _tomorrow tomorrow
        """#

    /// The options that take the next word.
    private static var taking: [String] {
        every { option, pattern in option.value == nil ? nil : "\(pattern)) option=$word ;;" }
    }

    private static var values: [String] {
        every { option, pattern in offer(option.completes).map { "\(pattern)) \($0) ;;" } }
    }

    /// A line of a `case` for every option, those of every command first.
    private static func every(_ line: (OptionSpecification, String) -> String?) -> [String] {
        func pattern(_ command: String, _ option: OptionSpecification) -> String {
            Completion.names(option).map { command == "*" ? "*' \($0)'" : "'\(command) \($0)'" }.joined(
                separator: " | ")
        }
        return CommandTable.globalOptions.compactMap { line($0, pattern("*", $0)) }
            + CommandTable.commands.flatMap { command in
                command.options.compactMap { line($0, pattern(command.name, $0)) }
            }
    }

    private static var options: [String] {
        let rows = CommandTable.commands.map { ($0.name, Completion.options(of: $0)) }
        return (rows + [("*", CommandTable.globalOptions)]).map { name, options in
            "\(name)) offers=\(lines(options.flatMap(Completion.names))) ;;"
        }
    }

    private static var operands: [String] {
        ["' 0') offers=\(lines(CommandTable.commands.map(\.name))) ;;"]
            + CommandTable.commands.flatMap { command in
                command.completes.enumerated().compactMap { index, kind in
                    let place = index == command.completes.count - 1 ? " '*" : " \(index)'"
                    return offer(kind).map { "'\(command.name)\(place)) \($0) ;;" }
                }
            }
    }

    private static func offer(_ kind: ValueKind) -> String? {
        switch kind {
        case .text: nil
        case .file: "compopt -o default"
        case .asked(let query): "offers=$(tomorrow completion \(query.rawValue) 2>/dev/null)"
        case .oneOf, .such, .commands: "offers=\(lines(kind.words))"
        }
    }

    private static func lines(_ words: [String]) -> String {
        "$'" + words.joined(separator: "\\n") + "'"
    }
}
