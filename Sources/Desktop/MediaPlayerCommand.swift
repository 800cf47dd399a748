/// What somebody on the bus wants of a media player (`org.mpris.MediaPlayer2.Player`).
public enum MediaPlayerCommand: Equatable, Sendable {
    case play
    case pause
    case playPause
    /// Ends it.
    case stop
    case next
    case previous
    /// Goes so many microseconds forward, or back.
    case move(microseconds: Int64)
    /// Goes to a place in the track, in microseconds, within its length.
    case seek(microseconds: Int64)
    /// Has the track begin again at its end, or not.
    case repeats(Bool)
    /// How fast: 1 is as recorded; above 0.
    case rate(Double)
    /// How loud: 1 is as recorded; 0 or more.
    case volume(Double)
}
