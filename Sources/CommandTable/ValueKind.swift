/// What can stand where an option or a command takes a word: it is checked and completed by this.
public enum ValueKind: Equatable, Sendable {
    /// Anything; there is nothing to offer.
    case text
    /// One of these and nothing else, which the parser sees to.
    case oneOf([String])
    /// These are worth offering, and others may be right too.
    case such([String])
    /// A file.
    case file
    /// The name of a command.
    case commands
    /// What only the running program knows: `tomorrow completion QUERY` prints it.
    case asked(Query)

    /// What completion asks the program for, by the word that it says.
    public enum Query: String, CaseIterable, Sendable {
        /// Those of the program and those of the configuration.
        case categories
        /// The devices that can be recorded from, and those that can be played to.
        case recordingDevices = "recording-devices"
        case playingDevices = "playing-devices"
        /// The numbers of the memos that can be heard, and of all there are, each with a tab and its title.
        case available
        case memos
    }

    /// The words that are known without asking.
    public var words: [String] {
        switch self {
        case .oneOf(let words), .such(let words): words
        case .commands: CommandTable.commands.map(\.name)
        case .text, .file, .asked: []
        }
    }
}
