import CSndFile
import Glibc
public import Linux

/// Makes a file whole that its writer did not finish, in place and without needing disk space.
public enum Mending {
    /// What the file holds afterwards.
    public struct Result: Equatable, Sendable {
        /// The frames that can be heard; 0 when the file certainly holds none.
        public let frames: Int64
        /// Whether its writer was interrupted: it had to be changed, or its end is missing.
        public let wasCut: Bool
    }

    /// A header has a few hundred bytes. What is longer and yet cannot be heard is not called empty: it may
    /// be damaged, and another's to rescue.
    private static let mostBytesOfNothing: Int64 = 4_096

    /// Cuts a file after its last whole frame or page, and writes its true length into its header. Doing it
    /// again changes nothing, and a kill at any point leaves a file for which it can be done again. A file that is
    /// whole is not changed, nor one of MP3 or ALAC, which no take is written in.
    ///
    /// - Parameters:
    ///   - descriptor: open for reading and writing.
    ///   - name: what errors call it.
    /// - Throws: ``AudioFileError`` when the file cannot be read or changed, or when nothing in it can be
    ///   heard and yet it is not empty; it is not changed then.
    public static func mend(
        _ descriptor: FileDescriptor, name: String, format: AudioFileFormat
    ) throws -> Result {
        do throws(SystemError) {
            let wasCut: Bool
            switch format.container {
            case Int32(SF_FORMAT_FLAC): wasCut = try FLACTail(descriptor).apply(to: descriptor)
            case Int32(SF_FORMAT_OGG): wasCut = try OggTail(descriptor).apply(to: descriptor)
            case Int32(SF_FORMAT_RF64): wasCut = try mendWAV(descriptor)
            // What is written in one piece is whole, or cut: there is nothing to write anew.
            default: wasCut = try SoundChunk.endOffset(descriptor) ?? 0 > descriptor.status().bytes
            }
            let frames = try frames(descriptor, name)
            if frames > 0 { return Result(frames: frames, wasCut: wasCut) }
            if try descriptor.status().bytes <= mostBytesOfNothing { return Result(frames: 0, wasCut: true) }
        } catch {
            throw AudioFileError(attempt: "mend \(name)", error)
        }
        throw AudioFileError(attempt: "mend \(name)", reason: "nothing in it can be heard")
    }

    /// How many frames a player will find; 0 where libsndfile finds no sense in the file.
    private static func frames(_ descriptor: FileDescriptor, _ name: String) throws(SystemError) -> Int64 {
        do throws(AudioFileError) {
            return try AudioFileReader(descriptor: descriptor, name: name).frames ?? 0
        } catch {
            if let code = error.code { throw SystemError(code: code) }
            return 0
        }
    }

    /// The end of the file as a WAV file's header has it.
    private static func riffEndOffset(_ descriptor: FileDescriptor) throws(SystemError) -> Int64 {
        var header = [UInt8](repeating: 0, count: 8)
        try retryingInterrupts { pread(descriptor.number, &header, header.count, 0) }
        guard header.starts(with: "RIFF".utf8) else { return 0 }
        return 8 + header[4...].reversed().reduce(0) { $0 << 8 | Int64($1) }
    }

    /// Has libsndfile write the header anew for the sound that is there, and cuts behind its last frame.
    private static func mendWAV(_ descriptor: FileDescriptor) throws(SystemError) -> Bool {
        guard let claimed = try SoundChunk.endOffset(descriptor) else { return false }
        let bytes = try descriptor.status().bytes
        // Others put more chunks behind the sound, and count them.
        if claimed == bytes { return false }
        if claimed < bytes, try riffEndOffset(descriptor) == bytes { return false }
        let access = FileAccess(descriptor)
        var information = SF_INFO()
        guard let handle = access.open(mode: Int32(SFM_RDWR), information: &information) else { return false }
        sf_command(handle, Int32(SFC_UPDATE_HEADER_NOW), nil, 0)
        sf_close(handle)
        if let failure = access.failure ?? access.readFailure { throw failure }
        if let end = try SoundChunk.endOffset(descriptor), try descriptor.status().bytes > end {
            try retryingInterrupts { ftruncate(descriptor.number, off_t(end)) }
        }
        try descriptor.sync()
        return true
    }
}
