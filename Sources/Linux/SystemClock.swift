import CLinux

/// The machine's clock, as the kernel keeps it.
public enum SystemClock {
    /// Whether something keeps the clock in step with the world's, as far as the kernel was told (`adjtimex`
    /// without `STA_UNSYNC` and `TIME_ERROR`). Where it may not be asked, nobody vouches for the clock.
    public static var isSynchronised: Bool { tomorrow_clock_is_synchronised() != 0 }
}
