/// What one pass over samples of a channel finds: everything that levels and waveforms are made of.
///
/// Four lanes of `Float`s, in which the 24 bits that carry sound are exact: the compiler converts, squares, adds and
/// compares four at once, with an instruction each. Whole numbers, whose squares take 64 bits, took twice as long, and one
/// sum of `Double`s eight times.
struct SampleScan {
    /// The greatest distance from zero, of a possible 2³¹, to 24 bits.
    private(set) var peak: UInt32 = 0
    /// The sum of the squares, where full scale is 1.
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

    /// So many squares make four sums of `Float`s before these lose what a meter could show.
    private static let mostSamples = 1 << 10

    /// Every fourth sample.
    private struct Lane {
        var sum: Float = 0
        var mostSquare: Float = 0

        @inline(__always)
        mutating func take(_ sample: Int32) {
            let square = Float(sample) * Float(sample)
            sum += square
            mostSquare = square > mostSquare ? square : mostSquare
        }
    }

    @inline(__always)
    private mutating func look(_ base: UnsafePointer<Int32>, count: Int, step: Int, _ fullScale: Int32) {
        var (a, b, c, d) = (Lane(), Lane(), Lane(), Lane())
        var index = 0
        while index &+ 4 <= count {
            a.take(base[index &* step])
            b.take(base[(index &+ 1) &* step])
            c.take(base[(index &+ 2) &* step])
            d.take(base[(index &+ 3) &* step])
            index &+= 4
        }
        while index < count {
            a.take(base[index &* step])
            index &+= 1
        }
        squares += Double(a.sum + b.sum + c.sum + d.sum) * 0x1p-62
        // The root of a rounded square is the number itself (IEEE 754, of base 2).
        let peak = UInt32(max(a.mostSquare, b.mostSquare, c.mostSquare, d.mostSquare).squareRoot())
        self.peak = max(self.peak, peak)
        // Few pieces of sound have any, and the others need not pay for it.
        guard peak >= fullScale else { return }
        for index in 0..<count where base[index * step] >= fullScale || base[index * step] == .min {
            clips += 1
        }
    }
}
