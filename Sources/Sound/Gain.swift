import Glibc

/// What amplitudes are multiplied by.
enum Gain {
    /// The factor of a volume: the square of what the knob shows, so that equal steps sound equal. 100 is 1,
    /// 50 is −12 dB, 200 is +12 dB, 0 is silence.
    static func amplitude(volumePercent: Double) -> Double {
        (volumePercent / 100) * (volumePercent / 100)
    }

    /// The factor of a number of decibels.
    static func amplitude(decibels: Double) -> Double {
        pow(10, decibels / 20)
    }
}
