import CFLAC
import Glibc
import Linux

/// Finds where the sound of a cut FLAC file really ends.
///
/// libFLAC reads the stream's own description at the start, then is set down near the end of the file,
/// where it finds its way by the frames' check sums. The number in the last whole frame tells the length,
/// so an hour is found as fast as a second.
final class FLACTail {
    /// The longest frame that can be (8 channels of 24 bits, 65,535 samples) is 1.6 MB; ours are far
    /// shorter. Two of them always fit.
    private static let tailBytes: Int64 = 4 << 20

    /// The first byte behind the last whole frame; 0 when the file has none.
    private(set) var endOffset: Int64 = 0
    /// The frames up to there, of all channels together.
    private(set) var frames: Int64 = 0

    private let descriptor: FileDescriptor
    private let length: Int64
    private var position: Int64 = 0
    private var lastFrame: FLAC__FrameHeader?
    private var sawError = false

    /// - Parameter descriptor: open for reading; its position does not matter and is not moved.
    init(_ descriptor: FileDescriptor) throws(SystemError) {
        self.descriptor = descriptor
        length = try descriptor.status().bytes
        search()
    }

    private func search() {
        guard let decoder = FLAC__stream_decoder_new() else { return }
        defer { FLAC__stream_decoder_delete(decoder) }
        let status = FLAC__stream_decoder_init_stream(
            decoder,
            { FLACTail.of($3).read(into: $1!, count: $2!) },
            { _, _, _ in FLAC__STREAM_DECODER_SEEK_STATUS_UNSUPPORTED },
            { _, offset, client in
                offset!.pointee = FLAC__uint64(FLACTail.of(client).position)
                return FLAC__STREAM_DECODER_TELL_STATUS_OK
            },
            { _, length, client in
                length!.pointee = FLAC__uint64(FLACTail.of(client).length)
                return FLAC__STREAM_DECODER_LENGTH_STATUS_OK
            },
            { FLACTail.of($1).isAtEnd },
            { _, frame, _, client in
                FLACTail.of(client).lastFrame = frame!.pointee.header
                return FLAC__STREAM_DECODER_WRITE_STATUS_CONTINUE
            },
            nil,
            { FLACTail.of($2).sawError = true },
            Unmanaged.passUnretained(self).toOpaque())
        guard status == FLAC__STREAM_DECODER_INIT_STATUS_OK,
            FLAC__stream_decoder_process_until_end_of_metadata(decoder) != 0
        else { return }
        if length - Self.tailBytes > position {
            FLAC__stream_decoder_flush(decoder)
            position = length - Self.tailBytes
        }
        while FLAC__stream_decoder_get_state(decoder) != FLAC__STREAM_DECODER_END_OF_STREAM {
            lastFrame = nil
            sawError = false
            guard FLAC__stream_decoder_process_single(decoder) != 0 else { return }
            var end: FLAC__uint64 = 0
            // A frame whose check sum is wrong is reported and handed over all the same, as silence.
            guard let frame = lastFrame, !sawError,
                FLAC__stream_decoder_get_decode_position(decoder, &end) != 0
            else { continue }
            endOffset = Int64(end)
            frames = Int64(frame.number.sample_number) + Int64(frame.blocksize)
        }
    }

    private var isAtEnd: FLAC__bool { position >= length ? 1 : 0 }

    private func read(
        into memory: UnsafeMutablePointer<FLAC__byte>, count: UnsafeMutablePointer<Int>
    ) -> FLAC__StreamDecoderReadStatus {
        let got = try? retryingInterrupts { pread(descriptor.number, memory, count.pointee, off_t(position)) }
        count.pointee = got ?? 0
        position += Int64(count.pointee)
        guard got != nil else { return FLAC__STREAM_DECODER_READ_STATUS_ABORT }
        return count.pointee > 0
            ? FLAC__STREAM_DECODER_READ_STATUS_CONTINUE : FLAC__STREAM_DECODER_READ_STATUS_END_OF_STREAM
    }

    private static func of(_ client: UnsafeMutableRawPointer?) -> FLACTail {
        Unmanaged<FLACTail>.fromOpaque(client!).takeUnretainedValue()
    }
}
