import Glibc
import Linux

/// The header of a frame of MPEG audio, and the search for the first (ISO 11172-3, 2.4.1.3; 13818-3).
///
/// Eleven ones are in every file by chance, and libsndfile plays what follows them. So sound is only what has
/// several headers in a row, each where the one before says, or one with its encoder's own description.
struct MPEGHeader {
    /// The length of the frame, its header included.
    let bytes: Int
    /// What all frames of a file have in common: version, layer and rate.
    private let kind: UInt32
    private let isVersion1: Bool
    private let isMono: Bool
    private let isLayer3: Bool

    /// What an encoder has written into the first frame.
    struct Description {
        /// How many frames follow; nil when it does not say.
        let mpegFrames: Int64?
        /// How many silent frames of sound the encoder has added at the start and at the end; nil when it does
        /// not say.
        let padding: (start: Int64, end: Int64)?
    }

    /// Bit rates of version 1 by layer, and of the others by layer, in kbit/s.
    private static let bitRates: [[Int]] = [
        [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
        [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
        [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
        [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
        [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    ]
    private static let rates = [44_100, 48_000, 32_000]

    /// Reads a header; nil where the bytes are none, and of frames of free length.
    init?(_ word: UInt32) {
        let version = word >> 19 & 3
        let layer = 4 - Int(word >> 17 & 3)
        let bitRateIndex = Int(word >> 12 & 15)
        let rateIndex = Int(word >> 10 & 3)
        guard word >> 21 == 0x7ff, version != 1, layer < 4, (1...14).contains(bitRateIndex), rateIndex < 3
        else { return nil }
        isVersion1 = version == 3
        isLayer3 = layer == 3
        isMono = word >> 6 & 3 == 3
        kind = word & 0xfffe_0c00
        let table = isVersion1 ? layer - 1 : min(layer + 2, 4)
        let bitsInSecond = Self.bitRates[table][bitRateIndex - 1] * 1_000
        let rate = Self.rates[rateIndex] >> (isVersion1 ? 0 : version == 2 ? 1 : 2)
        let padding = Int(word >> 9 & 1)
        switch layer {
        case 1: bytes = (12 * bitsInSecond / rate + padding) * 4
        case 3 where !isVersion1: bytes = 72 * bitsInSecond / rate + padding
        default: bytes = 144 * bitsInSecond / rate + padding
        }
    }

    /// Junk in front of the sound is passed over when it is not longer.
    private static let mostJunk: Int64 = 64 << 10
    private static let headersInRow = 3

    /// Whether the file's first bytes, but for an ID3 tag, are those of a header, whatever follows.
    static func begins(_ descriptor: FileDescriptor) throws(SystemError) -> Bool {
        let head = try bytes(descriptor, at: tagBytes(descriptor), count: 2)
        return head.count == 2 && head[0] == 0xff && head[1] >= 0xe0
    }

    /// Looks for the first frame, behind an ID3 tag and junk.
    ///
    /// - Parameter descriptor: open for reading; its position does not matter and is not moved.
    /// - Returns: what the encoder says in it; nil where the file has no such sound.
    static func find(in descriptor: FileDescriptor) throws(SystemError) -> Description? {
        let length = try descriptor.status().bytes
        let start = try tagBytes(descriptor)
        let window = try bytes(descriptor, at: start, count: Int(min(mostJunk, max(0, length - start))))
        for index in window.indices.dropLast(3) where window[index] == 0xff {
            let offset = start + Int64(index)
            guard let header = MPEGHeader(word(window, index)) else { continue }
            if let description = try header.description(descriptor, at: offset) { return description }
            if try header.isFirst(descriptor, at: offset, length) {
                return Description(mpegFrames: nil, padding: nil)
            }
        }
        return nil
    }

    private func isFirst(
        _ descriptor: FileDescriptor, at offset: Int64, _ length: Int64
    ) throws(SystemError) -> Bool {
        var header = self
        var offset = offset
        for count in 1..<Self.headersInRow {
            offset += Int64(header.bytes)
            // Two frames that are all there is will do too.
            if count > 1, offset == length { return true }
            let bytes = try Self.bytes(descriptor, at: offset, count: 4)
            guard bytes.count == 4, let next = MPEGHeader(Self.word(bytes, 0)), next.kind == kind else {
                return false
            }
            header = next
        }
        return true
    }

    /// The description that Xing's encoder has begun, and LAME has made longer.
    private func description(
        _ descriptor: FileDescriptor, at offset: Int64
    ) throws(SystemError) -> Description? {
        guard isLayer3 else { return nil }
        let sideBytes = isVersion1 ? (isMono ? 17 : 32) : (isMono ? 9 : 17)
        let tag = try Self.bytes(descriptor, at: offset + Int64(4 + sideBytes), count: 144)
        guard tag.count == 144, tag.starts(with: "Xing".utf8) || tag.starts(with: "Info".utf8) else {
            return nil
        }
        let flags = Self.word(tag, 4)
        let hasFrames = flags & 1 != 0
        // The count of frames, that of bytes, a table of 100, the quality: each is there or not.
        let lame = 8 + (0..<4).reduce(0) { $0 + (flags >> $1 & 1 == 0 ? 0 : $1 == 2 ? 100 : 4) }
        let delays = Int64(tag[lame + 21]) << 16 | Int64(tag[lame + 22]) << 8 | Int64(tag[lame + 23])
        let hasDelays = tag[lame] != 0 && delays != 0
        return Description(
            mpegFrames: hasFrames ? Int64(Self.word(tag, 8)) : nil,
            padding: hasDelays ? (delays >> 12, delays & 0xfff) : nil)
    }

    /// The length of an ID3v2 tag at the start (ID3v2.4.0, 3.1); seven bits of each byte count.
    static func tagBytes(_ descriptor: FileDescriptor) throws(SystemError) -> Int64 {
        let head = try bytes(descriptor, at: 0, count: 10)
        guard head.count == 10, head.starts(with: "ID3".utf8) else { return 0 }
        return head[6..<10].reduce(0) { $0 << 7 | Int64($1 & 0x7f) } + (head[5] & 0x10 == 0 ? 10 : 20)
    }

    private static func bytes(
        _ descriptor: FileDescriptor, at offset: Int64, count: Int
    ) throws(SystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let read = try retryingInterrupts { pread(descriptor.number, &bytes, count, off_t(offset)) }
        return Array(bytes[..<read])
    }

    private static func word(_ bytes: [UInt8], _ index: Int) -> UInt32 {
        bytes[index..<index + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
