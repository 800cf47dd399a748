import CLinux
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

    /// Opens a file whose path need not be text.
    public init(
        opening path: FilePath, in folder: FileDescriptor? = nil, flags: Int32, mode: UInt32 = 0o600
    ) throws(SystemError) {
        let base = folder?.number ?? AT_FDCWD
        number = try retryingInterrupts { openat(base, path.bytes, flags | O_CLOEXEC, mode) }
        withExtendedLifetime(folder) {}
    }

    deinit {
        _ = Glibc.close(number)
    }

    /// Takes the whole file for this descriptor alone (`flock`), without waiting.
    ///
    /// - Parameter shared: only keeps others from taking it alone.
    /// - Returns: whether it was free. The lock lasts until the descriptor is closed, however that comes.
    /// - Throws: ``SystemError`` where the file system cannot lock.
    public func lock(shared: Bool = false) throws(SystemError) -> Bool {
        do {
            try retryingInterrupts { flock(number, (shared ? LOCK_SH : LOCK_EX) | LOCK_NB) }
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

    /// Copies the whole contents to another file (`pread`, `pwrite`); positions do not matter.
    ///
    /// - Parameter goesOn: is given how many bytes are copied, some times a second, and says whether to go on.
    /// - Throws: ``SystemError``, `ECANCELED` where it was not to go on.
    public func copy(
        to target: FileDescriptor, goesOn: (Int64) -> Bool = { _ in true }
    ) throws(SystemError) {
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 1)
        defer { block.deallocate() }
        var offset: off_t = 0
        while true {
            let count = try retryingInterrupts { pread(number, block.baseAddress, block.count, offset) }
            if count == 0 { return }
            try target.write(UnsafeRawBufferPointer(rebasing: block[..<count]), at: Int64(offset))
            offset += count
            if !goesOn(Int64(offset)) { throw SystemError(code: ECANCELED) }
        }
    }

    /// Writes all bytes at a place in the file (`pwrite`); its position does not matter.
    public func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(SystemError) {
        var done = 0
        while done < bytes.count {
            done += try retryingInterrupts {
                pwrite(number, bytes.baseAddress! + done, bytes.count - done, off_t(offset) + done)
            }
        }
    }

    /// What can be behind a descriptor.
    public enum Kind: Sendable {
        /// A file that can be read from any place.
        case regular
        /// A folder.
        case folder
        /// A pipe or a socket: what comes once.
        case stream
        /// Whatever else the kernel has.
        case device
    }

    /// What is behind it (`fstat`).
    public func kind() throws(SystemError) -> Kind {
        var status = stat()
        try retryingInterrupts { fstat(number, &status) }
        return switch status.st_mode & S_IFMT {
        case S_IFREG: .regular
        case S_IFDIR: .folder
        case S_IFIFO, S_IFSOCK: .stream
        default: .device
        }
    }

    /// Where the file is, without links on the way (/proc); nil where nobody can say.
    public var path: String? {
        var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = bytes.withUnsafeMutableBytes {
            readlink("/proc/self/fd/\(number)", $0.baseAddress!.assumingMemoryBound(to: CChar.self), $0.count)
        }
        return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
    }

    /// Cuts the file after so many bytes (`ftruncate`).
    public func truncate(to bytes: Int64) throws(SystemError) {
        try retryingInterrupts { ftruncate(number, off_t(bytes)) }
    }

    /// Whether another descriptor is of the same file (`fstat`).
    public func isSameFile(as other: FileDescriptor) throws(SystemError) -> Bool {
        var (mine, its) = (stat(), stat())
        try retryingInterrupts { fstat(number, &mine) }
        try retryingInterrupts { fstat(other.number, &its) }
        return mine.st_dev == its.st_dev && mine.st_ino == its.st_ino
    }

    /// Takes room on the disk for a file's first bytes, without making it longer (`fallocate`). On a file system
    /// that cannot do that, only looks whether there is room now.
    ///
    /// - Throws: ``SystemError``, `ENOSPC` where there is none.
    public func reserve(bytes: Int64) throws(SystemError) {
        guard bytes > 0 else { return }
        do {
            try retryingInterrupts { tomorrow_fallocate(number, off_t(bytes)) }
        } catch {
            guard error.code == EOPNOTSUPP || error.code == ENOSYS else { throw error }
            var disk = statvfs()
            try retryingInterrupts { fstatvfs(number, &disk) }
            if Int64(disk.f_bavail) * Int64(disk.f_frsize) < bytes { throw SystemError(code: ENOSPC) }
        }
    }

    /// Whether a process has the same file open, as far as /proc shows.
    public func isOpen(in process: Int32) -> Bool {
        var mine = stat()
        guard fstat(number, &mine) == 0,
            let folder = try? FileDescriptor(
                opening: "/proc/\(process)/fd", flags: O_RDONLY | O_DIRECTORY),
            let entries = try? folder.entries()
        else { return false }
        return entries.contains { entry in
            var other = stat()
            return fstatat(folder.number, entry.name, &other, 0) == 0 && other.st_dev == mine.st_dev
                && other.st_ino == mine.st_ino
        }
    }

    /// When the file was last written to, or a folder's names last changed, in nanoseconds since 1970 (`fstat`).
    public func modificationNanoseconds() throws(SystemError) -> Int64 {
        var status = stat()
        try retryingInterrupts { fstat(number, &status) }
        return Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
    }

    /// Says that the file or folder was last changed now, but for the fraction of the second (`futimens`).
    ///
    /// - Parameter nanoseconds: the fraction, below 1,000,000,000.
    public func setModification(nanoseconds: Int) throws(SystemError) {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        now.tv_nsec = nanoseconds
        // UTIME_OMIT, a macro that Swift does not see: the time of the last reading stays.
        let times = [timespec(tv_sec: 0, tv_nsec: (1 << 30) - 2), now]
        try retryingInterrupts { futimens(number, times) }
    }

    /// What is in a folder (`readdir`), in no order; the descriptor's own position is not moved.
    ///
    /// - Returns: the names, and whether each is a regular file: no link, folder or pipe.
    public func entries() throws(SystemError) -> [(name: String, isRegular: Bool)] {
        let copy = try retryingInterrupts { openat(number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard let stream = fdopendir(copy) else { throw .last }  // takes the descriptor over
        defer { closedir(stream) }
        var entries: [(name: String, isRegular: Bool)] = []
        errno = 0
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            let type = Int(entry.pointee.d_type)
            // Some file systems do not say; asking for each of many files would be slow.
            entries.append((name, type == DT_UNKNOWN ? isRegular(name) : type == DT_REG))
            errno = 0
        }
        if errno != 0 { throw .last }
        return entries
    }

    private func isRegular(_ name: String) -> Bool {
        var status = stat()
        return fstatat(number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// The file's length in bytes, whether it is a regular file, and how many names it has, 0 when it lives only
    /// as long as it is open (`fstat`).
    public func status() throws(SystemError) -> (bytes: Int64, isRegular: Bool, linkCount: Int) {
        var status = stat()
        try retryingInterrupts { fstat(number, &status) }
        return (Int64(status.st_size), status.st_mode & S_IFMT == S_IFREG, Int(status.st_nlink))
    }
}
