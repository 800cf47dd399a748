public import Foundation
import Linux

/// A machine whose microphone reads a file, without any pace, and whose speaker plays in real time and remembers
/// what was heard: long memos are recorded at once, and played as a person hears them.
public final class SpeakerRig: Rig {
    /// A machine with the devices `mic` and `speaker`.
    ///
    /// - Parameters:
    ///   - microphone: what the microphone hears, as ``FileRig`` has it.
    ///   - speaker: in the words of its ALSA configuration, such as `rate 44100 channels 2`.
    public init(microphone: Data, speaker: String = "") throws {
        try super.init()
        try folder.write("mic.raw", microphone)
        try configureSound(
            """
            pcm_type.paced { lib "\(Self.built("libPacedSpeaker.so"))" }
            pcm.mic { type file slave.pcm null file /dev/null infile "\(folder.file("mic.raw"))" format raw }
            pcm.speaker { type paced path "\(folder.file("heard.raw"))" \(speaker) }
            """)
    }

    /// A machine whose microphone hears the number of each frame, so that whatever is heard of a memo of 24 bits
    /// tells which frame of it that is: 1 and so on.
    ///
    /// - Parameter frames: how many there are; those of a longer take are stale.
    public convenience init(counting frames: Int, speaker: String = "") throws {
        try self.init(microphone: Noise.data((1...Int32(frames)).map { $0 << 8 }), speaker: speaker)
    }

    /// What was heard so far.
    public var heard: Data {
        (try? Data(contentsOf: URL(fileURLWithPath: folder.file("heard.raw")))) ?? Data()
    }

    /// How many bytes were heard so far.
    public var heardBytes: Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: folder.file("heard.raw"))
        return attributes?[.size] as? Int ?? 0
    }

    /// Forgets what was heard.
    public func forget() {
        try? FileManager.default.removeItem(atPath: folder.file("heard.raw"))
    }

    /// Which frames of a counting memo were heard so far, as stretches: the first frame, counted from 0, and the
    /// one behind the last.
    public var stretches: [Range<Int>] {
        let samples = heard.withUnsafeBytes { Array($0.bindMemory(to: Int32.self)) }
        return samples.reduce(into: []) { stretches, sample in
            let frame = Int(sample >> 8) - 1
            if let last = stretches.last, last.upperBound == frame {
                stretches[stretches.count - 1] = last.lowerBound..<frame + 1
            } else {
                stretches.append(frame..<frame + 1)
            }
        }
    }

    /// Waits until enough was heard.
    ///
    /// - Returns: whether that came in time.
    public func waits(seconds: Int64 = 20, until isEnough: () -> Bool) -> Bool {
        let deadline = MonotonicClock.milliseconds + seconds * 1_000
        while !isEnough() {
            guard MonotonicClock.milliseconds < deadline else { return false }
            _ = waitForReading([], milliseconds: 10)
        }
        return true
    }
}
