public import Foundation

/// A machine whose microphone reads a file and whose speaker writes one (ALSA's `file` plugin): real
/// libasound, no pace, and every sample can be compared.
public final class FileRig: Rig {
    /// A machine with the devices `mic` and `speaker`.
    ///
    /// - Parameter microphone: what the microphone hears, as raw samples in the format that the program
    ///   asks for: 16 bits, or 32 bits when it records 24. Longer than any take, as the plugin goes on with
    ///   stale samples at its end.
    public init(microphone: Data) throws {
        try super.init()
        try folder.write("mic.raw", microphone)
        try configureSound(
            """
            pcm.mic { type file slave.pcm null file /dev/null infile "\(folder.file("mic.raw"))" format raw }
            pcm.speaker { type file slave.pcm null file "\(folder.file("speaker.raw"))" format raw }
            """)
    }

    /// A machine whose microphone hears a few seconds of noise.
    public override convenience init() throws {
        try self.init(microphone: Noise.bits16(frames: 480_000))
    }

    /// How many bytes were played by now.
    public var played: Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: folder.file("speaker.raw"))
        return attributes?[.size] as? Int ?? 0
    }

    /// What was played, and forgets it.
    public func takePlayed() -> Data {
        defer { try? FileManager.default.removeItem(atPath: folder.file("speaker.raw")) }
        return (try? Data(contentsOf: URL(fileURLWithPath: folder.file("speaker.raw")))) ?? Data()
    }
}
