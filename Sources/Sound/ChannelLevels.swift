/// How loud each channel of a piece of sound is. Measuring allocates nothing.
public struct ChannelLevels: Equatable, Sendable {
    /// Channel by channel, the greatest distance from zero, of a possible 2³¹.
    public private(set) var peaks: [UInt32]
    /// Channel by channel, the sum of the squares of the samples, where full scale is 1.
    public private(set) var squares: [Double]
    /// The frames that were measured.
    public private(set) var frames = 0
    /// The samples at either end of the scale, of all channels: sound that was probably louder than the
    /// device can say.
    public private(set) var clips = 0
    private let fullScale: Int32

    /// - Parameters:
    ///   - channels: samples in a frame.
    ///   - bits: the depth of the sound, which decides what its greatest value is.
    public init(channels: Int, bits: Int) {
        precondition(channels > 0)
        peaks = Array(repeating: 0, count: channels)
        squares = Array(repeating: 0, count: channels)
        fullScale = SampleScan.fullScale(bits: bits)
    }

    /// The loudest of all channels.
    public var peak: UInt32 { peaks.reduce(0) { max($0, $1) } }

    /// The mean level of a channel, in decibels below full scale.
    public func rmsDecibels(channel: Int) -> Double {
        Decibels.ofMeanSquare(frames > 0 ? squares[channel] / Double(frames) : 0)
    }

    /// Takes in whole frames, interleaved, 32 bits a sample.
    ///
    /// - Returns: the greatest peak and the sum of the squares of these samples alone, whatever their channel.
    @discardableResult
    public mutating func measure(
        _ samples: UnsafeBufferPointer<Int32>
    ) -> (peak: UInt32, squares: Double) {
        var all: (peak: UInt32, squares: Double) = (0, 0)
        for channel in peaks.indices {
            let scan = SampleScan(samples, channel: channel, of: peaks.count, fullScale: fullScale)
            peaks[channel] = max(peaks[channel], scan.peak)
            squares[channel] += scan.squares
            clips += scan.clips
            all = (max(all.peak, scan.peak), all.squares + scan.squares)
        }
        frames += samples.count / peaks.count
        return all
    }

    /// Takes in what another one, of as many channels, has measured.
    public mutating func add(_ other: ChannelLevels) {
        precondition(other.peaks.count == peaks.count)
        for channel in peaks.indices {
            peaks[channel] = max(peaks[channel], other.peaks[channel])
            squares[channel] += other.squares[channel]
        }
        frames += other.frames
        clips += other.clips
    }

    /// Forgets all that was measured.
    public mutating func reset() {
        for channel in peaks.indices {
            peaks[channel] = 0
            squares[channel] = 0
        }
        frames = 0
        clips = 0
    }
}
