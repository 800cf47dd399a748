import Glibc

/// How much room there is to show something.
public enum TerminalSize {
    /// The columns of the terminal behind a descriptor (`TIOCGWINSZ`); 80 where it is none.
    public static func columns(of descriptor: Int32) -> Int {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }
}
