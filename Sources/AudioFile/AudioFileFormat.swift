import CSndFile
public import Sound

/// A kind of file that a memo can be kept in.
public struct AudioFileFormat: Equatable, Sendable {
    /// What `--format` and the store call it.
    public let name: String
    /// The ending of its files, without the dot.
    public let fileExtension: String
    /// The depths it can keep, in bits.
    public let bits: [Int]
    /// The greatest number of channels it can keep.
    public let mostChannels: Int
    /// The rates it can keep, in hertz; nil for all up to the greatest of ours.
    public let rates: [Int]?
    let container: Int32
    let encodings: [Int: Int32]

    /// All formats, in the order in which they are offered; the first is the default.
    ///
    /// WAV is opened as RF64 and turned into plain WAV on close when it stays below 4 GiB.
    public static let all = [
        AudioFileFormat(
            name: "flac", fileExtension: "flac", bits: [16, 24], mostChannels: 8, rates: nil,
            container: Int32(SF_FORMAT_FLAC), encodings: pulseCode),
        AudioFileFormat(
            name: "wav", fileExtension: "wav", bits: [16, 24], mostChannels: 256, rates: nil,
            container: Int32(SF_FORMAT_RF64), encodings: pulseCode),
        AudioFileFormat(
            name: "opus", fileExtension: "opus", bits: [16, 24], mostChannels: 2,
            rates: [8_000, 12_000, 16_000, 24_000, 48_000], container: Int32(SF_FORMAT_OGG),
            encodings: [16: Int32(SF_FORMAT_OPUS), 24: Int32(SF_FORMAT_OPUS)]),
    ]

    /// Whether decoding gives back something else than was encoded. Such a decoder can overshoot full scale.
    static func isLossy(_ format: Int32) -> Bool {
        let encoding = format & Int32(SF_FORMAT_SUBMASK)
        return encoding == Int32(SF_FORMAT_OPUS) || encoding == Int32(SF_FORMAT_VORBIS)
            || encoding == Int32(SF_FORMAT_MPEG_LAYER_III)
    }

    private static let pulseCode = [
        16: Int32(SF_FORMAT_PCM_16), 24: Int32(SF_FORMAT_PCM_24),
    ]

    /// The format of a name, or nil.
    public static func named(_ name: String) -> AudioFileFormat? {
        all.first { $0.name == name }
    }

    /// How many bytes a second of speech usually takes, to say how long a disk has room. Measured; what is not
    /// compressed is exact.
    public func usualBytesPerSecond(of stream: StreamFormat) -> Double {
        let samples = Double(stream.rate * stream.channels)
        switch name {
        case "wav": return samples * Double(stream.bits / 8)
        case "opus": return 12_000 * Double(stream.channels)
        // Half of it, and of 24 bits the lowest eight are noise.
        default: return samples * (stream.bits == 16 ? 1 : 2)
        }
    }

    /// Why this layout cannot be kept in this format, or nil when it can.
    public func objection(to stream: StreamFormat) -> String? {
        if stream.channels > mostChannels {
            return "\(name) holds at most \(mostChannels) channels, not \(stream.channels)"
        }
        if let rates, !rates.contains(stream.rate) {
            let list = rates.map(String.init).joined(separator: ", ")
            return "\(name) holds \(list) Hz, not \(stream.rate)"
        }
        if !bits.contains(stream.bits) { return "\(name) does not hold \(stream.bits) bits" }
        return nil
    }
}
