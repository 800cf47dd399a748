import CFLAC
import Glibc
import Linux
import Sound

/// Decodes FLAC with libFLAC itself: libsndfile ends at the first damage and cannot be moved any more. Here each
/// frame says which one it is, and what is missing between two of them becomes silence.
final class FLACDecoder: SoundDecoder {
    let stream: StreamFormat
    let format = AudioFileFormat.named("flac")
    let title: String?
    let frames: Int64?
    let isCut: Bool
    private(set) var isDamaged = false

    private let access: FileAccess
    private let decoder: UnsafeMutablePointer<FLAC__StreamDecoder>
    /// The next frame that is given out.
    private var position: Int64 = 0
    /// The block that was decoded last, interleaved, and the number of its first frame.
    private var block: [Int32] = []
    private var blockPosition: Int64 = 0
    private var isSeeking = false

    private static let leads = 12

    /// - Parameters:
    ///   - stream: what libsndfile says of the file.
    ///   - claimed: how many frames the header says there are; nil when it does not say.
    ///   - title: what the file says that it is called.
    /// - Throws: ``AudioFileError`` when the file cannot be read.
    init(
        _ access: FileAccess, name: String, stream: StreamFormat, claimed: Int64?, title: String?
    ) throws(AudioFileError) {
        let actual: Int64
        do {
            actual = try FLACTail(access.descriptor).frames
        } catch {
            throw AudioFileError(attempt: "read \(name)", error)
        }
        guard let decoder = FLAC__stream_decoder_new() else {
            throw AudioFileError(attempt: "read \(name)", reason: "there is no memory for it")
        }
        self.access = access
        self.decoder = decoder
        self.stream = stream
        self.title = title
        frames = min(claimed ?? actual, actual)
        isCut = actual < claimed ?? 0
        _ = access.seek(0, SEEK_SET)
        let status = FLAC__stream_decoder_init_stream(
            decoder,
            { FLACDecoder.of($3).read(into: $1!, count: $2!) },
            { _, offset, client in
                FLACDecoder.of(client).access.seek(Int64(offset), SEEK_SET) >= 0
                    ? FLAC__STREAM_DECODER_SEEK_STATUS_OK : FLAC__STREAM_DECODER_SEEK_STATUS_ERROR
            },
            { _, offset, client in
                offset!.pointee = FLAC__uint64(FLACDecoder.of(client).access.seek(0, SEEK_CUR))
                return FLAC__STREAM_DECODER_TELL_STATUS_OK
            },
            { _, length, client in
                length!.pointee = FLAC__uint64(max(0, FLACDecoder.of(client).access.length()))
                return FLAC__STREAM_DECODER_LENGTH_STATUS_OK
            },
            { _, client in
                let access = FLACDecoder.of(client).access
                return access.seek(0, SEEK_CUR) >= access.length() ? 1 : 0
            },
            { FLACDecoder.of($3).keep($1!.pointee.header, $2!) },
            nil,
            { _, _, client in
                // A search through the file meets what only looks like a frame.
                let me = FLACDecoder.of(client)
                if !me.isSeeking { me.isDamaged = true }
            },
            Unmanaged.passUnretained(self).toOpaque())
        guard status == FLAC__STREAM_DECODER_INIT_STATUS_OK,
            FLAC__stream_decoder_process_until_end_of_metadata(decoder) != 0
        else {
            throw AudioFileError(attempt: "read \(name)", reason: "its header is damaged")
        }
    }

    deinit {
        FLAC__stream_decoder_delete(decoder)
    }

    /// Seeks to the frame (`FLAC__stream_decoder_seek_absolute`); where damage is in the way, to one before it,
    /// and decodes from there.
    func seek(to frame: Int64) -> Bool {
        isSeeking = true
        defer { isSeeking = false }
        block.removeAll(keepingCapacity: true)
        for lead in [0] + (0..<Self.leads).map({ Int64(4_096) << $0 }) where lead <= frame {
            if FLAC__stream_decoder_seek_absolute(decoder, FLAC__uint64(frame - lead)) != 0 {
                position = frame
                return true
            }
            block.removeAll(keepingCapacity: true)
            FLAC__stream_decoder_flush(decoder)
        }
        position = frame
        return FLAC__stream_decoder_reset(decoder) != 0
            && FLAC__stream_decoder_process_until_end_of_metadata(decoder) != 0
    }

    func read(into samples: UnsafeMutablePointer<Int32>, frames count: Int) -> Int {
        let channels = stream.channels
        while blockPosition + Int64(block.count / channels) <= position {
            block.removeAll(keepingCapacity: true)
            guard FLAC__stream_decoder_process_single(decoder) != 0,
                FLAC__stream_decoder_get_state(decoder) != FLAC__STREAM_DECODER_END_OF_STREAM
            else { return 0 }
        }
        if blockPosition > position {
            // Whatever was here is lost.
            isDamaged = true
            let silent = Int(min(Int64(count), blockPosition - position))
            samples.update(repeating: 0, count: silent * channels)
            position += Int64(silent)
            return silent
        }
        let first = Int(position - blockPosition)
        let given = min(count, block.count / channels - first)
        block.withUnsafeBufferPointer {
            samples.update(from: $0.baseAddress! + first * channels, count: given * channels)
        }
        position += Int64(given)
        return given
    }

    private func keep(
        _ header: FLAC__FrameHeader, _ planes: UnsafePointer<UnsafePointer<FLAC__int32>?>
    ) -> FLAC__StreamDecoderWriteStatus {
        let channels = stream.channels
        let number = Int64(truncatingIfNeeded: header.number.sample_number)
        // Another layout in the middle, or a number beyond the end: the frame is not what it says.
        guard Int(header.channels) == channels, number >= 0, number < frames ?? .max,
            header.bits_per_sample > 0, header.bits_per_sample <= 32
        else {
            isDamaged = true
            return FLAC__STREAM_DECODER_WRITE_STATUS_CONTINUE
        }
        let count = Int(header.blocksize)
        blockPosition = number
        block.removeAll(keepingCapacity: true)
        block.append(contentsOf: repeatElement(0, count: count * channels))
        let shift = Int32(32 - header.bits_per_sample)
        block.withUnsafeMutableBufferPointer { block in
            for channel in 0..<channels {
                guard let plane = planes[channel], let target = block.baseAddress else { continue }
                // A distance that the compiler knows is one that it can do several at a time.
                switch channels {
                case 1: Self.spread(plane, count, shift, to: target, step: 1)
                case 2: Self.spread(plane, count, shift, to: target + channel, step: 2)
                default: Self.spread(plane, count, shift, to: target + channel, step: channels)
                }
            }
            if header.bits_per_sample > stream.bits { SampleDepth.round(block, bits: stream.bits) }
        }
        return FLAC__STREAM_DECODER_WRITE_STATUS_CONTINUE
    }

    /// Puts a channel's samples, with the sound on top, among those of the others.
    @inline(__always)
    private static func spread(
        _ plane: UnsafePointer<FLAC__int32>, _ count: Int, _ shift: Int32,
        to target: UnsafeMutablePointer<Int32>, step: Int
    ) {
        var frame = 0
        while frame < count {
            target[frame &* step] = plane[frame] &<< shift
            frame &+= 1
        }
    }

    private func read(
        into memory: UnsafeMutablePointer<FLAC__byte>, count: UnsafeMutablePointer<Int>
    ) -> FLAC__StreamDecoderReadStatus {
        count.pointee = access.read(memory, count.pointee)
        if access.readFailure != nil { return FLAC__STREAM_DECODER_READ_STATUS_ABORT }
        return count.pointee > 0
            ? FLAC__STREAM_DECODER_READ_STATUS_CONTINUE : FLAC__STREAM_DECODER_READ_STATUS_END_OF_STREAM
    }

    private static func of(_ client: UnsafeMutableRawPointer?) -> FLACDecoder {
        Unmanaged<FLACDecoder>.fromOpaque(client!).takeUnretainedValue()
    }
}
