import CALSA

/// How a device wants its samples, and how they become our 32 bits with the sound on top.
enum SampleFormat: CaseIterable {
    case bits16
    /// 24 bits at the bottom of four bytes.
    case bits24
    /// 24 bits in three bytes, as many USB devices have them.
    case bits24Packed
    case bits32

    /// In the order in which they are asked for: what keeps every bit first, what wastes least next.
    static func preferred(forBits bits: Int) -> [SampleFormat] {
        bits <= 16 ? [.bits16, .bits32, .bits24, .bits24Packed] : [.bits32, .bits24, .bits24Packed, .bits16]
    }

    var code: snd_pcm_format_t {
        switch self {
        case .bits16: SND_PCM_FORMAT_S16_LE
        case .bits24: SND_PCM_FORMAT_S24_LE
        case .bits24Packed: SND_PCM_FORMAT_S24_3LE
        case .bits32: SND_PCM_FORMAT_S32_LE
        }
    }

    /// The bits that carry sound.
    var bits: Int {
        switch self {
        case .bits16: 16
        case .bits24, .bits24Packed, .bits32: 24
        }
    }

    var bytes: Int {
        switch self {
        case .bits16: 2
        case .bits24Packed: 3
        case .bits24, .bits32: 4
        }
    }

    /// Reads samples as the device has them.
    func unpack(_ source: UnsafeRawPointer, into samples: UnsafeMutableBufferPointer<Int32>) {
        switch self {
        case .bits16:
            Self.fill(samples) {
                Int32(Int16(littleEndian: source.loadUnaligned(fromByteOffset: $0 &* 2, as: Int16.self)))
                    << 16
            }
        case .bits24:
            Self.fill(samples) {
                Int32(littleEndian: source.loadUnaligned(fromByteOffset: $0 &* 4, as: Int32.self)) << 8
            }
        case .bits24Packed:
            Self.fill(samples) {
                let bytes = source + $0 &* 3
                return Int32(bytes.loadUnaligned(as: UInt8.self)) << 8
                    | Int32(bytes.loadUnaligned(fromByteOffset: 1, as: UInt8.self)) << 16
                    | Int32(bytes.loadUnaligned(fromByteOffset: 2, as: Int8.self)) << 24
            }
        case .bits32:
            Self.fill(samples) {
                Int32(littleEndian: source.loadUnaligned(fromByteOffset: $0 &* 4, as: Int32.self))
            }
        }
    }

    /// A loop for each format, without a check in it: the compiler then moves several samples at once.
    @inline(__always)
    private static func fill(_ samples: UnsafeMutableBufferPointer<Int32>, _ sample: (Int) -> Int32) {
        guard let target = samples.baseAddress else { return }
        var index = 0
        while index < samples.count {
            target[index] = sample(index)
            index &+= 1
        }
    }

    /// Writes samples as the device wants them; bits below its depth are cut.
    func pack(_ samples: UnsafeBufferPointer<Int32>, into target: UnsafeMutableRawPointer) {
        switch self {
        case .bits16:
            Self.each(samples) { index, sample in
                target.storeBytes(
                    of: Int16(truncatingIfNeeded: sample >> 16).littleEndian, toByteOffset: index &* 2,
                    as: Int16.self)
            }
        case .bits24:
            Self.each(samples) { index, sample in
                target.storeBytes(of: (sample >> 8).littleEndian, toByteOffset: index &* 4, as: Int32.self)
            }
        case .bits24Packed:
            Self.each(samples) { index, sample in
                let bytes = target + index &* 3
                bytes.storeBytes(of: UInt8(truncatingIfNeeded: sample >> 8), as: UInt8.self)
                bytes.storeBytes(of: UInt8(truncatingIfNeeded: sample >> 16), toByteOffset: 1, as: UInt8.self)
                bytes.storeBytes(of: UInt8(truncatingIfNeeded: sample >> 24), toByteOffset: 2, as: UInt8.self)
            }
        case .bits32:
            Self.each(samples) { index, sample in
                target.storeBytes(of: sample.littleEndian, toByteOffset: index &* 4, as: Int32.self)
            }
        }
    }

    /// The same for what is written.
    @inline(__always)
    private static func each(_ samples: UnsafeBufferPointer<Int32>, _ body: (Int, Int32) -> Void) {
        guard let source = samples.baseAddress else { return }
        var index = 0
        while index < samples.count {
            body(index, source[index])
            index &+= 1
        }
    }
}
