import Glibc
import Linux

/// What the header of a WAV or RF64 file says of its length, to be compared with the truth.
enum WAVHeader {
    /// The first byte behind the sound, as the header has it, or nil when there is no such header.
    ///
    /// - Parameter descriptor: open for reading; its position does not matter and is not moved.
    static func endOffset(_ descriptor: FileDescriptor) throws(SystemError) -> Int64? {
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let count = try retryingInterrupts { pread(descriptor.number, &bytes, bytes.count, 0) }

        func number(_ offset: Int, bytes width: Int) -> Int64 {
            (0..<width).reversed().reduce(0) { $0 << 8 | Int64(bytes[offset + $1]) }
        }
        func isTag(_ tag: String, at offset: Int) -> Bool {
            Array(tag.utf8) == Array(bytes[offset..<offset + 4])
        }
        guard count >= 12, isTag("RIFF", at: 0) || isTag("RF64", at: 0) else { return nil }
        var longSize: Int64?
        var offset = 12
        while offset + 8 <= count {
            let size = number(offset + 4, bytes: 4)
            // In RF64 the sizes are here, and the short ones are all ones (EBU Tech 3306).
            if isTag("ds64", at: offset), offset + 24 <= count { longSize = number(offset + 16, bytes: 8) }
            if isTag("data", at: offset) {
                return Int64(offset + 8) + (size == 0xffff_ffff ? longSize ?? size : size)
            }
            offset += 8 + Int(size) + Int(size & 1)
        }
        return nil
    }
}
