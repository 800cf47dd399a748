import Foundation

/// A machine whose sound card captures the number of each frame, in real time, and fails when it is told to.
public final class FaultyCardRig: Rig {
    /// A machine with the device `mic`.
    ///
    /// - Parameter fault: in the words of the card's ALSA configuration, such as
    ///   `fault "overrun" at 500 for 200`: what happens, after how many milliseconds, for how many.
    public init(_ fault: String) throws {
        try super.init()
        let library = Self.built("libFaultyCard.so")
        try configureSound(
            """
            pcm_type.faulty { lib "\(library)" }
            pcm.mic { type faulty began "\(folder.file("began"))" \(fault) }
            """)
    }

    /// How long the card has captured since it was first started, in seconds; nil before that.
    public var capturedSeconds: Double? {
        var now = timespec()
        clock_gettime(CLOCK_BOOTTIME, &now)
        guard let text = try? String(contentsOfFile: folder.file("began"), encoding: .utf8),
            let began = Double(text.dropLast())
        else { return nil }
        return Double(now.tv_sec) + (Double(now.tv_nsec) - began) / 1e9
    }

    /// What a take holds, as stretches: how many frames, and the number of the first; 0 is silence.
    public func stretches(of name: String) throws -> [(frames: Int, first: Int)] {
        let raw = folder.file("decoded.raw")
        _ = try tool("sox", folder.file("store/audio/" + name), "-t", "raw", "-e", "signed", "-b", "16", raw)
        let data = try Data(contentsOf: URL(fileURLWithPath: raw))
        let samples = data.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }.map { Int($0) }
        var stretches: [(frames: Int, first: Int)] = []
        var previous = -1
        for sample in samples {
            let goes = sample == 0 ? previous == 0 : previous > 0 && sample == previous % 32_767 + 1
            if goes {
                stretches[stretches.count - 1].frames += 1
            } else {
                stretches.append((1, sample))
            }
            previous = sample
        }
        return stretches
    }
}
