/// What was typed, taken apart but not yet understood.
public struct Invocation: Equatable, Sendable {
    /// The command's name; nil when none was given.
    public var command: String?
    /// The options by their long names, in the order given. A value belongs to those that take one.
    public var options: [Option] = []
    /// What is neither command nor option, in the order given.
    public var operands: [String] = []
    /// Where each operand stands among the arguments: what is a file's name need not be text, and only its
    /// bytes are the name.
    public var operandPlaces: [Int] = []

    /// An option that was given.
    public struct Option: Equatable, Sendable {
        /// Its long name.
        public let name: String
        /// Its value, or nil for an option that takes none.
        public let value: String?
        /// How it was typed: `-t` or `--title`.
        public let typed: String
    }

    /// Whether an option was given.
    public func has(_ name: String) -> Bool {
        options.contains { $0.name == name }
    }

    /// The option as it was given last: of two, the later one counts.
    public func option(_ name: String) -> Option? {
        options.last { $0.name == name }
    }
}
