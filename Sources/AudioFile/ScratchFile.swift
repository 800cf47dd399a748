import Glibc
import Linux
import Sound
import Synchronization

/// The file in which libsndfile keeps what it encodes as ALAC until it is closed. It is made in `$TMPDIR`.
///
/// libsndfile 1.2.0 does not look after it: a kill leaves it behind, a full disk is a crash, and so is a list of
/// packets that takes more bytes than was thought; where the list has more packets than fit into a header of
/// libsndfile, the file that is made cannot be read. So its name is taken away as soon as it is open, room for
/// it is taken at once, and it is watched as it grows.
final class ScratchFile {
    private let descriptor: FileDescriptor
    private var bytes: Int64 = 0
    private var frames: Int64 = 0
    private var longPackets: Int64 = 0

    /// How libsndfile names it, and how the kernel does once the name has been taken away.
    private static let endings = ["-alac.tmp", "-alac.tmp (deleted)"].map { Array($0.utf8) }
    private static let framesInPacket: Int64 = 4_096
    /// From so many bytes on, a packet's length takes three bytes in the file's list of packets (CAF, “pakt”).
    private static let longPacketBytes: Int64 = 1 << 14
    /// For that list there are 100 bytes, of which the header takes 24, and two for each packet: it is written
    /// past its end when there are more long packets than this and the one that `sf_close` adds.
    private static let mostLongPackets: Int64 = 75

    /// A file of 25,100 packets is whole, one of 28,000 is not (measured).
    private static let mostPackets: Int64 = 25_000

    /// The file is found as the one of such a name that this process has open now and had not before: so only one
    /// may be opened at a time. Its name may be gone by then, as `expire` sweeps the folder.
    private static let opening = Mutex(())

    /// Has libsndfile open its file, and finds the scratch file that it has made.
    ///
    /// - Parameter open: says whether the file was opened.
    /// - Returns: the scratch file, or nil when the file was not opened.
    /// - Throws: ``AudioFileError`` when it cannot be found, as its path is too long for libsndfile perhaps.
    static func open(for name: String, _ open: () -> Bool) throws -> ScratchFile? {
        var isOpen = false
        var found: FileDescriptor?
        opening.withLock { _ in
            let others = candidates()
            isOpen = open()
            if isOpen { found = candidates().first { others[$0.key] != $0.value }.flatMap(take) }
        }
        guard isOpen else { return nil }
        guard let found else {
            throw AudioFileError(attempt: "begin \(name)", reason: "its temporary file cannot be found")
        }
        return ScratchFile(found)
    }

    private init(_ descriptor: FileDescriptor) {
        self.descriptor = descriptor
    }

    /// The files with such a name that this process has open: their paths, by their numbers.
    private static func candidates() -> [Int32: [UInt8]] {
        guard
            let folder = try? FileDescriptor(opening: "/proc/self/fd", flags: O_RDONLY | O_DIRECTORY),
            let entries = try? folder.entries()
        else { return [:] }
        var candidates: [Int32: [UInt8]] = [:]
        for entry in entries {
            var path = [UInt8](repeating: 0, count: Int(PATH_MAX))
            let count = path.withUnsafeMutableBytes {
                readlinkat(
                    folder.number, entry.name, $0.baseAddress!.assumingMemoryBound(to: CChar.self), $0.count)
            }
            guard count > 0, let number = Int32(entry.name) else { continue }
            path.removeSubrange(count...)
            if endings.contains(where: { path.suffix($0.count).elementsEqual($0) }) {
                candidates[number] = path
            }
        }
        return candidates
    }

    /// Takes its name away from the file.
    private static func take(_ number: Int32, path: [UInt8]) -> FileDescriptor? {
        guard let copy = try? retryingInterrupts({ fcntl(number, F_DUPFD_CLOEXEC, 0) }) else { return nil }
        _ = (path + [0]).withUnsafeBytes { unlink($0.baseAddress!.assumingMemoryBound(to: CChar.self)) }
        return FileDescriptor(owning: copy)
    }

    /// Takes room for as much as the encoder can make of so many frames: at worst it copies them, and puts a
    /// few bytes before each packet.
    ///
    /// - Throws: ``AudioFileError`` when there is none, or the frames are too many.
    func reserve(frames: Int64, of stream: StreamFormat, name: String) throws {
        let packets = frames / Self.framesInPacket + 1
        guard packets <= Self.mostPackets else {
            let minutes = Self.mostPackets * Self.framesInPacket / Int64(stream.rate) / 60
            throw AudioFileError(
                attempt: "begin \(name)", reason: "the encoder cannot take more than \(minutes) minutes")
        }
        let bytes = frames * Int64(stream.channels * stream.bits / 8) + packets * Int64(16 * stream.channels)
        do {
            try descriptor.reserve(bytes: bytes)
        } catch {
            throw AudioFileError(attempt: "keep room for \(name)", error)
        }
    }

    /// Looks at how the file has grown with the last frames.
    ///
    /// - Parameter frames: all that were written.
    /// - Throws: ``AudioFileError`` before the list of packets grows too long.
    func check(frames: Int64, name: String) throws {
        // What libsndfile has written is still in the C library's memory.
        fflush(nil)
        let length: Int64
        do {
            length = try descriptor.status().bytes
        } catch {
            throw AudioFileError(attempt: "write \(name)", error)
        }
        let packets = frames / Self.framesInPacket - self.frames / Self.framesInPacket
        if length - bytes >= Self.longPacketBytes { longPackets += packets }
        bytes = length
        self.frames = frames
        if longPackets > Self.mostLongPackets {
            throw AudioFileError(
                attempt: "write \(name)", reason: "the encoder cannot take sound that compresses so little")
        }
    }
}
