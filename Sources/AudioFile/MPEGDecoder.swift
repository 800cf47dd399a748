import CMPG123
import Glibc
import Linux
import Sound

/// Decodes MP3, and the older layers, with libmpg123 itself: libsndfile guesses the length of a file whose header
/// does not tell it, and ends at the first damage.
final class MPEGDecoder: SoundDecoder {
    let stream: StreamFormat
    let format: AudioFileFormat?
    let title: String?
    let frames: Int64?
    let isCut: Bool
    private(set) var isDamaged = false

    private let access: FileAccess
    private let decoder: OpaquePointer
    /// What the encoder has added at the start, in frames.
    private let skipped: Int64
    private var left: Int64
    private var decoded: [Float] = []

    /// A decoder of layer 3 gives its sound so many frames late.
    private static let decoderDelay: Int64 = 529
    /// With a place in the file for each so many frames of MPEG, a seek need not look far.
    private static let indexEntries = 1 << 16
    /// After a seek so many frames of MPEG are decoded first: as far back reach the bits of one at 8 kbit/s.
    private static let leadFrames = 32

    /// libmpg123 takes all of a tag into memory. A longer one than this, with its pictures, is passed over.
    private static let mostTagBytes: Int64 = 16 << 20

    /// Opens a file (`mpg123_open_handle`) and looks through all of it for its frames (`mpg123_scan`), of which
    /// headers say too little and often the wrong thing; two hours take a quarter of a second.
    ///
    /// - Parameter description: what the file's first frame says.
    /// - Throws: ``AudioFileError`` when libmpg123 finds nothing that it can decode.
    init(
        _ access: FileAccess, name: String, description: MPEGHeader.Description
    ) throws(AudioFileError) {
        let tagBytes = (try? MPEGHeader.tagBytes(access.descriptor)) ?? .max
        guard let decoder = mpg123_new(nil, nil) else {
            throw AudioFileError(attempt: "read \(name)", reason: "there is no memory for it")
        }
        var rate = 0
        var channels: Int32 = 0
        var encoding: Int32 = 0
        let isOpen =
            Self.prepare(decoder, skipsTag: tagBytes > Self.mostTagBytes)
            && mpg123_replace_reader_handle(
                decoder, { FileAccess.of($0).read($1, $2) }, { off_t(FileAccess.of($0).seek(Int64($1), $2)) },
                nil
            ) == Int32(MPG123_OK.rawValue)
            && access.seek(0, SEEK_SET) == 0
            && mpg123_open_handle(decoder, Unmanaged.passUnretained(access).toOpaque())
                == Int32(MPG123_OK.rawValue)
            && mpg123_getformat(decoder, &rate, &channels, &encoding) == Int32(MPG123_OK.rawValue)
            // From here on everything comes out in this layout, whatever a frame has.
            && mpg123_format_none(decoder) == Int32(MPG123_OK.rawValue)
            && mpg123_format(decoder, rate, channels, encoding) == Int32(MPG123_OK.rawValue)
        var tag: UnsafeMutablePointer<mpg123_id3v2>?
        mpg123_id3(decoder, nil, &tag)
        title = SoundTags.title(tag?.pointee.title?.pointee.p)
        mpg123_param2(
            decoder, Int32(MPG123_ADD_FLAGS.rawValue), Int(MPG123_SKIP_ID3V2.rawValue), 0)
        let scanned = isOpen ? mpg123_scan(decoder) : -1
        let length = Int64(mpg123_length(decoder))
        let mpegFrames = Int64(mpg123_framelength(decoder))
        guard isOpen, scanned == Int32(MPG123_OK.rawValue), rate > 0, channels > 0, length > 0 else {
            let reason = String(cString: mpg123_strerror(decoder))
            mpg123_delete(decoder)
            if let failure = access.readFailure { throw AudioFileError(attempt: "read \(name)", failure) }
            throw AudioFileError(attempt: "read \(name)", reason: reason)
        }
        self.access = access
        self.decoder = decoder
        stream = StreamFormat(rate: rate, channels: Int(channels), bits: 16)
        var information = mpg123_frameinfo2()
        mpg123_info2(decoder, &information)
        format = information.layer == 3 ? .named("mp3") : nil
        let isCut = mpegFrames < description.mpegFrames ?? 0
        self.isCut = isCut
        var start: Int64 = 0
        var end: Int64 = 0
        if let padding = description.padding {
            start = min(length, padding.start + Self.decoderDelay)
            // What is cut has lost its end already, and where frames were added it is somewhere inside.
            if mpegFrames == description.mpegFrames { end = max(0, padding.end - Self.decoderDelay) }
        }
        skipped = start
        frames = max(0, length - start - end)
        left = frames ?? 0
        _ = mpg123_seek(decoder, off_t(start), SEEK_SET)
    }

    deinit {
        mpg123_delete(decoder)
    }

    /// Sets what libmpg123 does otherwise: floats, no words on standard error, no end at the first junk, and both
    /// ends of the sound left to us, as it takes nothing away where the file was cut.
    private static func prepare(_ decoder: OpaquePointer, skipsTag: Bool) -> Bool {
        let flags =
            MPG123_QUIET.rawValue | MPG123_FORCE_FLOAT.rawValue | (skipsTag ? MPG123_SKIP_ID3V2.rawValue : 0)
        let settings: [(mpg123_parms, Int)] = [
            (MPG123_ADD_FLAGS, Int(flags)), (MPG123_REMOVE_FLAGS, Int(MPG123_GAPLESS.rawValue)),
            (MPG123_RESYNC_LIMIT, -1), (MPG123_INDEX_SIZE, indexEntries), (MPG123_PREFRAMES, leadFrames),
        ]
        return settings.allSatisfy {
            mpg123_param2(decoder, Int32($0.0.rawValue), $0.1, 0) == Int32(MPG123_OK.rawValue)
        }
    }

    func seek(to frame: Int64) -> Bool {
        guard mpg123_seek(decoder, off_t(skipped + frame), SEEK_SET) == off_t(skipped + frame) else {
            return false
        }
        left = (frames ?? 0) - frame
        return true
    }

    func read(into samples: UnsafeMutablePointer<Int32>, frames count: Int) -> Int {
        let wanted = Int(min(left, Int64(count))) * stream.channels
        if wanted <= 0 { return 0 }
        if decoded.count < wanted { decoded = [Float](repeating: 0, count: wanted) }
        var bytes = 0
        var status = MPG123_NEW_FORMAT
        // The layout is always ours: that it is another frame's own is no news.
        while status == MPG123_NEW_FORMAT, bytes == 0 {
            let code = mpg123_read(decoder, &decoded, wanted * MemoryLayout<Float>.size, &bytes)
            status = mpg123_errors(code)
        }
        if status != MPG123_OK, status != MPG123_DONE, status != MPG123_NEW_FORMAT { isDamaged = true }
        let given = bytes / MemoryLayout<Float>.size / stream.channels
        SampleDepth.convert(decoded, given * stream.channels, to: samples, bits: stream.bits)
        left -= Int64(given)
        return given
    }
}
