/// What a media player tells about itself.
public struct MediaPlayerState: Equatable, Sendable {
    /// What is heard.
    public struct Track: Equatable, Sendable {
        /// An object path of D-Bus that is this track's alone: `/tomorrow/0/memo/12`.
        public var path: String
        /// Text of any origin, in a line.
        public var title: String
        /// What kind of thing it is.
        public var genres: [String]
        /// When it was made, as ISO 8601.
        public var created: String
        /// Its length in microseconds.
        public var microseconds: Int64

        /// A track; the path must be one that D-Bus takes.
        public init(path: String, title: String, genres: [String], created: String, microseconds: Int64) {
            self.path = path
            self.title = title
            self.genres = genres
            self.created = created
            self.microseconds = microseconds
        }
    }

    /// What is heard; nil when nothing is.
    public var track: Track?
    /// The place in the track, in microseconds.
    public var microseconds: Int64 = 0
    /// Whether it is silent for the moment.
    public var isPaused = false
    /// Whether the track begins again at its end.
    public var repeats = false
    /// How fast: 1 is as recorded.
    public var rate = 1.0
    /// How loud: 1 is as recorded.
    public var volume = 1.0
    /// Whether a track follows.
    public var canGoNext = false
    /// Whether there is a track before.
    public var canGoPrevious = false

    /// A player that plays nothing.
    public init() {}

    /// The properties of `org.mpris.MediaPlayer2.Player` that differ, but for the place, which goes on by
    /// itself.
    func changes(since before: MediaPlayerState) -> [String] {
        func isOther<Value: Equatable>(_ value: KeyPath<MediaPlayerState, Value>) -> Bool {
            self[keyPath: value] != before[keyPath: value]
        }
        return [
            ("PlaybackStatus", status != before.status), ("LoopStatus", isOther(\.repeats)),
            ("Rate", isOther(\.rate)), ("Metadata", isOther(\.track)), ("Volume", isOther(\.volume)),
            ("CanGoNext", isOther(\.canGoNext)), ("CanGoPrevious", isOther(\.canGoPrevious)),
        ].filter(\.1).map(\.0)
    }

    /// The value of `PlaybackStatus`.
    var status: String { track == nil ? "Stopped" : isPaused ? "Paused" : "Playing" }
}
