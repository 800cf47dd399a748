/// Makes floats 32-bit samples again, rounded to the depth that the target keeps.
struct SampleRounding {
    private let bits: Int
    private let output = GrowingBuffer<Int32>()

    /// - Parameter bits: what the target keeps of a sample, at most 32.
    init(bits: Int) {
        self.bits = min(bits, 32)
    }

    /// Rounds samples of full scale 1; what is beyond becomes full scale.
    ///
    /// - Returns: as many, with the sound on top, valid until the next call.
    func round(_ samples: UnsafeMutableBufferPointer<Float>) -> UnsafeBufferPointer<Int32> {
        output.clear()
        let rounded = output.extend(by: samples.count)
        let scale = Double(Int64(1) << (bits - 1))
        let shift = Int32(32 - bits)
        var index = 0
        while index < samples.count {
            let value = (Double(samples[index]) * scale).rounded(.toNearestOrEven)
            rounded[index] = Int32(max(-scale, min(scale - 1, value))) &<< shift
            index &+= 1
        }
        return UnsafeBufferPointer(rounded)
    }
}
