import Glibc

/// Time that only goes forward, for deadlines (`CLOCK_MONOTONIC`).
public enum MonotonicClock {
    /// Milliseconds since some fixed moment.
    public static var milliseconds: Int64 { read(CLOCK_MONOTONIC) }

    /// The same with the time that the machine has slept (`CLOCK_BOOTTIME`).
    public static var millisecondsWithSleep: Int64 { read(CLOCK_BOOTTIME) }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
