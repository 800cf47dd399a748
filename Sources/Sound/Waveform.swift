import Glibc

/// The shape of a memo: at most 512 pairs of a peak and a mean level, a byte each.
///
/// A byte is a level on a scale of 72 dB: 255 is full scale, 1 is 72 dB below it, 0 is less.
public struct Waveform: Equatable, Sendable {
    /// The levels of a stretch of the memo.
    public struct Pair: Equatable, Sendable {
        /// The loudest sample.
        public let peak: UInt8
        /// The root of the mean square.
        public let rms: UInt8
    }

    /// The stretches, in order, all of the same length but the last.
    public let pairs: [Pair]

    /// The most pairs there are.
    public static let mostPairs = 512
    private static let rangeDecibels = 72.0

    init(pairs: [Pair]) {
        self.pairs = pairs
    }

    /// A shape from what ``bytes`` gave; nil where it is none.
    public init?(bytes: [UInt8]) {
        guard bytes.count % 2 == 0, bytes.count <= 2 * Self.mostPairs else { return nil }
        pairs = stride(from: 0, to: bytes.count, by: 2).map { Pair(peak: bytes[$0], rms: bytes[$0 + 1]) }
    }

    /// Peak and mean in turn.
    public var bytes: [UInt8] {
        pairs.flatMap { [$0.peak, $0.rms] }
    }

    /// The peaks as heights from 0 to 1, for so many columns; fewer where there are fewer pairs. A height is
    /// the root of the amplitude: speech then fills the picture, and pauses show.
    public func heights(columns: Int) -> [Double] {
        let columns = max(1, min(columns, pairs.count))
        guard !pairs.isEmpty else { return [] }
        return (0..<columns).map { column in
            let begin = column * pairs.count / columns
            let end = max(begin + 1, (column + 1) * pairs.count / columns)
            let peak = Double(pairs[begin..<end].map(\.peak).max() ?? 0)
            return peak == 0 ? 0 : pow(10, (peak - 255) / 254 * Self.rangeDecibels / 40)
        }
    }

    /// The shape of a part of the sound.
    ///
    /// - Parameters:
    ///   - range: the part, in frames.
    ///   - frames: how many the whole has.
    public func part(_ range: Range<Int64>, of frames: Int64) -> Waveform {
        guard frames > 0, range != 0..<frames, !pairs.isEmpty else { return self }
        let count = Double(pairs.count) / Double(frames)
        let first = min(pairs.count - 1, max(0, Int(Double(range.lowerBound) * count)))
        let end = min(pairs.count, max(first + 1, Int((Double(range.upperBound) * count).rounded(.up))))
        return Waveform(pairs: Array(pairs[first..<end]))
    }

    /// The byte of an amplitude, where 1 is full scale.
    static func level(_ amplitude: Double) -> UInt8 {
        let decibels = 20 * log10(amplitude)
        guard decibels >= -rangeDecibels else { return 0 }
        return UInt8((1 + (min(0, decibels) + rangeDecibels) / rangeDecibels * 254).rounded())
    }
}
