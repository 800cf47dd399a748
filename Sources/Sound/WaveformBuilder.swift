/// Builds a ``Waveform`` as frames pass, of any number of them, in constant memory: when all buckets are
/// full, each two become one, and the next take in twice as many frames.
public struct WaveformBuilder: Sendable {
    private struct Bucket {
        var peak: UInt32 = 0
        var squares = 0.0
        var samples = 0

        mutating func add(_ other: Bucket) {
            peak = max(peak, other.peak)
            squares += other.squares
            samples += other.samples
        }
    }

    private let channels: Int
    private var buckets: [Bucket] = []
    private var framesPerBucket = 1
    private var current = Bucket()
    private static let mostBuckets = 2 * Waveform.mostPairs

    /// - Parameter channels: samples in a frame; a bucket takes in all of them alike.
    public init(channels: Int) {
        self.channels = channels
        buckets.reserveCapacity(Self.mostBuckets)
    }

    /// Takes in samples, 32 bits wide, interleaved.
    public mutating func measure(_ samples: UnsafeBufferPointer<Int32>) {
        fillBuckets(samples) {
            let scan = SampleScan($0)
            return (scan.peak, scan.squares)
        }
    }

    /// Takes in samples and has their levels measured in the same pass.
    public mutating func measure(
        _ samples: UnsafeBufferPointer<Int32>, into levels: inout ChannelLevels
    ) {
        fillBuckets(samples) { levels.measure($0) }
    }

    private mutating func fillBuckets(
        _ samples: UnsafeBufferPointer<Int32>,
        _ measure: (UnsafeBufferPointer<Int32>) -> (peak: UInt32, squares: Double)
    ) {
        var position = 0
        while position < samples.count {
            let count = min(framesPerBucket * channels - current.samples, samples.count - position)
            let (peak, squares) = measure(.init(rebasing: samples[position..<(position + count)]))
            current.add(Bucket(peak: peak, squares: squares, samples: count))
            position += count
            if current.samples == framesPerBucket * channels { closeBucket() }
        }
    }

    private mutating func closeBucket() {
        buckets.append(current)
        current = Bucket()
        if buckets.count == Self.mostBuckets {
            buckets = Self.halved(buckets)
            buckets.reserveCapacity(Self.mostBuckets)
            framesPerBucket *= 2
        }
    }

    private static func halved(_ buckets: [Bucket]) -> [Bucket] {
        stride(from: 0, to: buckets.count, by: 2).map { index in
            var bucket = buckets[index]
            if index + 1 < buckets.count { bucket.add(buckets[index + 1]) }
            return bucket
        }
    }

    /// The shape of all that passed.
    public func finish() -> Waveform {
        var all = buckets
        if current.samples > 0 { all.append(current) }
        if all.count > Waveform.mostPairs { all = Self.halved(all) }
        return Waveform(
            pairs: all.map { bucket in
                let mean = bucket.squares / Double(max(1, bucket.samples))
                return Waveform.Pair(
                    peak: Waveform.level(Double(bucket.peak) / 2_147_483_648),
                    rms: Waveform.level(mean.squareRoot()))
            })
    }
}
