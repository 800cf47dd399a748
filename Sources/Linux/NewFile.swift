import CLinux
import Glibc

/// A file that has its name only once it is whole. Until then it has none, and is gone with the process that
/// writes it; on file systems that cannot do that, it is beside, under a hidden name.
public struct NewFile {
    /// The file, empty at first, open for reading and writing. Only its owner may read it.
    public let file: FileDescriptor
    private let folder: FileDescriptor
    private let name: FilePath
    private let hiddenName: FilePath
    private let isNameless: Bool
    private let replaces: Bool

    /// `O_TMPFILE`, a macro that Swift does not see.
    private static let nameless = O_DIRECTORY | 0o20_000_000

    /// Begins a file (`O_TMPFILE`).
    ///
    /// - Parameters:
    ///   - path: where it is to be.
    ///   - replaces: whether a regular file that is there already may go.
    /// - Throws: ``SystemError``: `EEXIST` where something is there that may not go, `EISDIR` for a folder,
    ///   `EINVAL` for what is no regular file, such as a device or a link.
    public init(at path: FilePath, replacing replaces: Bool) throws(SystemError) {
        (name, self.replaces) = (path.name, replaces)
        folder = try FileDescriptor(opening: path.folder, flags: O_RDONLY | O_DIRECTORY)
        var status = stat()
        if fstatat(folder.number, name.bytes, &status, AT_SYMLINK_NOFOLLOW) == 0 {
            let kind = status.st_mode & S_IFMT
            if kind == S_IFDIR { throw SystemError(code: EISDIR) }
            if !replaces { throw SystemError(code: EEXIST) }
            if kind != S_IFREG { throw SystemError(code: EINVAL) }
        }
        hiddenName = FilePath(".tomorrow-\(UInt64.random(in: 0 ... .max)).part")
        if let file = try? FileDescriptor(opening: FilePath("."), in: folder, flags: O_RDWR | Self.nameless),
            access(Self.link(to: file), F_OK) == 0
        {
            (self.file, isNameless) = (file, true)
        } else {
            file = try FileDescriptor(
                opening: hiddenName, in: folder, flags: O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW)
            isNameless = false
        }
    }

    /// Has the file on disk and gives it its name (`linkat`, `renameat2`), in one step.
    ///
    /// - Throws: ``SystemError``, `EEXIST` where somebody has put something there meanwhile; what was there
    ///   stays then, and of the file nothing is left.
    public func finish() throws(SystemError) {
        do throws(SystemError) {
            try file.sync()
            // A link replaces nothing.
            if isNameless { try link(as: replaces ? hiddenName : name) }
            if !isNameless || replaces { try rename() }
            try folder.sync()
        } catch {
            cancel()
            throw error
        }
    }

    /// Where a file that is open can be found (proc(5)).
    private static func link(to file: FileDescriptor) -> String { "/proc/self/fd/\(file.number)" }

    private func link(as name: FilePath) throws(SystemError) {
        try retryingInterrupts {
            linkat(AT_FDCWD, Self.link(to: file), folder.number, name.bytes, AT_SYMLINK_FOLLOW)
        }
    }

    private func rename() throws(SystemError) {
        if replaces {
            try retryingInterrupts { renameat(folder.number, hiddenName.bytes, folder.number, name.bytes) }
            return
        }
        do throws(SystemError) {
            try retryingInterrupts {
                tomorrow_rename_new(folder.number, hiddenName.bytes, folder.number, name.bytes)
            }
        } catch {
            // A file system that cannot promise it, such as NFS, can give a second name that must be new.
            guard error.code == EINVAL || error.code == ENOSYS else { throw error }
            try retryingInterrupts { linkat(folder.number, hiddenName.bytes, folder.number, name.bytes, 0) }
            unlinkat(folder.number, hiddenName.bytes, 0)
        }
    }

    /// Removes the file, so that nothing is left of it.
    public func cancel() {
        unlinkat(folder.number, hiddenName.bytes, 0)
    }
}
