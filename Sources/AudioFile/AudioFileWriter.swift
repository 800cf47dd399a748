import CSndFile
public import Linux
public import Sound

/// Writes sound to a file. In the formats that are written as the sound comes in, a kill at any moment leaves
/// a file that is whole but for its end.
///
/// `@unchecked Sendable`: made on one thread and handed to the encoder's, which alone uses it from then on; but
/// for ``sync()``, which touches nothing that changes.
public final class AudioFileWriter: @unchecked Sendable {
    /// What is written.
    public let stream: StreamFormat
    /// The frames written so far.
    public private(set) var frames: Int64 = 0
    private let name: String
    private let access: FileAccess
    private var handle: OpaquePointer?
    private var scratch: ScratchFile?
    private let isOf16Bits: Bool

    /// Begins a file.
    ///
    /// - Parameters:
    ///   - descriptor: an empty file, open for reading and writing.
    ///   - name: what errors call it.
    ///   - stream: the layout that the device really granted.
    ///   - expected: how many frames there will be, for the formats that need a scratch file: room for them is
    ///     taken at once.
    ///   - tags: what the file says of itself, where the format has a place for it.
    /// - Throws: ``AudioFileError`` when the format cannot keep the layout, the header cannot be written, or
    ///   there is no room.
    public init(
        descriptor: FileDescriptor, name: String, format: AudioFileFormat, stream: StreamFormat,
        expecting expected: Int64 = 0, tags: SoundTags = SoundTags()
    ) throws {
        self.name = name
        self.stream = stream
        access = FileAccess(descriptor)
        var information = SF_INFO()
        information.samplerate = Int32(stream.rate)
        information.channels = Int32(stream.channels)
        information.format = format.container | (format.encodings[stream.bits] ?? 0)
        isOf16Bits = information.format & Int32(SF_FORMAT_SUBMASK) == Int32(SF_FORMAT_PCM_16)
        if format.container == Int32(SF_FORMAT_MPEG), let tag = tags.id3 {
            // libsndfile would take the text for Latin-1.
            access.origin = tag.withUnsafeBytes { access.write($0.baseAddress, sf_count_t($0.count)) }
            if access.failure != nil { throw Self.error("begin \(name)", nil, access) }
        }
        let open = { [access] in access.open(mode: Int32(SFM_WRITE), information: &information) }
        if format.needsScratch {
            scratch = try ScratchFile.open(for: name) {
                handle = open()
                return handle != nil
            }
        } else {
            handle = open()
        }
        guard let handle else {
            throw Self.error("begin \(name)", nil, access)
        }
        try scratch?.reserve(frames: expected, of: stream, name: name)
        // Several formats have no room for them any more after the first frame.
        if access.origin == 0 { for (kind, text) in tags.texts { sf_set_string(handle, kind, text) } }
        if var quality = format.quality {
            sf_command(
                handle, Int32(SFC_SET_VBR_ENCODING_QUALITY), &quality, Int32(MemoryLayout<Double>.size))
        }
        if format.container == Int32(SF_FORMAT_RF64) {
            sf_command(handle, Int32(SFC_RF64_AUTO_DOWNGRADE), nil, Int32(SF_TRUE))
            sf_command(handle, Int32(SFC_SET_UPDATE_HEADER_AUTO), nil, Int32(SF_TRUE))
        } else if format.container == Int32(SF_FORMAT_OGG), format.isWrittenLive {
            var milliseconds = Self.oggPageMilliseconds
            sf_command(
                handle, Int32(SFC_SET_OGG_PAGE_LATENCY_MS), &milliseconds, Int32(MemoryLayout<Double>.size))
        } else if format.container == Int32(SF_FORMAT_FLAC), stream.rate < Self.shortBlocksBelowRate {
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

    /// Appends frames (`sf_writef_int`, `sf_writef_short`).
    ///
    /// - Parameter samples: whole frames, interleaved, 32 bits a sample.
    /// - Throws: ``AudioFileError``, from the first failed write on: the file is then no longer touched.
    public func write(_ samples: UnsafeBufferPointer<Int32>) throws {
        let count = sf_count_t(samples.count / stream.channels)
        guard count > 0 else { return }
        let written =
            isOf16Bits ? writeShorts(samples) : sf_writef_int(handle, samples.baseAddress, count)
        guard written == count, access.failure == nil else { throw failure() }
        frames += count
        try scratch?.check(frames: frames, name: name)
    }

    /// Cuts samples to 16 bits, eight at a time; libsndfile takes them apart byte by byte. In pieces, as all that waits
    /// for a disk may come at once.
    ///
    /// - Returns: how many frames were written.
    private func writeShorts(_ samples: UnsafeBufferPointer<Int32>) -> sf_count_t {
        let most = max(1, Self.mostShorts / stream.channels) * stream.channels
        return withUnsafeTemporaryAllocation(of: Int16.self, capacity: min(most, samples.count)) { shorts in
            var written: sf_count_t = 0
            var begin = 0
            while begin < samples.count {
                let count = min(most, samples.count - begin)
                for index in 0..<count {
                    shorts[index] = Int16(truncatingIfNeeded: samples[begin &+ index] >> 16)
                }
                let frames = sf_count_t(count / stream.channels)
                let taken = sf_writef_short(handle, shorts.baseAddress, frames)
                written += taken
                if taken != frames { break }
                begin += count
            }
            return written
        }
    }

    private static let mostShorts = 1 << 15

    /// Has what was written on disk (`fdatasync`). Any thread may, also while another one writes.
    ///
    /// - Throws: ``AudioFileError``: what was written may then be lost.
    public func sync() throws(AudioFileError) {
        do {
            try access.descriptor.syncData()
        } catch {
            throw AudioFileError(attempt: "write \(name)", error)
        }
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

    /// Gives the file up: nothing more is written to it.
    public func abandon() {
        access.abandon()
        if let handle { sf_close(handle) }
        handle = nil
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
