/// A memo as the store keeps it.
public struct Memo: Equatable, Sendable {
    /// Its small number, never given to another memo.
    public var id: Int64
    /// What the person called it, or nil.
    public var title: String?
    /// Its category's name, or nil.
    public var category: String?
    /// When it began, shows and leaves.
    public var times: MemoTimes
    /// The name of its file in the audio folder.
    public var file: String
    /// The name of its file's format.
    public var format: String
    /// What was recorded, or nil while that is not known.
    public var sound: MemoSound?
    /// When it was heard to its end, or nil.
    public var heardAt: Timestamp?
    /// Where hearing it was broken off, in frames from the file's first, or nil.
    public var position: Int64?
    /// How loud it is, in LUFS (EBU R 128), or nil when nobody has measured.
    public var loudness: Double?
    /// The process that records it, while it is being recorded.
    public var recorder: Int32?
    /// Its markers, by their places.
    public var markers: [Marker] = []

    /// Its state at an instant. A take that runs past the moment it would show, shows when it ends.
    public func state(at now: Timestamp) -> MemoState {
        if sound == nil { return .recording }
        if now >= times.expireAt { return .over }
        return now >= times.showAt ? .available : .waiting
    }
}

/// What a finished take holds.
public struct MemoSound: Equatable, Sendable {
    /// Frames a second, in hertz.
    public var rate: Int
    /// Samples in a frame.
    public var channels: Int
    /// The depth of a sample.
    public var bits: Int
    /// Its length in frames.
    public var frames: Int64
    /// The size of its file.
    public var bytes: Int64
    /// The loudest sample in decibels below full scale, or nil when nobody measured.
    public var peakDecibels: Double?
    /// How many samples stood at full scale, or nil when nobody counted.
    public var clips: Int?
    /// The frames that the device lost while recording, or nil when nobody counted.
    public var gapFrames: Int64?
    /// Whether the take did not end by itself, and what there was of it was kept.
    public var wasInterrupted: Bool
    /// The frames that are heard where silence at the ends was cut off, or nil for all. The file has the rest.
    public var trim: Range<Int64>?

    /// All that is known of a finished take.
    public init(
        rate: Int, channels: Int, bits: Int, frames: Int64, bytes: Int64, peakDecibels: Double?,
        clips: Int?, gapFrames: Int64?, wasInterrupted: Bool, trim: Range<Int64>? = nil
    ) {
        self.rate = rate
        self.channels = channels
        self.bits = bits
        self.frames = frames
        self.bytes = bytes
        self.peakDecibels = peakDecibels
        self.clips = clips
        self.gapFrames = gapFrames
        self.wasInterrupted = wasInterrupted
        self.trim = trim
    }

    /// How much the device lost while recording, in seconds, or nil when nobody counted.
    public var gapSeconds: Double? {
        gapFrames.map { Double($0) / Double(rate) }
    }

    /// The frames that are heard.
    public var heard: Range<Int64> { trim ?? 0..<frames }

    /// How long it is heard, in seconds.
    public var seconds: Double {
        Double(heard.count) / Double(rate)
    }

    /// How long after the first frame that is heard a frame comes, in seconds.
    public func seconds(at frame: Int64) -> Double {
        Double(max(0, min(frame, heard.upperBound) - heard.lowerBound)) / Double(rate)
    }
}
