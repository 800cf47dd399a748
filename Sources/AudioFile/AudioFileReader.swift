import CSndFile
import Glibc
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
    private let isLossy: Bool
    private var decoded: [Float] = []
    private var left = Int64.max

    /// Opens a file (`sf_open_virtual`).
    ///
    /// - Parameters:
    ///   - descriptor: open for reading; reading begins at its first byte.
    ///   - name: what errors call it.
    /// - Throws: ``AudioFileError`` when libsndfile does not know the file, or it is cut in its header.
    public init(descriptor: FileDescriptor, name: String) throws(AudioFileError) {
        self.name = name
        access = FileAccess(descriptor)
        var information = SF_INFO()
        guard let handle = access.open(mode: Int32(SFM_READ), information: &information) else {
            throw Self.error(name, access, nil)
        }
        guard information.samplerate > 0, information.channels > 0 else {
            sf_close(handle)
            throw AudioFileError(attempt: "read \(name)", reason: "it has no rate or no channels")
        }
        self.handle = handle
        let encoding = information.format & Int32(SF_FORMAT_SUBMASK)
        isLossy = AudioFileFormat.isLossy(information.format)
        stream = StreamFormat(
            rate: Int(information.samplerate), channels: Int(information.channels),
            bits: isLossy || encoding == Int32(SF_FORMAT_PCM_16) || encoding == Int32(SF_FORMAT_ALAC_16)
                ? 16 : 24)
        // A length that was never written reads as 2⁶³ − 1.
        frames = information.frames >= 0 && information.frames < sf_count_t.max / 2 ? information.frames : nil
    }

    deinit {
        sf_close(handle)
    }

    /// Goes on with a part of the file alone (`sf_seek`).
    ///
    /// - Parameter range: the part, in frames.
    /// - Throws: ``AudioFileError`` where the file cannot be read from there.
    public func restrict(to range: Range<Int64>) throws(AudioFileError) {
        guard sf_seek(handle, sf_count_t(range.lowerBound), SEEK_SET) >= 0 else {
            throw Self.error(name, access, handle)
        }
        left = Int64(range.count)
    }

    /// Reads the next frames (`sf_readf_int`; of lossy files `sf_readf_float`, as integers would wrap where
    /// the decoder overshoots, and cut at full scale).
    ///
    /// - Parameter samples: room for whole frames, interleaved, 32 bits a sample.
    /// - Returns: how many frames came; 0 at the end.
    /// - Throws: ``AudioFileError`` where the file is damaged and nothing more can be had.
    public func read(into samples: UnsafeMutableBufferPointer<Int32>) throws(AudioFileError) -> Int {
        let wanted = sf_count_t(min(left, Int64(samples.count / stream.channels)))
        if wanted == 0 { return 0 }
        let count = isLossy ? readLossy(samples, wanted) : sf_readf_int(handle, samples.baseAddress, wanted)
        if count <= 0, sf_error(handle) != SF_ERR_NO_ERROR || access.readFailure != nil {
            throw Self.error(name, access, handle)
        }
        left -= Int64(max(0, count))
        return max(0, Int(count))
    }

    /// Reads what is left of the file, and gives its shape.
    ///
    /// - Throws: ``AudioFileError`` where the file is damaged.
    public func waveform() throws(AudioFileError) -> Waveform {
        var builder = WaveformBuilder(channels: stream.channels)
        let block = UnsafeMutableBufferPointer<Int32>.allocate(capacity: 4_096 * stream.channels)
        defer { block.deallocate() }
        while true {
            let count = try read(into: block)
            if count == 0 { return builder.finish() }
            builder.measure(.init(rebasing: block[..<(count * stream.channels)]))
        }
    }

    private static func error(_ name: String, _ access: FileAccess, _ handle: OpaquePointer?)
        -> AudioFileError
    {
        let attempt = "read \(name)"
        return access.readFailure.map { AudioFileError(attempt: attempt, $0) }
            ?? AudioFileError(attempt: attempt, reason: String(cString: sf_strerror(handle)))
    }

    private func readLossy(_ samples: UnsafeMutableBufferPointer<Int32>, _ wanted: sf_count_t) -> sf_count_t {
        if decoded.count < samples.count { decoded = [Float](repeating: 0, count: samples.count) }
        let count = sf_readf_float(handle, &decoded, wanted)
        for index in 0..<max(0, Int(count)) * stream.channels {
            // NaN becomes silence.
            let sample = Double(decoded[index]) * 2_147_483_648
            samples[index] = sample.isNaN ? 0 : Int32(max(-2_147_483_648, min(2_147_483_647, sample)))
        }
        return count
    }
}
