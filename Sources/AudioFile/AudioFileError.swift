/// A file of sound that could not be written, read or mended.
public struct AudioFileError: Error, Equatable, Sendable {
    /// What was tried, in plain words with the file's name: “write 7-….flac”.
    public let attempt: String
    /// Why it failed, in the words of the kernel or the library.
    public let reason: String

    /// An error with its words.
    public init(attempt: String, reason: String) {
        self.attempt = attempt
        self.reason = reason
    }
}
