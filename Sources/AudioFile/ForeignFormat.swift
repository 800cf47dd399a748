import Glibc
public import Linux

/// The usual kinds of sound and film that none of our libraries reads, known by their first bytes.
public enum ForeignFormat {
    /// What such a file begins with, and how many bytes before that do not matter.
    private static let all: [(name: String, offset: Int, bytes: [UInt8])] = [
        ("MP4 (M4A, AAC)", 4, Array("ftyp".utf8)),
        ("AAC", 0, [0xff, 0xf1]), ("AAC", 0, [0xff, 0xf9]),
        ("WebM or Matroska", 0, [0x1a, 0x45, 0xdf, 0xa3]),
        ("WMA", 0, [0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11]),
        ("AMR", 0, Array("#!AMR".utf8)),
        ("AVI", 8, Array("AVI ".utf8)),
        ("Monkey's Audio", 0, Array("MAC ".utf8)),
        ("WavPack", 0, Array("wvpk".utf8)),
    ]

    /// The name of a file's kind, for a person; nil where it is none of these, or cannot be read.
    public static func name(of file: FileDescriptor) -> String? {
        var header = [UInt8](repeating: 0, count: 16)
        guard (try? retryingInterrupts { pread(file.number, &header, header.count, 0) }) != nil else {
            return nil
        }
        return all.first { header.dropFirst($0.offset).starts(with: $0.bytes) }?.name
    }
}
