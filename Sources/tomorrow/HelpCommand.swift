import CommandTable

/// `tomorrow help [COMMAND]`, `tomorrow help --man`, and `--help` with any command.
struct HelpCommand {
    private let invocation: Invocation

    init(_ invocation: Invocation) {
        self.invocation = invocation
    }

    func run() throws -> ExitStatus {
        if invocation.has("man") {
            Console.output(ManualPage.text())
            return .done
        }
        let topic = invocation.command == "help" ? invocation.operands.first : invocation.command
        guard let topic else {
            Console.output(HelpText.overview())
            return .done
        }
        guard let command = CommandTable.command(topic) else {
            throw UsageError.noCommand(topic)
        }
        Console.output(HelpText.command(command))
        return .done
    }
}
