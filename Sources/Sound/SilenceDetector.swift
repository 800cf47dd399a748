/// Finds the moment at which it has been silent for long enough.
///
/// Silent is what stays below −40 dBFS, a hundredth of full scale: above the noise of a room and of most
/// microphones, below quiet speech. It is looked at in pieces of 50 ms, so that a single click counts as
/// sound for no longer than that.
public struct SilenceDetector: Sendable {
    private let channels: Int
    private let pieceFrames: Int
    private let limitFrames: Int64
    private var silentFrames: Int64 = 0
    private var pieceFill = 0
    private var isPieceSilent = true

    /// Samples of at most this distance from zero, to 24 bits, are silence.
    public static let threshold: UInt32 = 21_474_836

    /// - Parameters:
    ///   - stream: the layout of the sound.
    ///   - seconds: how long it must be silent.
    public init(stream: StreamFormat, seconds: Double) {
        channels = stream.channels
        pieceFrames = max(1, stream.rate / 20)
        limitFrames = max(1, Int64(seconds * Double(stream.rate)))
    }

    /// Takes in samples, 32 bits wide, interleaved.
    ///
    /// - Returns: how many of these frames belong to the sound up to that moment; nil when it has not come.
    public mutating func measure(_ samples: UnsafeBufferPointer<Int32>) -> Int? {
        let frames = samples.count / channels
        var frame = 0
        while frame < frames {
            let count = min(pieceFrames - pieceFill, frames - frame)
            let piece = samples[(frame * channels)..<((frame + count) * channels)]
            if SampleScan(UnsafeBufferPointer(rebasing: piece)).peak > Self.threshold {
                isPieceSilent = false
            }
            frame += count
            pieceFill += count
            guard pieceFill == pieceFrames else { break }
            silentFrames = isPieceSilent ? silentFrames + Int64(pieceFrames) : 0
            pieceFill = 0
            isPieceSilent = true
            if silentFrames >= limitFrames { return frame }
        }
        return nil
    }
}
