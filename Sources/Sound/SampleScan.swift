/// What one pass over samples of a channel finds: everything that levels and waveforms are made of.
///
/// Whole numbers that do not trap, so that the compiler looks at four samples at once; a sum of `Double`
/// would have it go one by one, at four times the price.
struct SampleScan {
    /// The greatest distance from zero, of a possible 2³¹.
    private(set) var peak: UInt32 = 0
    /// The sum of the squares, where full scale is 1; what is below the 24 bits that carry sound is left out.
    private(set) var squares = 0.0
    /// The samples at either end of the scale.
    private(set) var clips = 0

    /// The sample at the upper end of the scale of a depth.
    static func fullScale(bits: Int) -> Int32 {
        Int32.max & ~((1 << (32 - Int32(bits))) - 1)
    }

    /// Looks at samples, 32 bits wide.
    ///
    /// - Parameters:
    ///   - channel: the first sample that counts.
    ///   - channels: the distance from each that counts to the next.
    ///   - fullScale: from this sample on, and at the lowest there is, it is a clip.
    init(
        _ samples: UnsafeBufferPointer<Int32>, channel: Int = 0, of channels: Int = 1,
        fullScale: Int32 = .max
    ) {
        guard let base = samples.baseAddress else { return }
        var begin = channel
        while begin < samples.count {
            let count = min(Self.mostSamples, (samples.count - begin + channels - 1) / channels)
            // A distance that the compiler knows is one that it can do four at a time.
            switch channels {
            case 1: look(base + begin, count: count, step: 1, fullScale)
            case 2: look(base + begin, count: count, step: 2, fullScale)
            default: look(base + begin, count: count, step: channels, fullScale)
            }
            begin += count * channels
        }
    }

    /// So many squares of 23 bits each fit into 64 bits.
    private static let mostSamples = 1 << 16

    @inline(__always)
    private mutating func look(_ base: UnsafePointer<Int32>, count: Int, step: Int, _ fullScale: Int32) {
        var peak: UInt32 = 0
        var sum: UInt64 = 0
        var index = 0
        while index < count {
            let magnitude = base[index &* step].magnitude
            let short = UInt64(magnitude >> 8)
            peak = max(peak, magnitude)
            sum &+= short &* short
            index &+= 1
        }
        self.peak = max(self.peak, peak)
        squares += Double(sum) * 0x1p-46
        // Few pieces of sound have any, and the others need not pay for it.
        guard peak >= fullScale else { return }
        for index in 0..<count where base[index * step] >= fullScale || base[index * step] == .min {
            clips += 1
        }
    }
}
