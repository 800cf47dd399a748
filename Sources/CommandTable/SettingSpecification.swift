/// A setting of the configuration file: its key, a value that it can have, and what it is for.
public struct SettingSpecification: Sendable {
    /// What stands before the equals sign.
    public let key: String
    /// A value that makes sense.
    public let example: String
    /// What it does, in a line of the manual.
    public let summary: String

    init(_ key: String, _ example: String, _ summary: String) {
        self.key = key
        self.example = example
        self.summary = summary
    }
}
