import Glibc
import Linux

/// The folder of the memos' files. Nothing in it is touched that is not a regular file with a name of our
/// form: no symbolic link is followed, no other name is looked at.
struct AudioFolder {
    private let folder: FileDescriptor
    private let path: String

    /// Opens the folder, and makes it first when it is not there and may be made.
    init(path: String, creating: Bool) throws(StoreError) {
        self.path = path
        do throws(SystemError) {
            if creating { mkdir(path, 0o700) }
            folder = try FileDescriptor(opening: path, flags: O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
        } catch {
            throw StoreError(attempt: "open \(path)", reason: error.reason)
        }
    }

    /// Creates a file that is not there yet, takes its lock, and has its name on disk.
    func create(_ name: String) throws(StoreError) -> FileDescriptor {
        do throws(SystemError) {
            let file = try FileDescriptor(
                opening: name, in: folder, flags: O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW)
            guard try file.lock() else { throw SystemError(code: EWOULDBLOCK) }
            try folder.sync()
            return file
        } catch {
            throw StoreError(attempt: "create \(path)/\(name)", reason: error.reason)
        }
    }

    /// Gives a file its name back where somebody has removed that while it was open: the sound is still in
    /// the open file.
    func restore(_ name: String, from file: FileDescriptor) throws(StoreError) {
        do throws(SystemError) {
            if try file.status().linkCount > 0 { return }
        } catch {
            throw StoreError(attempt: "look at \(path)/\(name)", reason: error.reason)
        }
        let copy = try create(name)
        do throws(SystemError) {
            try file.copy(to: copy)
            try copy.sync()
        } catch {
            throw StoreError(attempt: "restore \(path)/\(name)", reason: error.reason)
        }
    }

    /// Opens a file, or gives nil when there is none.
    func open(_ name: String, flags: Int32 = O_RDONLY) throws(StoreError) -> FileDescriptor? {
        do throws(SystemError) {
            let file = try FileDescriptor(
                opening: name, in: folder, flags: flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
            guard try file.status().isRegular else { throw SystemError(code: EINVAL) }
            return file
        } catch {
            if error.code == ENOENT { return nil }
            throw StoreError(
                attempt: "open \(path)/\(name)",
                reason: error.code == ELOOP || error.code == EINVAL
                    ? "it is not a regular file" : error.reason)
        }
    }

    /// Removes a file. One that is not there counts as removed.
    ///
    /// - Returns: how many bytes it had.
    @discardableResult
    func remove(_ name: String) throws(StoreError) -> Int64 {
        // A name from a row that somebody else has written could lead anywhere.
        guard AudioFileName(name) != nil else {
            throw StoreError(attempt: "remove \(path)/\(name)", reason: "it is not the name of a memo's file")
        }
        var status = stat()
        do throws(SystemError) {
            try retryingInterrupts { fstatat(folder.number, name, &status, AT_SYMLINK_NOFOLLOW) }
            try retryingInterrupts { unlinkat(folder.number, name, 0) }
        } catch {
            if error.code == ENOENT { return 0 }
            throw StoreError(attempt: "remove \(path)/\(name)", reason: error.reason)
        }
        return Int64(status.st_size)
    }

    /// Gives a file another name, in place of whatever has that, and has the names on disk (`renameat`).
    func rename(_ name: String, to new: String) throws(StoreError) {
        do throws(SystemError) {
            try retryingInterrupts { renameat(folder.number, name, folder.number, new) }
            try folder.sync()
        } catch {
            throw StoreError(attempt: "rename \(path)/\(name)", reason: error.reason)
        }
    }

    /// Has the names on disk as they are now (`fsync`).
    func sync() throws(StoreError) {
        do throws(SystemError) {
            try folder.sync()
        } catch {
            throw StoreError(attempt: "write \(path)", reason: error.reason)
        }
    }

    /// A file's size; 0 where there is none.
    func bytes(_ name: String) throws(StoreError) -> Int64 {
        guard let file = try open(name) else { return 0 }
        do throws(SystemError) {
            return try file.status().bytes
        } catch {
            throw StoreError(attempt: "read \(path)/\(name)", reason: error.reason)
        }
    }

    /// When the folder's names last changed, in nanoseconds since 1970; nil where nobody can say.
    var stamp: Int64? { try? folder.modificationNanoseconds() }

    /// Gives the folder a time of change that no change of its names would give it.
    ///
    /// - Returns: what ``stamp`` is then; nil where the file system has no such fine times, or will not have it.
    func restamp() -> Int64? {
        // Not 0, which a file system that knows no fractions would show.
        guard (try? folder.setModification(nanoseconds: .random(in: 1..<1_000_000_000))) != nil,
            let stamp, stamp % 1_000_000_000 != 0
        else { return nil }
        return stamp
    }

    /// The names of our form, of regular files.
    func names() throws(StoreError) -> [AudioFileName] {
        try files().compactMap { AudioFileName($0) }
    }

    /// The names of regular files, of whatever form.
    func files() throws(StoreError) -> [String] {
        do throws(SystemError) {
            return try folder.entries().compactMap { $0.isRegular ? $0.name : nil }
        } catch {
            throw StoreError(attempt: "read \(path)", reason: error.reason)
        }
    }
}
