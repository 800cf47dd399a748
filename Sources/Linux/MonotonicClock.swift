import Glibc

/// Time that only goes forward, for deadlines (`CLOCK_MONOTONIC`).
public enum MonotonicClock {
    /// Milliseconds since some fixed moment.
    public static var milliseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
