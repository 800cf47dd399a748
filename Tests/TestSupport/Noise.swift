public import Foundation

/// Samples that look like nothing else, always the same for the same seed, never at full scale.
public enum Noise {
    /// Little-endian samples of 16 bits.
    public static func bits16(frames: Int, channels: Int = 1, seed: UInt64 = 1) -> Data {
        var generator = Generator(state: seed)
        return data(
            (0..<frames * channels).map { _ in Int16.random(in: -30_000...30_000, using: &generator) })
    }

    /// Little-endian samples of 32 bits, of which the lowest eight are 0.
    public static func bits24(frames: Int, channels: Int = 1, seed: UInt64 = 1) -> Data {
        var generator = Generator(state: seed)
        return data(
            (0..<frames * channels).map { _ in
                Int32.random(in: -8_000_000...8_000_000, using: &generator) << 8
            })
    }

    /// The bytes of samples, little-endian.
    public static func data<Sample: FixedWidthInteger>(_ samples: [Sample]) -> Data {
        samples.map(\.littleEndian).withUnsafeBytes { Data($0) }
    }

    /// A small generator of random numbers (SplitMix64), the same on every run.
    public struct Generator: RandomNumberGenerator {
        private var state: UInt64

        /// Starts from a seed.
        public init(state: UInt64) {
            self.state = state
        }

        /// The next number.
        public mutating func next() -> UInt64 {
            state &+= 0x9e37_79b9_7f4a_7c15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
            return mixed ^ (mixed >> 31)
        }
    }
}
