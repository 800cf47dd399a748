/// What the player is told, whoever tells it: a key, a signal, a program on the bus.
public enum PlayerCommand: Sendable {
    /// Falls silent at once, and goes on from there later.
    case pause
    /// Goes on after a pause.
    case resume
    /// The one or the other, whichever makes a difference.
    case pauseOrResume
    /// Goes to a frame of the item's file, kept within what is played of it.
    case seek(to: Int64)
    /// Goes so many frames forward, or back, from what is heard.
    case move(by: Int64)
    /// Plays this now, in place of what is played.
    case play(PlayerItem)
    /// Plays this when what is played has ended, without a gap where both have one layout; nil says that nothing
    /// follows. As long as neither was said, the player waits at the end.
    case follow(with: PlayerItem?)
    /// Plays the item so often from now on, this time included; nil is for ever.
    case passes(Int?)
    /// How fast: 1 is as recorded.
    case speed(Double)
    /// How loud: 100 is as recorded.
    case volume(percent: Double)
    /// Ends it; what the device has not played is dropped.
    case stop
}
