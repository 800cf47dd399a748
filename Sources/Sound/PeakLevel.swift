import Glibc

/// The loudest sample so far, and how many stood at full scale.
public struct PeakLevel: Equatable, Sendable {
    /// The greatest distance from zero, of a possible 2³¹.
    public private(set) var magnitude: UInt32 = 0
    /// The samples at either end of the scale: sound that was probably louder than the device can say.
    public private(set) var clips = 0
    private let fullScale: Int32

    /// - Parameter bits: the depth of the sound, which decides what its greatest value is.
    public init(bits: Int) {
        fullScale = SampleScan.fullScale(bits: bits)
    }

    /// Takes in samples, 32 bits wide, of any channel.
    public mutating func measure(_ samples: UnsafeBufferPointer<Int32>) {
        let scan = SampleScan(samples, fullScale: fullScale)
        magnitude = max(magnitude, scan.peak)
        clips += scan.clips
    }

    /// Takes in what another one has measured.
    public mutating func add(_ other: PeakLevel) {
        magnitude = max(magnitude, other.magnitude)
        clips += other.clips
    }

    /// Takes in what all channels have measured.
    public mutating func add(_ levels: ChannelLevels) {
        for peak in levels.peaks { magnitude = max(magnitude, peak) }
        clips += levels.clips
    }

    /// The peak in decibels below full scale. Digital silence, which has none, is given as −150: below
    /// anything that 24 bits can hold.
    public var decibels: Double { Self.decibels(of: magnitude) }

    /// The decibels of a distance from zero, of a possible 2³¹.
    public static func decibels(of magnitude: UInt32) -> Double {
        magnitude == 0 ? -150 : 20 * log10(Double(magnitude) / 2_147_483_648)
    }

    /// Below this peak, in decibels, a take is called silent: a microphone's own noise is above it.
    public static let silenceDecibels = -60.0
}
