import Linux

/// A file of sound that could not be written, read or mended.
public struct AudioFileError: Error, Equatable, Sendable {
    /// What was tried, in plain words with the file's name: “write 7-….flac”.
    public let attempt: String
    /// Why it failed, in the words of the kernel or the library.
    public let reason: String
    /// The kernel's `errno`, or nil where it is the file's contents that are wrong.
    public let code: Int32?

    /// An error about a file's contents.
    public init(attempt: String, reason: String) {
        self.attempt = attempt
        self.reason = reason
        code = nil
    }

    init(attempt: String, _ error: SystemError) {
        self.attempt = attempt
        reason = error.reason
        code = error.code
    }
}
