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
            show(HelpText.overview(columns: columns))
            return .done
        }
        guard let command = CommandTable.command(topic) else {
            throw UsageError.noCommand(topic)
        }
        show(HelpText.command(command, columns: columns))
        return .done
    }

    /// As wide as help is, or as the terminal, where that is narrower.
    private var columns: Int { min(HelpText.mostColumns, Console.columns ?? .max) }

    /// With three points where one sign for them is not to be had: nothing was cut here.
    private func show(_ text: String) {
        Console.show(Console.showsASCII ? text.replacing("…", with: "...") : text)
    }
}
