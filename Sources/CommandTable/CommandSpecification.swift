/// A command: its name, its options in the order of help, and what else it takes.
public struct CommandSpecification: Sendable {
    /// What is typed.
    public let name: String
    /// What its operands are called in help, such as `ID…`; empty when it takes none.
    public let operands: String
    /// How many operands it takes.
    public let operandCount: ClosedRange<Int>
    /// What its operands can be, in their order; the last stands for all that follow.
    public let completes: [ValueKind]
    /// What it does, in the line of the overview.
    public let summary: String
    /// What else there is to know, in sentences.
    public let details: String
    /// Its own options; those of every command are ``CommandTable/globalOptions``.
    public let options: [OptionSpecification]

    init(
        _ name: String, operands: String = "", count: ClosedRange<Int> = 0...0,
        completes: [ValueKind] = [], _ summary: String, details: String = "",
        options: [OptionSpecification] = []
    ) {
        self.name = name
        self.operands = operands
        operandCount = count
        self.completes = completes
        self.summary = summary
        self.details = details
        self.options = options
    }
}
