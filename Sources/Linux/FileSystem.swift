import Glibc

/// The file system behind a path.
public enum FileSystem {
    /// The bytes that this user can still write there (`statvfs`).
    ///
    /// - Parameter path: a file or a folder that is there.
    /// - Throws: ``SystemError``.
    public static func freeBytes(at path: String) throws(SystemError) -> Int64 {
        var status = statvfs()
        try retryingInterrupts { statvfs(path, &status) }
        return Int64(clamping: status.f_bavail) * Int64(clamping: status.f_frsize)
    }
}
