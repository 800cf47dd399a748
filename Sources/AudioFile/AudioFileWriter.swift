import CSndFile
public import Linux
public import Sound

/// Writes a take to its file as the sound comes in, so that a kill at any moment leaves a file that is whole
/// but for its end.
///
/// `@unchecked Sendable`: made on one thread and handed to the encoder's, which alone uses it from then on.
public final class AudioFileWriter: @unchecked Sendable {
    /// What is written.
    public let stream: StreamFormat
    /// The frames written so far.
    public private(set) var frames: Int64 = 0
    private let name: String
    private let access: FileAccess
    private var handle: OpaquePointer?

    /// Begins a file.
    ///
    /// - Parameters:
    ///   - descriptor: an empty file, open for reading and writing.
    ///   - name: what errors call it.
    ///   - stream: the layout that the device really granted.
    /// - Throws: ``AudioFileError`` when the format cannot keep the layout or the header cannot be written.
    public init(
        descriptor: FileDescriptor, name: String, format: AudioFileFormat, stream: StreamFormat
    ) throws {
        self.name = name
        self.stream = stream
        access = FileAccess(descriptor)
        var information = SF_INFO()
        information.samplerate = Int32(stream.rate)
        information.channels = Int32(stream.channels)
        information.format = format.container | (format.encodings[stream.bits] ?? 0)
        handle = access.open(mode: Int32(SFM_WRITE), information: &information)
        guard let handle else {
            throw Self.error("begin \(name)", nil, access)
        }
        if format.container == Int32(SF_FORMAT_RF64) {
            sf_command(handle, Int32(SFC_RF64_AUTO_DOWNGRADE), nil, Int32(SF_TRUE))
            sf_command(handle, Int32(SFC_SET_UPDATE_HEADER_AUTO), nil, Int32(SF_TRUE))
        } else if format.container == Int32(SF_FORMAT_OGG) {
            var milliseconds = Self.oggPageMilliseconds
            sf_command(
                handle, Int32(SFC_SET_OGG_PAGE_LATENCY_MS), &milliseconds, Int32(MemoryLayout<Double>.size))
        } else if stream.rate < Self.shortBlocksBelowRate {
            var level = Self.shortBlockLevel
            sf_command(handle, Int32(SFC_SET_COMPRESSION_LEVEL), &level, Int32(MemoryLayout<Double>.size))
        }
    }

    /// A FLAC block is 4,096 frames, half a second at 8 kHz, and a kill loses the block that is being
    /// filled. From compression level 2 downwards (of 8) a block is 1,152 frames.
    private static let shortBlocksBelowRate = 32_000
    private static let shortBlockLevel = 0.25
    /// A page is a second long by default, and a kill loses the page that is being filled.
    private static let oggPageMilliseconds = 100.0

    deinit {
        if let handle { sf_close(handle) }
    }

    /// Appends frames (`sf_writef_int`).
    ///
    /// - Parameter samples: whole frames, interleaved, 32 bits a sample.
    /// - Throws: ``AudioFileError``, from the first failed write on: the file is then no longer touched.
    public func write(_ samples: UnsafeBufferPointer<Int32>) throws {
        let count = sf_count_t(samples.count / stream.channels)
        guard count > 0 else { return }
        let written = sf_writef_int(handle, samples.baseAddress, count)
        guard written == count, access.failure == nil else { throw failure() }
        frames += count
    }

    /// Writes what is left and the final header (`sf_close`). Calling it again does nothing.
    ///
    /// - Throws: ``AudioFileError``; what was written before can still be mended.
    public func close() throws {
        guard let handle else { return }
        sf_close(handle)
        self.handle = nil
        if access.failure != nil { throw failure() }
    }

    private func failure() -> AudioFileError {
        Self.error("write \(name)", handle, access)
    }

    private static func error(_ attempt: String, _ handle: OpaquePointer?, _ access: FileAccess)
        -> AudioFileError
    {
        access.failure.map { AudioFileError(attempt: attempt, $0) }
            ?? AudioFileError(attempt: attempt, reason: String(cString: sf_strerror(handle)))
    }
}
