import Sound

/// What turns the bytes of one open file into samples. The frames are counted from the file's first.
protocol SoundDecoder: AnyObject {
    /// The layout of what comes out.
    var stream: StreamFormat { get }
    /// Which of our formats the file is in, or nil.
    var format: AudioFileFormat? { get }
    /// What the file says that it is called, or nil.
    var title: String? { get }
    /// The frames that are there, or nil where not even a look through the file tells.
    var frames: Int64? { get }
    /// Whether the file says that it once was longer.
    var isCut: Bool { get }
    /// Whether a part of what was decoded so far was damaged. Where its length is known it came as silence.
    var isDamaged: Bool { get }

    /// Sets the next frame, below ``frames``.
    ///
    /// - Returns: whether that could be done.
    func seek(to frame: Int64) -> Bool

    /// Decodes the next frames.
    ///
    /// - Parameters:
    ///   - samples: room for them, interleaved, 32 bits a sample with the stream's own on top.
    ///   - count: at most so many, above 0.
    /// - Returns: how many came; 0 when there are no more.
    func read(into samples: UnsafeMutablePointer<Int32>, frames count: Int) -> Int
}
