import ALSA

/// What is said to somebody whose microphone gives nothing.
enum SilenceNote {
    /// Asking a mixer must not hold up a take for longer.
    private static let milliseconds: Int32 = 500

    /// Says that nothing is heard, and what the mixer says to that.
    ///
    /// - Parameters:
    ///   - mixer: the device's.
    ///   - subject: what is silent, as the sentence begins.
    static func print(about device: String, mixer: String, subject: String) {
        Console.note("\(subject) is silent: \(device) gave no sound above −60 dBFS.")
        let answer = try? Bounded.run(milliseconds: milliseconds) { DeviceList.captureVolume(of: mixer) }
        guard case let volume?? = answer else {
            return Console.note(
                "  Is it muted, or another one meant? 'tomorrow devices' lists what there is.")
        }
        Console.note("  Its mixer says: \(volume.text). 'alsamixer -V capture' changes that.")
    }
}
