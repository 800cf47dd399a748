/// An option: how it is typed, and what it is for.
public struct OptionSpecification: Sendable {
    /// The name behind `--`.
    public let long: String
    /// The letter behind `-`, or nil.
    public let short: Character?
    /// What its value is called in help, or nil for an option that takes none.
    public let value: String?
    /// What its value can be.
    public let completes: ValueKind
    /// What it does, in a line of help.
    public let summary: String

    init(
        _ long: String, short: Character? = nil, value: String? = nil, completes: ValueKind = .text,
        _ summary: String
    ) {
        self.long = long
        self.short = short
        self.value = value
        self.completes = completes
        self.summary = summary
    }
}
