public import AudioFile

/// What is played: a part of a file, once or several times.
public struct PlayerItem: Sendable {
    /// What the caller knows it by.
    public let number: Int
    /// The file; the player's thread alone uses it once the item is handed over.
    public let reader: AudioFileReader
    /// The frames that are played, of the file's.
    public let range: Range<Int64>
    /// Where in that range the first pass begins.
    public let start: Int64
    /// How often it is played; nil is for ever.
    public let passes: Int?
    /// What makes it as loud as others, in decibels.
    public let evenDecibels: Double
    /// Asked before each pass, on the player's thread: whether the sound may still be heard then.
    public let mayBegin: @Sendable () -> Bool

    /// An item that was not begun yet.
    ///
    /// - Parameters:
    ///   - range: within the file, by what it says of its length.
    ///   - start: kept within the range.
    public init(
        number: Int, reader: AudioFileReader, range: Range<Int64>, start: Int64, passes: Int? = 1,
        evenDecibels: Double = 0, mayBegin: @escaping @Sendable () -> Bool = { true }
    ) {
        self.number = number
        self.reader = reader
        self.range = range
        self.start = min(max(start, range.lowerBound), range.upperBound)
        self.passes = passes
        self.evenDecibels = evenDecibels
        self.mayBegin = mayBegin
    }

    /// How an item ended.
    public struct End: Sendable {
        /// The item's number.
        public let number: Int
        /// Whether its last frame was heard at least once.
        public let wasHeardToEnd: Bool
        /// The next frame that would have been heard.
        public let position: Int64
        /// Why the file ended before the item did, or nil. What came before was heard.
        public let fileError: (any Error)?
    }
}
