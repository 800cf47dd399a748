import CommandTable
import Glibc

/// Colours on standard output, where somebody sees them and wants them.
struct Colours {
    /// Whether there are any.
    let areOn: Bool

    /// As `--color` has it. By itself only on a terminal that knows them, and not where `NO_COLOR` (no-color.org)
    /// is set to anything.
    init(_ invocation: Invocation) {
        switch invocation.option("color")?.value {
        case "always": areOn = true
        case "never": areOn = false
        default:
            let terminal = Self.variable("TERM") ?? "dumb"
            areOn = isatty(STDOUT_FILENO) == 1 && Self.variable("NO_COLOR") == nil && terminal != "dumb"
        }
    }

    /// What is new.
    func strong(_ text: String) -> String { painted(text, "1") }

    /// What is of less use now.
    func faint(_ text: String) -> String { painted(text, "2") }

    private func painted(_ text: String, _ code: String) -> String {
        areOn ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text
    }

    private static func variable(_ name: String) -> String? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return String(cString: value)
    }
}
