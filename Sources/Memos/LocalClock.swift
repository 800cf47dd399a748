/// Searches the local clock for an instant, across the changes of its zone.
enum LocalClock {
    /// The first whole second after an instant at which local clocks read at least this.
    ///
    /// Clocks read the elapsed seconds plus an offset that is constant between changes of the zone, so
    /// within a stretch the answer is a subtraction, and only the changes must be found: by looking every
    /// quarter of an hour, and halving where the offset differs. No zone changes twice in so short a time.
    ///
    /// - Parameters:
    ///   - instant: the clocks read less than `reading` there.
    ///   - reading: the local date and time as seconds since 1970-01-01 00:00 on that clock.
    static func firstSecond(after instant: Timestamp, reading: Int64) -> Timestamp {
        // A zone is at most a day from UTC, so nothing earlier can qualify.
        var second = max(instant.seconds + 1, reading - mostOffset)
        while true {
            let offset = Int64(LocalTime.utcOffset(seconds: second))
            if second + offset >= reading { return Timestamp(seconds: second) }
            let end = changeAfter(second, offset: offset) ?? second + stride
            if reading - offset < end { return Timestamp(seconds: reading - offset) }
            second = end
        }
    }

    private static let mostOffset: Int64 = 25 * 3600
    private static let stride: Int64 = 900

    /// The first second, at most a stride away, at which the offset is another; or nil.
    private static func changeAfter(_ second: Int64, offset: Int64) -> Int64? {
        var same = second
        var other = second + stride
        guard Int64(LocalTime.utcOffset(seconds: other)) != offset else { return nil }
        while other - same > 1 {
            let middle = same + (other - same) / 2
            if Int64(LocalTime.utcOffset(seconds: middle)) == offset { same = middle } else { other = middle }
        }
        return other
    }
}
