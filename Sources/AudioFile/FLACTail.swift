import CFLAC
import Glibc
import Linux

/// Finds where the sound of a cut FLAC file really ends.
///
/// libFLAC reads the stream's own description at the start, then is set down near the end of the file,
/// where it finds its way by the frames' check sums. The number in the last whole frame tells the length,
/// so an hour is found as fast as a second.
final class FLACTail {
    /// A frame is usually of 10 KB. The longest that can be (8 channels of 24 bits, 65,535 samples) has 1.6 MB:
    /// where none is found whole, the search goes further back.
    private static let tailBytes: Int64 = 64 << 10

    /// The first byte behind the last whole frame; 0 when the file has none.
    private(set) var endOffset: Int64 = 0
    /// The frames up to there, of all channels together.
    private(set) var frames: Int64 = 0

    private let descriptor: FileDescriptor
    private let length: Int64
    private var position: Int64 = 0
    private var lastFrame: FLAC__FrameHeader?
    private var sawError = false
    private var readFailure: SystemError?

    /// - Parameter descriptor: open for reading; its position does not matter and is not moved.
    init(_ descriptor: FileDescriptor) throws(SystemError) {
        self.descriptor = descriptor
        length = try descriptor.status().bytes
        var tail = Self.tailBytes
        while endOffset == 0 {
            search(tail)
            if let readFailure { throw readFailure }
            if tail >= length { return }
            tail *= 8
        }
    }

    /// In a FLAC file the frame count is the low 36 bits of the eight bytes at 18, behind the rate, the
    /// channels and the depth (RFC 9639, 8.2).
    private static let countOffset: off_t = 18
    private static let countMask: UInt64 = (1 << 36) - 1

    /// Cuts the file there and writes its length into its header; a file without a whole frame stays as it is.
    ///
    /// - Returns: whether anything had to be changed.
    func apply(to descriptor: FileDescriptor) throws(SystemError) -> Bool {
        guard endOffset > 0 else { return false }
        var field: UInt64 = 0
        try retryingInterrupts { pread(descriptor.number, &field, 8, Self.countOffset) }
        let mended = UInt64(bigEndian: field) & ~Self.countMask | UInt64(frames) & Self.countMask
        if mended == UInt64(bigEndian: field), length == endOffset { return false }
        try retryingInterrupts { ftruncate(descriptor.number, off_t(endOffset)) }
        var bytes = mended.bigEndian
        try retryingInterrupts { pwrite(descriptor.number, &bytes, 8, Self.countOffset) }
        try descriptor.sync()
        return true
    }

    /// Looks through the last bytes of the file.
    private func search(_ tailBytes: Int64) {
        position = 0
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
        if length - tailBytes > position {
            FLAC__stream_decoder_flush(decoder)
            position = length - tailBytes
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
        do {
            let offset = off_t(position)
            count.pointee = try retryingInterrupts { pread(descriptor.number, memory, count.pointee, offset) }
        } catch {
            readFailure = error
            return FLAC__STREAM_DECODER_READ_STATUS_ABORT
        }
        position += Int64(count.pointee)
        return count.pointee > 0
            ? FLAC__STREAM_DECODER_READ_STATUS_CONTINUE : FLAC__STREAM_DECODER_READ_STATUS_END_OF_STREAM
    }

    private static func of(_ client: UnsafeMutableRawPointer?) -> FLACTail {
        Unmanaged<FLACTail>.fromOpaque(client!).takeUnretainedValue()
    }
}
