import CLinux
import Glibc

/// A file that has its name only once it is whole. Until then it is beside, under a hidden name.
public struct NewFile {
    /// The file, empty at first, open for reading and writing. Only its owner may read it.
    public let file: FileDescriptor
    private let folder: FileDescriptor
    private let name: FilePath
    private let hiddenName: FilePath
    private let replaces: Bool

    /// Begins a file.
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
        file = try FileDescriptor(
            opening: hiddenName, in: folder, flags: O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW)
    }

    /// Has the file on disk and gives it its name (`renameat2`), in one step.
    ///
    /// - Throws: ``SystemError``, `EEXIST` where somebody has put something there meanwhile; what was there
    ///   stays then, and of the file nothing is left.
    public func finish() throws(SystemError) {
        do throws(SystemError) {
            try file.sync()
            try rename()
            try folder.sync()
        } catch {
            cancel()
            throw error
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
