import Glibc
public import Linux
public import Sound

/// Makes a file of sound of another one.
public enum Transcoder {
    /// What was made.
    public struct Result: Equatable, Sendable {
        /// The layout, as the new file has it.
        public let stream: StreamFormat
        /// The length; the same as that of the source, to the frame, unless that is damaged, or was brought to
        /// another rate.
        public let frames: Int64
        /// Whether the source was damaged, and this is what could be heard of it.
        public let isDamaged: Bool
    }

    /// What the new file is to be.
    public struct Request: Sendable {
        /// How it is encoded.
        public var format: AudioFileFormat
        /// The part of the source that it holds, in frames; nil for all.
        public var range: Range<Int64>?
        /// What it says of itself.
        public var tags = SoundTags()
        /// Whether a rate that the format cannot keep becomes one that it can.
        public var resamples = false
        /// Whether what can be heard of a damaged source will do.
        public var takesDamaged = false

        /// All of the source, which must be whole.
        public init(_ format: AudioFileFormat) {
            self.format = format
        }
    }

    /// Decoding is faster than encoding: its part of the whole, for the progress.
    private static let checkShare = 0.15

    /// Reads a file, writes it in another format, and reads that again: a lossless one must give back each
    /// sample, and each must give back as many frames as it was given. MP3 too: its header tells what the
    /// encoder has added at both ends, and libmpg123 leaves that out.
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
    ///   - measure: is given all frames, block by block, 32 bits a sample.
    /// - Throws: ``AudioFileError``.
    public static func transcode(
        _ source: FileDescriptor, to target: FileDescriptor, name: String, as request: Request,
        progress: (Double) -> Void = { _ in }, isCancelled: () -> Bool = { false },
        measure: (UnsafeBufferPointer<Int32>) -> Void = { _ in }
    ) throws -> Result {
        let reader = try reader(source, name, request.range)
        let sourceStream = reader.stream
        guard let length = reader.frames else {
            throw AudioFileError(attempt: "encode \(name)", reason: "the length of its source is not known")
        }
        var stream = sourceStream
        var wanted = Int64(request.range?.clamped(to: 0..<length).count ?? Int(length))
        var chain: PlaybackChain?
        let rate = request.resamples ? request.format.nearestRate(to: stream.rate) : stream.rate
        if rate != stream.rate {
            stream = StreamFormat(rate: rate, channels: stream.channels, bits: stream.bits)
            wanted = Int64((Double(wanted) * Double(rate) / Double(sourceStream.rate)).rounded())
            chain = PlaybackChain(from: sourceStream, to: stream)
        }
        if let objection = request.format.objection(to: stream) {
            throw AudioFileError(attempt: "encode \(name)", reason: objection)
        }
        func step(_ fraction: Double) throws {
            if isCancelled() { throw AudioFileError(attempt: "encode \(name)", reason: "it was interrupted") }
            progress(fraction)
        }
        let writer = try AudioFileWriter(
            descriptor: target, name: name, format: request.format, stream: stream, expecting: wanted,
            tags: request.tags)
        do {
            func write(_ samples: UnsafeBufferPointer<Int32>) throws {
                try writer.write(samples)
                measure(samples)
                try step(Double(writer.frames) / Double(max(1, wanted)) * (1 - checkShare))
            }
            try reader.eachBlock { try write(chain?.process($0) ?? $0) }
            if let chain { try write(chain.finish()) }
            guard request.takesDamaged || writer.frames == wanted && !reader.isDamaged else {
                throw AudioFileError(attempt: "encode \(name)", reason: "its source ends too early")
            }
            guard writer.frames > 0 || wanted == 0 else {
                throw AudioFileError(attempt: "encode \(name)", reason: "nothing in its source can be heard")
            }
        } catch {
            writer.abandon()
            throw error
        }
        try writer.close()

        let frames = writer.frames
        let made = try AudioFileReader(descriptor: target, name: name)
        let original =
            try request.format.isLossless && chain == nil ? self.reader(source, name, request.range) : nil
        let isSame =
            try made.frames == frames && made.stream.rate == stream.rate
            && made.stream.channels == stream.channels
            && hasSameSound(made, frames: frames, as: original) { done in
                try step(1 - checkShare + Double(done) / Double(max(1, frames)) * checkShare)
            }
        guard isSame else {
            throw AudioFileError(attempt: "encode \(name)", reason: "the encoder gives back something else")
        }
        return Result(
            stream: made.stream, frames: frames, isDamaged: frames != wanted || reader.isDamaged)
    }

    private static func reader(
        _ source: FileDescriptor, _ name: String, _ range: Range<Int64>?
    ) throws -> AudioFileReader {
        let reader = try AudioFileReader(descriptor: source, name: name)
        if let range { try reader.restrict(to: range) }
        return reader
    }

    private static func hasSameSound(
        _ made: AudioFileReader, frames: Int64, as original: AudioFileReader?, step: (Int64) throws -> Void
    ) throws -> Bool {
        var expected: [Int32] = []
        var done: Int64 = 0
        var isSame = true
        try made.eachBlock { samples in
            if let original {
                if expected.count < samples.count { expected = [Int32](repeating: 0, count: samples.count) }
                let isEqual = try expected.withUnsafeMutableBufferPointer {
                    let count = try original.read(into: .init(rebasing: $0[..<samples.count]))
                    return count * made.stream.channels == samples.count
                        && memcmp($0.baseAddress!, samples.baseAddress!, samples.count * 4) == 0
                }
                isSame = isSame && isEqual
            }
            done += Int64(samples.count / made.stream.channels)
            try step(done)
        }
        return isSame && done == frames
    }
}
