import Glibc

/// Levels in decibels below full scale.
public enum Decibels {
    /// What digital silence, which has no level, is given as: below anything that 24 bits can hold.
    public static let digitalSilence = -150.0
    /// Below this peak a take is called silent: a microphone's own noise is above it.
    public static let silence = -60.0

    /// The level of a distance from zero, of a possible 2³¹.
    public static func ofPeak(_ magnitude: UInt32) -> Double {
        magnitude == 0 ? digitalSilence : 20 * log10(Double(magnitude) / 2_147_483_648)
    }

    /// The level of a mean square, where full scale is 1.
    static func ofMeanSquare(_ square: Double) -> Double {
        square > 0 ? max(digitalSilence, 10 * log10(square)) : digitalSilence
    }
}
