/// Whether the clock is believed when it says that memos are over.
///
/// A machine that has lost its time may wake up years ahead. What is over is hidden at once, as the clock alone
/// decides what can be heard; but what is deleted never comes back, so a leap has to last before it deletes.
enum ClockTrust: Equatable {
    /// It is.
    case trusted
    /// It has leapt, which was first seen when it read this.
    case doubted(since: Timestamp)

    /// A store that nobody has used for longer may have slept, or the clock may have leapt.
    static let leapMilliseconds: Int64 = 30 * 24 * 3600 * 1000
    /// How long a leap has to last.
    static let patienceMilliseconds: Int64 = 24 * 3600 * 1000

    /// The rule.
    ///
    /// - Parameters:
    ///   - lastActivity: when the store was last used under a clock that was trusted; nil when nobody knows.
    ///   - leapSeen: what the clock read when a leap was first seen that still waits to be believed, or nil.
    ///   - isSynchronised: whether the kernel vouches for the clock; asked only where it matters.
    static func of(
        now: Timestamp, lastActivity: Timestamp?, leapSeen: Timestamp?, isSynchronised: () -> Bool
    ) -> ClockTrust {
        guard let lastActivity,
            now > lastActivity.adding(milliseconds: leapMilliseconds), !isSynchronised()
        else { return .trusted }
        // A clock that goes back, or leaps once more, has to show anew that it stays.
        guard let leapSeen, leapSeen <= now, now <= leapSeen.adding(milliseconds: leapMilliseconds) else {
            return .doubted(since: now)
        }
        return now < leapSeen.adding(milliseconds: patienceMilliseconds)
            ? .doubted(since: leapSeen) : .trusted
    }
}
