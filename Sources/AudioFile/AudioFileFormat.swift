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
    /// Whether it is written as the sound comes in, and a kill at any moment leaves a file that can be mended.
    /// What is not is made of a finished FLAC by ``Transcoder``.
    public let isWrittenLive: Bool
    /// Whether libsndfile keeps what it encodes in a file in `$TMPDIR` until the end.
    public let needsScratch: Bool
    let container: Int32
    let encodings: [Int: Int32]
    /// How good it is to sound, from 0 to 1, where the encoder can be told (`SFC_SET_VBR_ENCODING_QUALITY`).
    let quality: Double?

    /// All formats, in the order in which they are offered; the first is the default.
    ///
    /// WAV is opened as RF64 and turned into plain WAV on close when it stays below 4 GiB. What a kill leaves
    /// of Vorbis lacks up to 4.6 s, MP3 has its length only at the end, and ALAC is not in its file until then.
    /// Speech takes about 90 kbit/s as Vorbis and 105 as MP3 (-q 5 and -V 2 of their encoders), at which
    /// hardly anybody hears a difference; half of that would be of use to nobody who keeps a memo for a day.
    public static let all = [
        AudioFileFormat(
            name: "flac", fileExtension: "flac", bits: [16, 24], mostChannels: 8, isWrittenLive: true,
            container: Int32(SF_FORMAT_FLAC), encodings: pulseCode),
        AudioFileFormat(
            name: "wav", fileExtension: "wav", bits: [16, 24], mostChannels: 256, isWrittenLive: true,
            container: Int32(SF_FORMAT_RF64), encodings: pulseCode),
        AudioFileFormat(
            name: "opus", fileExtension: "opus", bits: [16, 24], mostChannels: 2,
            rates: [8_000, 12_000, 16_000, 24_000, 48_000], isWrittenLive: true,
            container: Int32(SF_FORMAT_OGG), encodings: both(SF_FORMAT_OPUS)),
        AudioFileFormat(
            name: "vorbis", fileExtension: "ogg", bits: [16, 24], mostChannels: 8, isWrittenLive: false,
            container: Int32(SF_FORMAT_OGG), encodings: both(SF_FORMAT_VORBIS), quality: 0.5),
        AudioFileFormat(
            name: "mp3", fileExtension: "mp3", bits: [16, 24], mostChannels: 2,
            rates: [8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000],
            isWrittenLive: false, container: Int32(SF_FORMAT_MPEG),
            encodings: both(SF_FORMAT_MPEG_LAYER_III), quality: 0.8),
        AudioFileFormat(
            name: "alac", fileExtension: "caf", bits: [16, 24], mostChannels: 8, isWrittenLive: false,
            needsScratch: true, container: Int32(SF_FORMAT_CAF),
            encodings: [16: Int32(SF_FORMAT_ALAC_16), 24: Int32(SF_FORMAT_ALAC_24)]),
    ]

    private init(
        name: String, fileExtension: String, bits: [Int], mostChannels: Int, rates: [Int]? = nil,
        isWrittenLive: Bool, needsScratch: Bool = false, container: Int32, encodings: [Int: Int32],
        quality: Double? = nil
    ) {
        self.name = name
        self.fileExtension = fileExtension
        self.bits = bits
        self.mostChannels = mostChannels
        self.rates = rates
        self.isWrittenLive = isWrittenLive
        self.needsScratch = needsScratch
        self.container = container
        self.encodings = encodings
        self.quality = quality
    }

    /// Whether decoding gives back exactly what was encoded.
    public var isLossless: Bool { !encodings.values.contains(where: Self.isLossy) }

    /// Whether decoding gives back something else than was encoded. Such a decoder can overshoot full scale.
    static func isLossy(_ format: Int32) -> Bool {
        let encoding = format & Int32(SF_FORMAT_SUBMASK)
        return encoding == Int32(SF_FORMAT_OPUS) || encoding == Int32(SF_FORMAT_VORBIS)
            || encoding == Int32(SF_FORMAT_MPEG_LAYER_III)
    }

    /// A lossy encoding takes both depths.
    private static func both<Code: BinaryInteger>(_ encoding: Code) -> [Int: Int32] {
        [16: Int32(encoding), 24: Int32(encoding)]
    }

    private static let pulseCode = [
        16: Int32(SF_FORMAT_PCM_16), 24: Int32(SF_FORMAT_PCM_24),
    ]

    /// The format of a name, or nil.
    public static func named(_ name: String) -> AudioFileFormat? {
        all.first { $0.name == name }
    }

    /// The format that libsndfile finds a file in, or nil where it is none of ours.
    static func of(_ format: Int32) -> AudioFileFormat? {
        let container = Int(format) & Int(SF_FORMAT_TYPEMASK)
        let isWAV =
            [SF_FORMAT_WAV, SF_FORMAT_WAVEX, SF_FORMAT_RF64].contains { Int($0) == container }
            && Int(format) & Int(SF_FORMAT_ENDMASK) != Int(SF_ENDIAN_BIG)
        return all.first {
            $0.encodings.values.contains(format & Int32(SF_FORMAT_SUBMASK))
                && (Int($0.container) == container || isWAV && Int($0.container) == Int(SF_FORMAT_RF64))
        }
    }

    /// What a take of a layout is written as while it runs: this format, where it is written live and can keep the
    /// layout, else the first that is and can; nil where none can.
    public func live(for stream: StreamFormat) -> AudioFileFormat? {
        ([self] + Self.all).first { $0.isWrittenLive && $0.objection(to: stream) == nil }
    }

    /// The rate in hertz at which it keeps sound of another rate best: that one, else the next above it, else its
    /// greatest.
    func nearestRate(to rate: Int) -> Int {
        rates?.first { $0 >= rate } ?? rates?.last ?? rate
    }

    /// How many bytes a second of a take usually needs, to say for how long a disk has room: of what is not
    /// compressed exactly, else somewhat more than measured with speech. A format that is not written live needs
    /// what its FLAC needs; where there is no room for it then, the FLAC stays.
    public func usualBytesPerSecond(of stream: StreamFormat) -> Double {
        let samples = Double(stream.rate * stream.channels)
        switch name {
        case "wav": return samples * Double(stream.bits / 8)
        case "opus": return 12_000 * Double(stream.channels)
        // Half of the samples, and of 24 bits the lowest eight, which are noise.
        default: return samples * (stream.bits == 16 ? 1 : 2)
        }
    }

    /// What libFLAC 1.4 takes.
    private static let greatestRateOfFLAC = 655_350

    /// Why this layout cannot be kept in this format, or nil when it can.
    public func objection(to stream: StreamFormat) -> String? {
        if stream.channels > mostChannels {
            return "\(name) holds at most \(mostChannels) channels, not \(stream.channels)"
        }
        if let rates, !rates.contains(stream.rate) {
            let list = rates.map(String.init).joined(separator: ", ")
            return "\(name) holds \(list) Hz, not \(stream.rate)"
        }
        if container == Int32(SF_FORMAT_FLAC), stream.rate > Self.greatestRateOfFLAC {
            return "\(name) holds at most \(Self.greatestRateOfFLAC) Hz, not \(stream.rate)"
        }
        // A FLAC frame has no place for others (RFC 9639, 9.1.2), and libFLAC refuses them.
        if container == Int32(SF_FORMAT_FLAC), stream.rate > 65_535, stream.rate % 10 != 0 {
            return "\(name) holds above 65,535 Hz only whole tens, not \(stream.rate)"
        }
        if !bits.contains(stream.bits) { return "\(name) does not hold \(stream.bits) bits" }
        return nil
    }
}
