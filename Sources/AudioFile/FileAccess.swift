import CSndFile
import Glibc
import Linux

/// The reads and writes of libsndfile, made by us, so that we see every error it would swallow
/// (`sf_open_virtual`; a full disk is a success to several of its encoders).
///
/// `@unchecked Sendable`: one thread has the file at a time; the writer's owner hands it over whole.
final class FileAccess: @unchecked Sendable {
    let descriptor: FileDescriptor
    /// The first write that failed. After it nothing more is written: the encoder's state no longer
    /// fits the file.
    private(set) var failure: SystemError?
    /// The first read that failed: what libsndfile says then is not about the file's contents.
    private(set) var readFailure: SystemError?

    /// Where the file begins for libsndfile; what is before that it never sees.
    var origin: Int64 = 0
    /// Has readers take a longer file for one of so many bytes.
    var limit: Int64?
    /// Has readers find another number, of eight bytes and big-endian, at an offset in the file.
    var patch: (offset: Int64, number: UInt64)?

    init(_ descriptor: FileDescriptor) {
        self.descriptor = descriptor
    }

    /// Opens the file in libsndfile; the handle must be closed before this object goes.
    func open(mode: Int32, information: inout SF_INFO) -> OpaquePointer? {
        _ = seek(0, SEEK_SET)
        var functions = SF_VIRTUAL_IO(
            get_filelen: { FileAccess.of($0).length() },
            seek: { sf_count_t(FileAccess.of($2).seek($0, $1)) },
            read: { sf_count_t(FileAccess.of($2).read($0, Int($1))) },
            write: { FileAccess.of($2).write($0, $1) },
            tell: { sf_count_t(FileAccess.of($0).seek(0, SEEK_CUR)) })
        return sf_open_virtual(&functions, mode, &information, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Has every write from now on fail.
    func abandon() {
        failure = failure ?? SystemError(code: ECANCELED)
    }

    static func of(_ pointer: UnsafeMutableRawPointer?) -> FileAccess {
        Unmanaged<FileAccess>.fromOpaque(pointer!).takeUnretainedValue()
    }

    /// How many bytes there are to read, or −1.
    func length() -> Int64 {
        guard let bytes = try? descriptor.status().bytes else { return -1 }
        return min(bytes, limit ?? bytes) - origin
    }

    /// Sets the next byte (`lseek`).
    func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
        let position =
            switch whence {
            case SEEK_CUR: lseek(descriptor.number, off_t(offset), SEEK_CUR)
            case SEEK_END: lseek(descriptor.number, off_t(origin + length() + offset), SEEK_SET)
            default: lseek(descriptor.number, off_t(origin + offset), SEEK_SET)
            }
        return position < 0 ? -1 : Int64(position) - origin
    }

    /// Reads the next bytes; 0 at the end, and where ``readFailure`` says why.
    func read(_ memory: UnsafeMutableRawPointer?, _ count: Int) -> Int {
        let offset = Int64(lseek(descriptor.number, 0, SEEK_CUR))
        let wanted = limit.map { max(0, min(count, Int($0 - offset))) } ?? count
        let done: Int
        do {
            done = try retryingInterrupts { Glibc.read(descriptor.number, memory, wanted) }
        } catch {
            readFailure = readFailure ?? error
            return 0
        }
        if let patch, let memory {
            for index in 0..<8 where (offset..<offset + Int64(done)).contains(patch.offset + Int64(index)) {
                memory.storeBytes(
                    of: UInt8(truncatingIfNeeded: patch.number >> UInt64(56 - 8 * index)),
                    toByteOffset: Int(patch.offset - offset) + index, as: UInt8.self)
            }
        }
        return done
    }

    /// Writes bytes where it stands; fewer than that where ``failure`` says why.
    func write(_ memory: UnsafeRawPointer?, _ count: sf_count_t) -> sf_count_t {
        var done = 0
        while done < count, failure == nil {
            do {
                done += try retryingInterrupts {
                    Glibc.write(descriptor.number, memory! + done, Int(count) - done)
                }
            } catch {
                failure = error
            }
        }
        return sf_count_t(done)
    }
}
