import AudioFile
import Foundation
import Linux
import Sound

/// Files of sound that nobody has made.
enum SoundFuzzing {
    /// A header may promise silence without an end: what is read is bounded by whoever reads.
    private static let mostSamples = 1_000_000

    /// Bytes as a file, open for reading and writing.
    private static func file(_ bytes: ArraySlice<UInt8>) throws -> FileDescriptor {
        let path = FuzzTarget.folder + "/\(UInt64.random(in: 0 ... .max))"
        let file = try FileDescriptor(opening: path, flags: O_RDWR | O_CREAT | O_EXCL)
        unlink(path)
        try bytes.withUnsafeBytes { try file.write($0, at: 0) }
        return file
    }

    /// Opens a file, reads it, and reads on from some places in it, where the last bytes say.
    @Sendable static func read(_ bytes: [UInt8]) throws {
        let reader = try AudioFileReader(descriptor: file(bytes[...]), name: "memo")
        _ = reader.format
        let frames = reader.frames
        FuzzTarget.require(reader.stream.channels > 0 && reader.stream.rate > 0, "no layout")
        FuzzTarget.require(frames ?? 0 >= 0, "\(frames ?? 0) frames")
        let block = UnsafeMutableBufferPointer<Int32>.allocate(capacity: 4_096 * reader.stream.channels)
        defer { block.deallocate() }
        func readSome(_ samples: Int) throws {
            var left = samples
            while left > 0 {
                let count = try reader.read(into: block)
                if count == 0 { break }
                FuzzTarget.require(
                    count * reader.stream.channels <= block.count, "more than there is room for")
                left -= count * reader.stream.channels
            }
            FuzzTarget.require(reader.position <= frames ?? .max, "beyond the end")
        }
        try readSome(mostSamples)
        for byte in bytes.suffix(3) + [0] {
            let target = Int64(Double(frames ?? 1_000_000) * Double(byte) / 250)
            try? reader.seek(to: target)
            try readSome(20_000)
        }
        _ = reader.isDamaged
    }

    /// Mends a file in the format that the first byte says: then it can be heard, or it is as it was.
    @Sendable static func mend(_ bytes: [UInt8]) throws {
        guard let first = bytes.first else { return }
        let format = AudioFileFormat.all[Int(first) % AudioFileFormat.all.count]
        let file = try file(bytes.dropFirst())
        let mended: Mending.Result
        do {
            mended = try Mending.mend(file, name: "memo", format: format)
        } catch {
            return
        }
        let length = try file.status().bytes
        if mended.frames == 0 {
            FuzzTarget.require(length <= 4_096, "called empty with \(length) bytes")
            return
        }
        let reader = try? AudioFileReader(descriptor: file, name: "memo")
        FuzzTarget.require(
            reader?.frames == mended.frames,
            "\(mended.frames) frames, and \(String(describing: reader?.frames))")
        let again = try? Mending.mend(file, name: "memo", format: format)
        FuzzTarget.require(again?.frames == mended.frames, "another length when mended again")
        FuzzTarget.require(again?.wasCut == false, "not whole when it was mended")
        FuzzTarget.require((try? file.status().bytes) == length, "another size when mended again")
    }
}
