import Foundation

/// A terminal that a test sits at.
public final class PseudoTerminal {
    private let master: Int32
    /// What a program opens as its terminal.
    public let path: String

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

    /// How the terminal is set: whether it echoes, edits lines, and so on.
    public var settings: [UInt32] {
        var settings = termios()
        tcgetattr(master, &settings)
        return [settings.c_iflag, settings.c_oflag, settings.c_cflag, settings.c_lflag]
    }
}
