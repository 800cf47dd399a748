import ALSA
import AudioFile
import CommandTable
import Desktop
import Linux
import Memos

/// An error as a person sees it: one line, perhaps a second one that says what to do, and a status.
struct Failure: Error {
    let status: ExitStatus
    let message: String
    var advice: String?
    var libraryWords: [String] = []

    init(_ status: ExitStatus, _ message: String, advice: String? = nil) {
        self.status = status
        self.message = message
        self.advice = advice
    }

    init(_ error: any Error) {
        switch error {
        case let failure as Failure:
            self = failure
        case let error as UsageError:
            self.init(.wrongUsage, error.message, advice: error.advice)
        case let error as DeviceError:
            self.init(.noDevice, "cannot \(error.attempt): \(error.reason)", advice: error.advice)
            libraryWords = error.libraryWords
        case let error as DesktopError:
            self.init(.failed, "cannot \(error.attempt): \(error.reason)", advice: error.advice)
        case let error as StoreError:
            self.init(
                .storage, "cannot \(error.attempt): \(error.reason)",
                advice: error.isDamage
                    ? "'tomorrow doctor --fix' makes a new one from the memos' files." : nil)
        case let error as AudioFileError:
            self.init(.storage, "cannot \(error.attempt): \(error.reason)")
        case let error as SystemError:
            self.init(.failed, "cannot go on: \(error.reason)")
        default:
            self.init(.failed, "cannot go on: \(error)")
        }
    }

    /// Prints it, and gives its status.
    @discardableResult
    func report(verbose: Bool) -> ExitStatus {
        Console.note("tomorrow: \(message)")
        if let advice { Console.note("  \(advice)") }
        if verbose { for words in libraryWords { Console.note("  libasound: \(words)") } }
        return status
    }
}
