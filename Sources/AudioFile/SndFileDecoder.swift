import CSndFile
import Glibc
import Linux
import Sound

/// Decodes with libsndfile.
final class SndFileDecoder: SoundDecoder {
    let stream: StreamFormat
    let format: AudioFileFormat?
    let title: String?
    private(set) lazy var frames = claimed ?? count()
    let isCut: Bool
    /// libsndfile passes over damage and does not tell.
    let isDamaged = false
    /// `SF_FORMAT_FLAC` and so on.
    let container: Int32
    /// The frames that the header says there are, or nil.
    let claimed: Int64?

    private let access: FileAccess
    private let handle: OpaquePointer
    private let readsFloats: Bool
    private let isDeep: Bool
    /// How many frames before the wanted one decoding begins after a seek.
    private let lead: Int64
    /// No seek may go beyond. In the last page of Vorbis libsndfile is wrong by what is cut off its end.
    private let lastTarget: Int64
    private var decoded: [Float] = []

    private static let mostSeeks = 5
    private static let mostChannels = 256
    private static let mostRate = 1_000_000
    /// The longest block of Vorbis: a block is whole only together with the one before it (Vorbis I, 4.3.8).
    private static let vorbisLead: Int64 = 8_192
    /// Opus comes to itself within 80 ms, says RFC 7845 (4.6); sample for sample it takes 200 ms (measured).
    private static let opusLeadsInSecond: Int64 = 4

    /// Opens a file (`sf_open_virtual`).
    ///
    /// - Throws: ``AudioFileError`` when libsndfile does not know the file, or it is cut in its header.
    init(_ access: FileAccess, name: String) throws(AudioFileError) {
        var isCut = false
        var isOpenEnded = false
        var lastPage: Int64 = 0
        let status: (bytes: Int64, isRegular: Bool, linkCount: Int)
        do throws(SystemError) {
            status = try access.descriptor.status()
            if let chunk = try SoundChunk.find(in: access.descriptor) {
                isOpenEnded = chunk.endOffset == .max
                isCut = !isOpenEnded && chunk.endOffset > status.bytes
                if isCut, let offset = chunk.longSizeOffset {
                    access.patch = (offset, UInt64(max(0, status.bytes - offset - 8)))
                }
            } else if let tail = try Self.oggTail(access.descriptor) {
                // libsndfile finds no length where the last page is not whole.
                access.limit = tail.page.endOffset
                isCut = !tail.page.isLast || !tail.isOfFirstStream
                lastPage = tail.page.beginning
            }
        } catch {
            throw AudioFileError(attempt: "read \(name)", error)
        }
        self.access = access
        self.isCut = isCut

        var information = SF_INFO()
        guard let handle = access.open(mode: Int32(SFM_READ), information: &information) else {
            if let failure = access.readFailure { throw AudioFileError(attempt: "read \(name)", failure) }
            let reason =
                !status.isRegular
                ? "it is no regular file" : status.bytes == 0 ? "it is empty" : Self.reason(sf_error(nil))
            throw AudioFileError(attempt: "read \(name)", reason: reason)
        }
        let rate = Int(information.samplerate)
        let channels = Int(information.channels)
        guard (1...Self.mostRate).contains(rate), (1...Self.mostChannels).contains(channels) else {
            sf_close(handle)
            throw AudioFileError(
                attempt: "read \(name)", reason: "it is said to have \(channels) channels of \(rate) Hz")
        }
        self.handle = handle
        container = information.format & Int32(SF_FORMAT_TYPEMASK)
        title = SoundTags.title(sf_get_string(handle, Int32(SF_STR_TITLE)))
        // A header without a length is not one of a finished file.
        format = isOpenEnded ? nil : AudioFileFormat.of(information.format)
        let encoding = Int(information.format) & Int(SF_FORMAT_SUBMASK)
        readsFloats =
            AudioFileFormat.isLossy(information.format)
            || [Int(SF_FORMAT_FLOAT), Int(SF_FORMAT_DOUBLE)].contains(encoding)
        isDeep = [SF_FORMAT_PCM_32, SF_FORMAT_ALAC_32].map { Int($0) }.contains(encoding)
        stream = StreamFormat(
            rate: rate, channels: channels, bits: Self.deepEncodings.contains(encoding) ? 24 : 16)
        switch encoding {
        case Int(SF_FORMAT_VORBIS): lead = Self.vorbisLead
        case Int(SF_FORMAT_OPUS): lead = Int64(rate) / Self.opusLeadsInSecond
        default: lead = 0
        }
        lastTarget = encoding == Int(SF_FORMAT_VORBIS) ? max(0, lastPage - Self.vorbisLead) : .max
        // A length that was never written reads as 2⁶³ − 1.
        claimed = information.frames >= 0 && information.frames < .max / 2 ? information.frames : nil
    }

    deinit {
        sf_close(handle)
    }

    /// What has more than 16 bits.
    private static let deepEncodings = [
        SF_FORMAT_PCM_24, SF_FORMAT_PCM_32, SF_FORMAT_FLOAT, SF_FORMAT_DOUBLE, SF_FORMAT_ALAC_20,
        SF_FORMAT_ALAC_24, SF_FORMAT_ALAC_32, SF_FORMAT_DWVW_24,
    ].map { Int($0) }

    func seek(to frame: Int64) -> Bool {
        var wanted = min(frame, max(lead, lastTarget < frame ? frame - lastTarget : 0))
        for _ in 0..<Self.mostSeeks {
            // Forward into a page of Vorbis that was not yet met, libsndfile lands elsewhere; from the end it is right.
            if lastTarget != .max, let frames { sf_seek(handle, sf_count_t(max(0, frames - 1)), SEEK_SET) }
            let landed = Int64(sf_seek(handle, sf_count_t(frame - wanted), SEEK_SET))
            if landed == frame - wanted { return skip(wanted) }
            // Where Ogg files were joined, libsndfile does not find every place.
            if lead == 0 || wanted == frame { return false }
            wanted = min(frame, wanted * 4)
        }
        return false
    }

    private func skip(_ frames: Int64) -> Bool {
        var left = frames
        while left > 0 {
            let count = decode(min(left, 4_096))
            if count <= 0 { return false }
            left -= Int64(count)
        }
        return true
    }

    func read(into samples: UnsafeMutablePointer<Int32>, frames count: Int) -> Int {
        if !readsFloats {
            let count = max(0, Int(sf_readf_int(handle, samples, sf_count_t(count))))
            if isDeep { SampleDepth.round(.init(start: samples, count: count * stream.channels), bits: 24) }
            return count
        }
        // As integers, what a lossy decoder has above full scale would wrap, and floats would not be scaled.
        let count = decode(Int64(count))
        SampleDepth.convert(decoded, count * stream.channels, to: samples, bits: stream.bits)
        return count
    }

    private func decode(_ count: Int64) -> Int {
        let wanted = Int(count) * stream.channels
        if decoded.count < wanted { decoded = [Float](repeating: 0, count: wanted) }
        return max(0, Int(sf_readf_float(handle, &decoded, sf_count_t(count))))
    }

    /// Counts by decoding all of the file.
    private func count() -> Int64? {
        var count: Int64 = 0
        while true {
            let more = decode(4_096)
            if more == 0 { return sf_seek(handle, 0, SEEK_SET) == 0 ? count : nil }
            count += Int64(more)
        }
    }

    /// Where the number of a page's stream is in its header (RFC 3533, 6).
    private static let serialOffset = 14

    /// The end of an Ogg file, and whether it is that of the stream with which the file begins: of files that
    /// were joined libsndfile reads the first alone.
    private static func oggTail(
        _ descriptor: FileDescriptor
    ) throws(SystemError) -> (page: OggTail, isOfFirstStream: Bool)? {
        var header = [UInt8](repeating: 0, count: serialOffset + 4)
        try retryingInterrupts { pread(descriptor.number, &header, header.count, 0) }
        guard header.starts(with: "OggS".utf8) else { return nil }
        let serial = header[serialOffset...].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        let tail = try OggTail(descriptor)
        return tail.endOffset > 0 ? (tail, tail.serial == serial) : nil
    }

    static let unknown = "it is no file of sound that can be read"

    /// What a person understands of libsndfile's reasons.
    private static func reason(_ code: Int32) -> String {
        switch Int(code) {
        case Int(SF_ERR_UNRECOGNISED_FORMAT): unknown
        case Int(SF_ERR_UNSUPPORTED_ENCODING): "its sound is encoded in a way that cannot be read"
        default: "its header makes no sense"
        }
    }
}
