import Glibc
import Linux

/// Space that is kept for the moment when the disk is full: a file that is given up so that the row of a
/// take can still be written.
struct Reserve {
    private let path: String
    /// The journal of a transaction and a few new pages, several times over.
    private static let bytes: off_t = 128 << 10

    init(path: String) {
        self.path = path
    }

    /// Makes sure of the space (`posix_fallocate`).
    ///
    /// - Throws: ``StoreError`` when the disk has no room for it, nor then for a take.
    func fill() throws(StoreError) {
        do throws(SystemError) {
            let file = try FileDescriptor(opening: path, flags: O_RDWR | O_CREAT | O_NOFOLLOW)
            if try file.status().bytes >= Self.bytes { return }
            // It gives its error, which may be that of a signal.
            var code: Int32
            repeat { code = posix_fallocate(file.number, 0, Self.bytes) } while code == EINTR
            if code != 0 { throw SystemError(code: code) }
        } catch {
            release()
            throw StoreError(attempt: "keep room in \(path)", reason: error.reason)
        }
    }

    /// Gives the space to whoever needs it now.
    func release() {
        unlink(path)
    }
}
