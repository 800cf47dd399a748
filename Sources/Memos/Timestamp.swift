import Glibc

/// An instant in UTC, to the millisecond: what the store keeps and what file names say.
public struct Timestamp: Comparable, Hashable, Sendable {
    /// Milliseconds since 1970-01-01 00:00 UTC.
    public let milliseconds: Int64

    /// Further from 1970 there is only what a damaged file says; every sum of two lengths is still a number.
    static let mostMilliseconds: Int64 = 1 << 53

    /// An instant by its milliseconds since 1970-01-01 00:00 UTC; one that is further away than 285,000 years is
    /// taken for the nearest that is not.
    public init(milliseconds: Int64) {
        self.milliseconds = max(-Self.mostMilliseconds, min(milliseconds, Self.mostMilliseconds))
    }

    /// The start of a second since 1970-01-01 00:00 UTC.
    public init(seconds: Int64) {
        self.init(milliseconds: seconds * 1000)
    }

    /// What the machine's clock reads (`CLOCK_REALTIME`).
    public static func now() -> Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// The whole second it lies in, also before 1970.
    public var seconds: Int64 {
        milliseconds >= 0 ? milliseconds / 1000 : (milliseconds - 999) / 1000
    }

    /// The instant this many milliseconds of elapsed time later.
    public func adding(milliseconds more: Int64) -> Timestamp {
        Timestamp(milliseconds: milliseconds + more)
    }

    /// Compares instants.
    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.milliseconds < right.milliseconds
    }
}
