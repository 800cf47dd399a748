import CSndFile
import Glibc
public import Linux

/// Makes a file whole that its writer did not finish, in place and without needing disk space.
public enum Mending {
    /// What the file holds afterwards.
    public struct Result: Equatable, Sendable {
        /// The frames that can be heard; 0 when there is nothing to keep.
        public let frames: Int64
        /// Whether the file had to be changed: its writer was interrupted.
        public let wasCut: Bool
    }

    /// Cuts a file after its last whole frame or page, and writes its true length into its header. Doing it
    /// again changes nothing, and a kill at any point leaves a file for which it can be done again.
    ///
    /// - Parameters:
    ///   - descriptor: open for reading and writing.
    ///   - name: what errors call it.
    /// - Throws: ``AudioFileError`` when the file cannot be read or changed.
    public static func mend(
        _ descriptor: FileDescriptor, name: String, format: AudioFileFormat
    ) throws -> Result {
        let wasCut: Bool
        do throws(SystemError) {
            switch format.container {
            case Int32(SF_FORMAT_FLAC): return try mendFLAC(descriptor)
            case Int32(SF_FORMAT_OGG): wasCut = try OggTail(descriptor).apply(to: descriptor)
            default: wasCut = try mendWAV(descriptor)
            }
        } catch {
            throw AudioFileError(attempt: "mend \(name)", reason: error.reason)
        }
        guard let reader = try? AudioFileReader(descriptor: descriptor, name: name) else {
            return Result(frames: 0, wasCut: true)
        }
        return Result(frames: reader.frames ?? 0, wasCut: wasCut)
    }

    /// Has libsndfile write the header anew for the sound that is there, and cut behind its last frame.
    private static func mendWAV(_ descriptor: FileDescriptor) throws(SystemError) -> Bool {
        if try WAVHeader.endOffset(descriptor) == descriptor.status().bytes { return false }
        let access = FileAccess(descriptor)
        var information = SF_INFO()
        guard let handle = access.open(mode: Int32(SFM_RDWR), information: &information) else { return true }
        sf_command(handle, Int32(SFC_UPDATE_HEADER_NOW), nil, 0)
        sf_close(handle)
        if let failure = access.failure { throw failure }
        if let end = try WAVHeader.endOffset(descriptor), try descriptor.status().bytes > end {
            try retryingInterrupts { ftruncate(descriptor.number, off_t(end)) }
        }
        try descriptor.sync()
        return true
    }

    /// In a FLAC file the frame count is the low 36 bits of the eight bytes at 18, behind the rate, the
    /// channels and the depth (RFC 9639, 8.2).
    private static let countOffset: off_t = 18
    private static let countMask: UInt64 = (1 << 36) - 1

    private static func mendFLAC(_ descriptor: FileDescriptor) throws(SystemError) -> Result {
        let tail = try FLACTail(descriptor)
        guard tail.endOffset > 0 else { return Result(frames: 0, wasCut: true) }
        var field: UInt64 = 0
        try retryingInterrupts { pread(descriptor.number, &field, 8, countOffset) }
        let mended = UInt64(bigEndian: field) & ~countMask | UInt64(tail.frames) & countMask
        let length = try descriptor.status().bytes
        if mended == UInt64(bigEndian: field), length == tail.endOffset {
            return Result(frames: tail.frames, wasCut: false)
        }
        try retryingInterrupts { ftruncate(descriptor.number, off_t(tail.endOffset)) }
        var bytes = mended.bigEndian
        try retryingInterrupts { pwrite(descriptor.number, &bytes, 8, countOffset) }
        try descriptor.sync()
        return Result(frames: tail.frames, wasCut: true)
    }
}
