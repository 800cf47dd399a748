/// Brings samples to the depth that a file is said to have: the nearest, and never beyond full scale.
enum SampleDepth {
    /// A sample where 1 is full scale. What is no number becomes silence.
    @inline(__always)
    private static func sample(_ value: Float, bits: Int) -> Int32 {
        let scale = Double(UInt32(1) << UInt32(bits - 1))
        let level = (Double(value) * scale).rounded()
        // A comparison with what is no number is false.
        guard abs(level) < scale else {
            return level.isNaN ? 0 : level < 0 ? .min : Int32(scale - 1) << Int32(32 - bits)
        }
        return Int32(level) << Int32(32 - bits)
    }

    /// Samples where 1 is full scale, one for one.
    static func convert(
        _ values: [Float], _ count: Int, to samples: UnsafeMutablePointer<Int32>, bits: Int
    ) {
        values.withUnsafeBufferPointer { values in
            for index in 0..<count { samples[index] = sample(values[index], bits: bits) }
        }
    }

    /// Takes from samples of 32 bits what is below the depth.
    static func round(_ samples: UnsafeMutableBufferPointer<Int32>, bits: Int) {
        let half = Int32(1) << Int32(31 - bits)
        let mask = ~(half << 1 - 1)
        for index in samples.indices {
            let (sum, isTooMuch) = samples[index].addingReportingOverflow(half)
            samples[index] = (isTooMuch ? .max : sum) & mask
        }
    }
}
