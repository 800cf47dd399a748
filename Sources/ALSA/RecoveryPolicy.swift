import Glibc

/// What to do about an error of a stream: a pure function of the error and of what was tried before,
/// bounded in tries, so that no device can keep us busy for ever.
struct RecoveryPolicy {
    enum Action: Equatable {
        /// `snd_pcm_prepare`, and on with it.
        case prepare
        /// `snd_pcm_resume`; where that says “try again”, wait and ask once more.
        case resume
        case giveUp
    }

    /// Errors since the last frame that went well.
    private(set) var attempts = 0
    private static let mostAttempts = 40
    /// A device that is still suspended after so many tries is prepared anew instead.
    private static let mostResumes = 20

    /// - Parameter code: what the library answered, below 0.
    mutating func action(for code: Int32) -> Action {
        attempts += 1
        guard attempts <= Self.mostAttempts else { return .giveUp }
        switch -code {
        case EPIPE: return .prepare
        case ESTRPIPE: return attempts <= Self.mostResumes ? .resume : .prepare
        default: return .giveUp
        }
    }

    /// Frames flow again.
    mutating func succeeded() {
        attempts = 0
    }
}
