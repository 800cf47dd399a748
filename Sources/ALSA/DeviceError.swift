import CALSA
import CALSAMessages

/// A sound device that could not be used, or went away.
public struct DeviceError: Error, Equatable, Sendable {
    /// What was tried, in plain words with the device's name: “record from default”.
    public let attempt: String
    /// Why it failed, in libasound's words (`snd_strerror`) or ours.
    public let reason: String
    /// What a person can do about it, or nil.
    public let advice: String?
    /// What libasound had to say meanwhile, a line each.
    public let libraryWords: [String]

    init(attempt: String, reason: String, advice: String? = nil) {
        self.attempt = attempt
        self.reason = reason
        self.advice = advice
        libraryWords = Self.wordsOfThisThread()
    }

    init(attempt: String, code: Int32, advice: String? = nil) {
        self.init(attempt: attempt, reason: String(cString: snd_strerror(code)), advice: advice)
    }

    private static func wordsOfThisThread() -> [String] {
        String(cString: alsa_messages()).split(separator: "\n").map(String.init)
    }
}
