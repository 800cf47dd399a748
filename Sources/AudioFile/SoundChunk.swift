import Glibc
import Linux

/// What the header of a file of chunks says of its length, to be compared with the truth.
struct SoundChunk {
    /// The first byte behind the sound, as the header has it; `Int64.max` where its writer left that open.
    let endOffset: Int64
    /// Where the chunk's size is, in CAF, of which libsndfile does not read what is cut; nil in all others.
    let longSizeOffset: Int64?

    /// How one family of files lays out its chunks.
    private struct Layout {
        /// The file's first four bytes.
        let magic: String
        /// Where the first chunk is.
        let firstOffset: Int64
        var nameBytes = 4
        var sizeBytes = 4
        var isBigEndian = false
        /// Whether a chunk's size counts its own name and size.
        var countsItself = false
        /// Chunks begin at multiples of it.
        var alignment: Int64 = 2
        /// The chunk with the samples.
        var sound = "data"
    }

    /// WAV and RF64 (EBU Tech 3306), big-endian WAV, AIFF, Sony's W64 and Apple's CAF.
    private static let layouts = [
        Layout(magic: "RIFF", firstOffset: 12),
        Layout(magic: "RF64", firstOffset: 12),
        Layout(magic: "RIFX", firstOffset: 12, isBigEndian: true),
        Layout(magic: "FORM", firstOffset: 12, isBigEndian: true, sound: "SSND"),
        Layout(
            magic: "riff", firstOffset: 40, nameBytes: 16, sizeBytes: 8, countsItself: true, alignment: 8),
        Layout(magic: "caff", firstOffset: 8, sizeBytes: 8, isBigEndian: true, alignment: 1),
    ]
    /// A greater length, in a file that is shorter, was put there by somebody who could not come back to it, as
    /// he wrote to a pipe: SoX writes one a little below 2³¹, others that or 2³² − 1.
    private static let leastOpenSize: Int64 = 0x7fff_0000
    /// A hostile file can have as many as it has bytes.
    private static let mostChunks = 1_000

    /// The end of the sound alone, or nil where there is no such header.
    static func endOffset(_ descriptor: FileDescriptor) throws(SystemError) -> Int64? {
        try find(in: descriptor)?.endOffset
    }

    /// Looks for the chunk with the sound.
    ///
    /// - Parameter descriptor: open for reading; its position does not matter and is not moved.
    /// - Returns: nil where there is no such header.
    static func find(in descriptor: FileDescriptor) throws(SystemError) -> SoundChunk? {
        let head = try bytes(descriptor, at: 0)
        if isTag(".snd", head) {
            let size = number(head[8..<12], isBigEndian: true)
            let end = number(head[4..<8], isBigEndian: true) + size
            return SoundChunk(endOffset: size == 0xffff_ffff ? .max : end, longSizeOffset: nil)
        }
        guard let layout = layouts.first(where: { isTag($0.magic, head) }) else { return nil }
        let headerBytes = layout.nameBytes + layout.sizeBytes
        var longSize: Int64?
        var offset = layout.firstOffset
        for _ in 0..<mostChunks {
            let chunk = try bytes(descriptor, at: offset)
            if chunk.allSatisfy({ $0 == 0 }) { return nil }
            var size = number(chunk[layout.nameBytes..<headerBytes], isBigEndian: layout.isBigEndian)
            if layout.countsItself { size &-= Int64(headerBytes) }
            // In RF64 the sizes are here, and the short ones are all ones.
            if isTag("ds64", chunk) { longSize = number(chunk[16..<24], isBigEndian: false) }
            if isTag(layout.sound, chunk) {
                if layout.sizeBytes == 4, size == 0xffff_ffff { size = longSize ?? -1 }
                if longSize == nil, try isLeftOpen(size, at: offset, descriptor) { size = -1 }
                return SoundChunk(
                    endOffset: size < 0 || size > .max / 2 ? .max : offset + Int64(headerBytes) + size,
                    longSizeOffset: layout.magic == "caff" ? offset + Int64(layout.nameBytes) : nil)
            }
            guard size >= 0, size < .max / 2 else { return nil }
            let end = offset + Int64(headerBytes) + size
            offset = (end + layout.alignment - 1) / layout.alignment * layout.alignment
        }
        return nil
    }

    private static func isLeftOpen(
        _ size: Int64, at offset: Int64, _ descriptor: FileDescriptor
    ) throws(SystemError) -> Bool {
        let bytes = try descriptor.status().bytes
        return (leastOpenSize...0xffff_ffff).contains(size) && offset + size > bytes
    }

    /// As many bytes as a chunk's header can have; zeros where the file has ended.
    private static func bytes(_ descriptor: FileDescriptor, at offset: Int64) throws(SystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 24)
        try retryingInterrupts { pread(descriptor.number, &bytes, bytes.count, off_t(offset)) }
        return bytes
    }

    private static func isTag(_ tag: String, _ bytes: [UInt8]) -> Bool {
        bytes.starts(with: tag.utf8)
    }

    private static func number(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) -> Int64 {
        let bits = (isBigEndian ? Array(bytes) : bytes.reversed()).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int64(truncatingIfNeeded: bits)
    }
}
