/// Where a take begins and ends to be more than silence, found as the frames pass.
///
/// Silence is what ``SilenceDetector/threshold`` says. A little of it stays before and behind, as words begin
/// and end softly.
public struct SoundingRange: Sendable {
    private let marginFrames: Int64
    private var frames: Int64 = 0
    private var first: Int64?
    private var end: Int64 = 0
    private static let marginMilliseconds: Int64 = 200

    /// - Parameter rate: frames a second.
    public init(rate: Int) {
        marginFrames = Int64(rate) * Self.marginMilliseconds / 1000
    }

    /// Takes note of the next frames, as few as a cut may be wrong by.
    ///
    /// - Parameters:
    ///   - count: how many.
    ///   - peak: their loudest sample's distance from zero, of a possible 2³¹.
    public mutating func measure(frames count: Int, peak: UInt32) {
        if peak > SilenceDetector.threshold {
            first = first ?? frames
            end = frames + Int64(count)
        }
        frames += Int64(count)
    }

    /// The frames that are worth hearing; nil where all are, or none.
    public var range: Range<Int64>? {
        guard let first else { return nil }
        let kept = max(0, first - marginFrames)..<min(frames, end + marginFrames)
        return kept == 0..<frames ? nil : kept
    }
}
