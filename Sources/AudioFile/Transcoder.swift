public import Linux
public import Sound

/// Makes a file of another format of a finished one.
public enum Transcoder {
    /// What was made.
    public struct Result: Equatable, Sendable {
        /// The layout, as the new file has it.
        public let stream: StreamFormat
        /// The length; the same as that of the source, to the frame.
        public let frames: Int64
    }

    /// One packet of ALAC; small enough that whoever cancels does not wait.
    private static let blockFrames = 4_096
    /// Decoding is faster than encoding: its part of the whole, for the progress.
    private static let checkShare = 0.15

    /// Reads a file from its start to its end, writes it in another format, and reads that again: a lossless
    /// one must give back each sample, and each must give back as many frames as it was given. MP3 too: its
    /// header tells what the encoder has added at both ends, and libmpg123 leaves that out.
    ///
    /// The samples stay integers, so that none is above full scale; where a lossy decoder overshoots,
    /// ``AudioFileReader`` cuts. The memory that is needed does not grow with the length.
    ///
    /// - Parameters:
    ///   - source: open for reading.
    ///   - target: an empty file, open for reading and writing. What is in it after an error is of no use.
    ///   - name: what errors call the new file.
    ///   - progress: is given how much is done, from 0 to 1, a few times a second.
    ///   - isCancelled: asked as often.
    /// - Throws: ``AudioFileError``.
    public static func transcode(
        _ source: FileDescriptor, to target: FileDescriptor, name: String, format: AudioFileFormat,
        progress: (Double) -> Void = { _ in }, isCancelled: () -> Bool = { false }
    ) throws -> Result {
        let reader = try AudioFileReader(descriptor: source, name: name)
        let stream = reader.stream
        guard let frames = reader.frames else {
            throw AudioFileError(attempt: "encode \(name)", reason: "the length of its source is not known")
        }
        if let objection = format.objection(to: stream) {
            throw AudioFileError(attempt: "encode \(name)", reason: objection)
        }
        func step(_ fraction: Double) throws {
            if isCancelled() { throw AudioFileError(attempt: "encode \(name)", reason: "it was interrupted") }
            progress(fraction)
        }
        let writer = try AudioFileWriter(
            descriptor: target, name: name, format: format, stream: stream, expecting: frames)
        do {
            try eachBlock(of: reader) { samples in
                try writer.write(samples)
                try step(Double(writer.frames) / Double(max(1, frames)) * (1 - checkShare))
            }
            guard writer.frames == frames, !reader.isDamaged else {
                throw AudioFileError(attempt: "encode \(name)", reason: "its source ends too early")
            }
        } catch {
            writer.abandon()
            throw error
        }
        try writer.close()

        let made = try AudioFileReader(descriptor: target, name: name)
        let original = try format.isLossless ? AudioFileReader(descriptor: source, name: name) : nil
        let isSame =
            try made.frames == frames && made.stream.rate == stream.rate
            && made.stream.channels == stream.channels
            && hasSameSound(made, frames: frames, as: original) { done in
                try step(1 - checkShare + Double(done) / Double(max(1, frames)) * checkShare)
            }
        guard isSame else {
            throw AudioFileError(attempt: "encode \(name)", reason: "the encoder gives back something else")
        }
        return Result(stream: made.stream, frames: frames)
    }

    private static func hasSameSound(
        _ made: AudioFileReader, frames: Int64, as original: AudioFileReader?, step: (Int64) throws -> Void
    ) throws -> Bool {
        let expected = UnsafeMutableBufferPointer<Int32>.allocate(
            capacity: blockFrames * made.stream.channels)
        defer { expected.deallocate() }
        var done: Int64 = 0
        var isSame = true
        try eachBlock(of: made) { samples in
            if let original {
                let count = try original.read(into: expected) * made.stream.channels
                isSame = isSame && samples.elementsEqual(expected[..<count])
            }
            done += Int64(samples.count / made.stream.channels)
            try step(done)
        }
        return isSame && done == frames
    }

    private static func eachBlock(
        of reader: AudioFileReader, _ body: (UnsafeBufferPointer<Int32>) throws -> Void
    ) throws {
        let channels = reader.stream.channels
        let block = UnsafeMutableBufferPointer<Int32>.allocate(capacity: blockFrames * channels)
        defer { block.deallocate() }
        while true {
            let count = try reader.read(into: block)
            if count == 0 { return }
            try body(UnsafeBufferPointer(rebasing: block[..<(count * channels)]))
        }
    }
}
