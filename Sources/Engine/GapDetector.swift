/// Finds sound that is missing, by counting frames against a clock that runs on while the machine sleeps.
///
/// The deficit is what a perfect device would have given by now, less what came. It jitters, as sound comes in
/// pieces, and drifts, as no two clocks agree; but its minimum over some seconds only moves when frames are
/// lost. Where the device itself reports a loss, its size is the deficit's jump at that moment.
struct GapDetector {
    private let rate: Int
    private var began: Int64?
    private var frames: Int64 = 0
    private var usual: Int64?
    private var windowEnd: Int64 = 0
    private var windowLeast = Int64.max

    /// Longer than the pieces in which an idle sound server works.
    private static let windowMilliseconds: Int64 = 3_000
    /// What nobody has reported must be longer than any jitter to be believed.
    private static let leastUnreportedMilliseconds: Int64 = 120
    private static let leastReportedMilliseconds: Int64 = 5
    /// At the end there is no later moment that could tell a loss from a piece that was on its way.
    private static let leastMillisecondsAtEnd: Int64 = 500

    /// - Parameter rate: frames a second.
    init(rate: Int) {
        self.rate = rate
    }

    /// Takes note of frames that have just come.
    ///
    /// - Parameters:
    ///   - count: how many came.
    ///   - available: how many more the device has by now.
    ///   - milliseconds: the clock (`CLOCK_BOOTTIME`), now.
    ///   - wasReported: whether the device has lost some since the last call, and said so.
    /// - Returns: the frames that are missing before these, or 0.
    mutating func missing(
        count: Int, available: Int, at milliseconds: Int64, wasReported: Bool
    ) -> Int64 {
        let began = self.began ?? milliseconds - Int64((count + available) * 1000 / rate)
        if self.began == nil { windowEnd = milliseconds + Self.windowMilliseconds }
        self.began = began
        frames += Int64(count)
        let deficit = (milliseconds - began) * Int64(rate) / 1000 - frames - Int64(available)
        if wasReported {
            return fill(deficit - (usual ?? min(windowLeast, 0)), least: Self.leastReportedMilliseconds)
        }
        windowLeast = min(windowLeast, deficit)
        guard milliseconds >= windowEnd else { return 0 }
        defer {
            windowEnd = milliseconds + Self.windowMilliseconds
            windowLeast = .max
        }
        if let usual {
            let gap = fill(windowLeast - usual, least: Self.leastUnreportedMilliseconds)
            if gap > 0 { return gap }
        }
        usual = windowLeast
        return 0
    }

    /// Finds what is missing at the end, where nothing comes any more.
    ///
    /// - Parameter milliseconds: the clock, now.
    /// - Returns: the frames that are missing behind the last ones, or 0.
    mutating func missingAtEnd(at milliseconds: Int64) -> Int64 {
        guard let began else { return 0 }
        let deficit = (milliseconds - began) * Int64(rate) / 1000 - frames
        // A device without a clock of its own is ahead of ours, and has lost nothing when it is so no more.
        let gap = min(deficit, deficit - (usual ?? min(windowLeast, 0)))
        return fill(gap, least: Self.leastMillisecondsAtEnd)
    }

    /// Counts a gap as filled, when it is long enough to be one.
    private mutating func fill(_ gap: Int64, least milliseconds: Int64) -> Int64 {
        guard gap >= milliseconds * Int64(rate) / 1000 else { return 0 }
        frames += gap
        windowLeast = .max
        return gap
    }
}
