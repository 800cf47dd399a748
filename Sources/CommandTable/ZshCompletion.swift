/// The script for zsh, which stands on its `_arguments`.
enum ZshCompletion {
    static func script() -> String {
        Completion.filled(
            template,
            [
                "GLOBAL": CommandTable.globalOptions.map(specification), "NAMES": names,
                "COMMANDS": commands,
            ])
    }

    /// It can be a file of `$fpath`, which is run at the first completion, or be evaluated at any time.
    private static let template = #"""
        #compdef tomorrow

        # Offers what the program knows: a line each, with a tab before its title.
        _tomorrow_ask() {
            local -a offers
            offers=("${(@f)$(tomorrow completion $1 2>/dev/null)}")
            offers=("${(@)offers//:/\\:}")
            offers=("${(@)${(@)offers/$'\t'/:}:#}")
            (( $#offers )) && _describe -V -t $1 $1 offers
        }

        _tomorrow_commands() {
            local -a commands
            commands=(
                NAMES
            )
            _describe -t commands command commands
        }

        _tomorrow() {
            local curcontext=$curcontext state line
            local -a global
            typeset -A opt_args
            global=(
                GLOBAL
            )
            _arguments -C -s -S $global '1:command:_tomorrow_commands' '*::operand:->operands' && return
            [[ $state == operands ]] || return
            case $words[1] in
            COMMANDS
            esac
        }

        if [[ $funcstack[1] == _tomorrow ]]; then
            _tomorrow "$@"
        else
            # A shell that has just been set up completes nothing yet.
            (( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
            compdef _tomorrow tomorrow
        fi
        """#

    private static var names: [String] {
        CommandTable.commands.map { Completion.quoted($0.name + ":" + escaped($0.summary)) }
    }

    private static var commands: [String] {
        CommandTable.commands.map { command in
            let last = command.completes.count - 1
            let operands = command.completes.enumerated().map { index, kind in
                let isMany = index == last && command.operandCount.upperBound > last + 1
                return Completion.quoted((isMany ? "*" : "\(index + 1)") + ":operand:" + action(kind))
            }
            let words = ["_arguments -s -S $global"] + command.options.map(specification) + operands
            return "\(command.name)) \(words.joined(separator: " \\\n        ")) ;;"
        }
    }

    /// `'(-t --title)'{-t+,--title=}'[What to call it.]:TEXT:'`
    private static func specification(_ option: OptionSpecification) -> String {
        let takes = option.value != nil
        let names = Completion.names(option).map { name in
            takes ? name + (name.hasPrefix("--") ? "=" : "+") : name
        }
        let value = option.value.map { ":\(escaped($0)):" + action(option.completes) } ?? ""
        let text = "[\(escaped(option.summary))]" + value
        guard names.count > 1 else { return Completion.quoted(names[0] + text) }
        let others = Completion.quoted("(\(Completion.names(option).joined(separator: " ")))")
        return others + "{" + names.joined(separator: ",") + "}" + Completion.quoted(text)
    }

    private static func action(_ kind: ValueKind) -> String {
        switch kind {
        case .text: ""
        case .file: "_files"
        case .commands: "_tomorrow_commands"
        case .asked(let query): " _tomorrow_ask \(query.rawValue)"
        case .oneOf, .such: "(\(kind.words.joined(separator: " ")))"
        }
    }

    /// What `_arguments` and `_describe` would take for their own.
    private static func escaped(_ text: String) -> String {
        text.map { "[]:\\".contains($0) ? "\\\($0)" : String($0) }.joined()
    }
}
