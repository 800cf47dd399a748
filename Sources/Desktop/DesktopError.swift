import Linux

/// Something that the desktop or the system's scheduler could not do for us.
public struct DesktopError: Error, Equatable, Sendable {
    /// What was tried, in plain words: “read your crontab”.
    public let attempt: String
    /// Why it failed, in the words of the program that was asked, of the C library, or ours.
    public let reason: String
    /// What a person can do about it, or nil.
    public let advice: String?

    init(attempt: String, reason: String, advice: String? = nil) {
        self.attempt = attempt
        self.reason = reason
        self.advice = advice
    }

    /// Makes calls into the kernel, whose error then says what was tried.
    static func wrapping<Result>(
        _ attempt: String, _ calls: () throws(SystemError) -> Result
    ) throws(DesktopError) -> Result {
        do {
            return try calls()
        } catch {
            throw DesktopError(attempt: attempt, reason: error.reason)
        }
    }
}
