import CSndFile
public import Linux
public import Sound

/// Reads a file of sound from its start to its end.
///
/// `@unchecked Sendable`: made on one thread and handed to the player's, which alone uses it from then on.
public final class AudioFileReader: @unchecked Sendable {
    /// What the file says it holds.
    public let stream: StreamFormat
    /// The frames the file says it holds, or nil when it does not say.
    public let frames: Int64?
    private let name: String
    private let access: FileAccess
    private let handle: OpaquePointer

    /// Opens a file (`sf_open_virtual`).
    ///
    /// - Parameters:
    ///   - descriptor: open for reading; reading begins at its first byte.
    ///   - name: what errors call it.
    /// - Throws: ``AudioFileError`` when libsndfile does not know the file, or it is cut in its header.
    public init(descriptor: FileDescriptor, name: String) throws {
        self.name = name
        access = FileAccess(descriptor)
        var information = SF_INFO()
        guard let handle = access.open(mode: Int32(SFM_READ), information: &information) else {
            throw AudioFileError(attempt: "read \(name)", reason: String(cString: sf_strerror(nil)))
        }
        guard information.samplerate > 0, information.channels > 0 else {
            sf_close(handle)
            throw AudioFileError(attempt: "read \(name)", reason: "it has no rate or no channels")
        }
        self.handle = handle
        let encoding = information.format & Int32(SF_FORMAT_SUBMASK)
        stream = StreamFormat(
            rate: Int(information.samplerate), channels: Int(information.channels),
            bits: encoding == Int32(SF_FORMAT_PCM_16) ? 16 : 24)
        // A length that was never written reads as 2⁶³ − 1.
        frames = information.frames >= 0 && information.frames < sf_count_t.max / 2 ? information.frames : nil
    }

    deinit {
        sf_close(handle)
    }

    /// Reads the next frames (`sf_readf_int`).
    ///
    /// - Parameter samples: room for whole frames, interleaved, 32 bits a sample.
    /// - Returns: how many frames came; 0 at the end.
    /// - Throws: ``AudioFileError`` where the file is damaged and nothing more can be had.
    public func read(into samples: UnsafeMutableBufferPointer<Int32>) throws -> Int {
        let count = sf_readf_int(handle, samples.baseAddress, sf_count_t(samples.count / stream.channels))
        if count <= 0, sf_error(handle) != SF_ERR_NO_ERROR {
            throw AudioFileError(attempt: "read \(name)", reason: String(cString: sf_strerror(handle)))
        }
        return max(0, Int(count))
    }
}
