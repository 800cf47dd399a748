/// Takes a command line apart by the table, with GNU's habits: `--opt value` and `--opt=value`, unique
/// abbreviations, bundled short options, options behind operands, `--` to end them.
///
/// By hand, as `getopt_long` cannot tell an unknown option from an ambiguous one, cuts letters that are not
/// ASCII, and keeps its state in globals.
public struct Parser {
    private var invocation = Invocation()
    private var rest: ArraySlice<String>

    /// Parses the arguments behind the program's name.
    ///
    /// - Throws: ``UsageError``.
    public static func parse(_ arguments: [String]) throws(UsageError) -> Invocation {
        var parser = Parser(rest: arguments[...])
        try parser.run()
        return parser.invocation
    }

    private init(rest: ArraySlice<String>) {
        self.rest = rest
    }

    private mutating func run() throws(UsageError) {
        while let argument = rest.popFirst() {
            if argument == "--" {
                while let operand = rest.popFirst() { try take(operand) }
            } else if argument.hasPrefix("--") {
                try takeLong(argument)
            } else if argument.hasPrefix("-"), argument != "-" {
                try takeShort(argument)
            } else {
                try take(argument)
            }
        }
        // What is missing matters to somebody who means to run the command, not to ask about it.
        guard let name = invocation.command, let command = CommandTable.command(name),
            !invocation.has("help"), !invocation.has("version")
        else { return }
        if invocation.operands.count < command.operandCount.lowerBound {
            throw UsageError("'\(name)' needs \(command.operands)", command: name)
        }
    }

    private mutating func take(_ operand: String) throws(UsageError) {
        guard let name = invocation.command else {
            guard CommandTable.command(operand) != nil else {
                throw UsageError.noCommand(operand)
            }
            invocation.command = operand
            return
        }
        guard invocation.operands.count < CommandTable.command(name)!.operandCount.upperBound else {
            throw UsageError("'\(name)' does not take '\(operand)'", command: name)
        }
        invocation.operands.append(operand)
        invocation.operandPlaces.append(rest.startIndex - 1)
    }

    /// What can be given here: before the command is known, only what every command takes.
    private var options: [OptionSpecification] {
        (invocation.command.flatMap { CommandTable.command($0) }?.options ?? []) + CommandTable.globalOptions
    }

    private mutating func takeLong(_ argument: String) throws(UsageError) {
        let parts = argument.dropFirst(2).split(
            separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        let typed = "--" + name
        let options = options
        let matches = options.filter { $0.long.hasPrefix(name) }
        guard let option = matches.first(where: { $0.long == name }) ?? matches.first, !name.isEmpty else {
            throw unknown(typed, Spelling.nearest(to: name, among: options.map(\.long)).map { "--" + $0 })
        }
        guard matches.count == 1 || option.long == name else {
            let names = matches.map { "--" + $0.long }.joined(separator: ", ")
            throw UsageError("'\(typed)' could be any of \(names)", command: invocation.command)
        }
        if option.value == nil, parts.count > 1 {
            throw UsageError("'\(typed)' takes no value", command: invocation.command)
        }
        try add(option, typed: typed, value: parts.count > 1 ? String(parts[1]) : nil)
    }

    private mutating func takeShort(_ argument: String) throws(UsageError) {
        var letters = argument.dropFirst()
        while let letter = letters.popFirst() {
            guard let option = options.first(where: { $0.short == letter }) else {
                throw unknown("-\(letter)", nil)
            }
            let takesValue = option.value != nil
            try add(
                option, typed: "-\(letter)", value: takesValue && !letters.isEmpty ? String(letters) : nil)
            if takesValue { return }
        }
    }

    private mutating func add(
        _ option: OptionSpecification, typed: String, value given: String?
    ) throws(UsageError) {
        var value = given
        if let placeholder = option.value, value == nil {
            guard let next = rest.popFirst() else {
                throw UsageError("'\(typed)' needs a value: \(placeholder)", command: invocation.command)
            }
            value = next
        }
        if let value, case .oneOf(let words) = option.completes, !words.contains(value) {
            throw UsageError.noValue(value, of: typed, among: words, command: invocation.command)
        }
        invocation.options.append(.init(name: option.long, value: value, typed: typed))
    }

    private func unknown(_ typed: String, _ nearest: String?) -> UsageError {
        let message = invocation.command.map { "'\($0)' has no option '\(typed)'" }
        return UsageError(
            message ?? "there is no option '\(typed)'", command: invocation.command, nearest: nearest)
    }
}
