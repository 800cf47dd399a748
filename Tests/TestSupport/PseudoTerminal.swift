import Foundation
import Linux

/// A terminal that a test sits at.
public final class PseudoTerminal {
    private let master: Int32
    /// What a program opens as its terminal.
    public let path: String
    private var shown = ""

    /// Opens a new one.
    public init() throws {
        // As posix_openpt, unlockpt and ptsname do it, which Swift does not see.
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var isLocked: Int32 = 0
        var number: UInt32 = 0
        let (setLock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)
        guard master >= 0, ioctl(master, setLock, &isLocked) == 0, ioctl(master, getNumber, &number) == 0
        else {
            throw RigError(message: "there is no pseudo-terminal")
        }
        path = "/dev/pts/\(number)"
    }

    deinit { close(master) }

    /// Types.
    public func type(_ text: String) {
        _ = text.withCString { write(master, $0, strlen($0)) }
    }

    /// Waits until something was shown, and gives all that was shown until then; nil when it does not come
    /// within 30 seconds.
    public func waits(for text: String) -> String? {
        let deadline = MonotonicClock.milliseconds + 30_000
        while !shown.contains(text) {
            let left = Int32(deadline - MonotonicClock.milliseconds)
            var bytes = [UInt8](repeating: 0, count: 4_096)
            guard left > 0, waitForReading([master], milliseconds: left)[0] else { return nil }
            let count = read(master, &bytes, bytes.count)
            guard count > 0 else { return nil }
            shown += String(decoding: bytes[..<count], as: UTF8.self)
        }
        return shown
    }

    /// Forgets what was shown so far, so that the next wait is for what comes from now on.
    public func forget() {
        shown = ""
    }

    /// Types, once a text is shown, and waits for the next one.
    ///
    /// - Returns: whether it came.
    public func types(_ text: String, andSees next: String) -> Bool {
        forget()
        type(text)
        return waits(for: next) != nil
    }

    /// How the terminal is set: whether it echoes, edits lines, and so on.
    public var settings: [UInt32] {
        var settings = termios()
        tcgetattr(master, &settings)
        return [settings.c_iflag, settings.c_oflag, settings.c_cflag, settings.c_lflag]
    }
}
