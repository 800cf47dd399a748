import Glibc

/// The one owner of an open file descriptor. It is closed when the last reference goes.
public final class FileDescriptor: Sendable {
    /// The descriptor's number, valid as long as this object lives.
    public let number: Int32

    /// Takes over an open descriptor.
    public init(owning number: Int32) {
        self.number = number
    }

    /// Opens a file relative to a folder (`openat`), always with `O_CLOEXEC`.
    ///
    /// - Parameters:
    ///   - path: relative to `folder`, or absolute.
    ///   - folder: an open folder; nil is the current one.
    ///   - flags: `O_RDONLY`, `O_CREAT` and so on.
    ///   - mode: the permissions of a file that is created, less the process's umask.
    /// - Throws: ``SystemError``.
    public init(
        opening path: String, in folder: FileDescriptor? = nil, flags: Int32, mode: UInt32 = 0o600
    ) throws(SystemError) {
        let base = folder?.number ?? AT_FDCWD
        number = try retryingInterrupts { openat(base, path, flags | O_CLOEXEC, mode) }
        withExtendedLifetime(folder) {}
    }

    deinit {
        _ = Glibc.close(number)
    }

    /// Takes the whole file for this descriptor alone (`flock`), without waiting.
    ///
    /// - Returns: whether it was free. The lock lasts until the descriptor is closed, however that comes.
    /// - Throws: ``SystemError`` where the file system cannot lock.
    public func lock() throws(SystemError) -> Bool {
        do {
            try retryingInterrupts { flock(number, LOCK_EX | LOCK_NB) }
            return true
        } catch {
            if error.code == EWOULDBLOCK { return false }
            throw error
        }
    }

    /// Waits until the kernel has the file's contents and size on disk (`fsync`), or a folder's names.
    ///
    /// - Throws: ``SystemError``: what was written may then be lost, whatever `write` said.
    public func sync() throws(SystemError) {
        try retryingInterrupts { fsync(number) }
    }

    /// Like ``sync()``, without the times of the file (`fdatasync`).
    public func syncData() throws(SystemError) {
        try retryingInterrupts { fdatasync(number) }
    }

    /// The file's length in bytes, and whether it is a regular file (`fstat`).
    public func status() throws(SystemError) -> (bytes: Int64, isRegular: Bool) {
        var status = stat()
        try retryingInterrupts { fstat(number, &status) }
        return (Int64(status.st_size), status.st_mode & S_IFMT == S_IFREG)
    }
}
