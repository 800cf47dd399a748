import Glibc
import Linux

/// A folder for what libraries keep in temporary files while they work. What a kill leaves there is nobody's.
struct Scratch {
    let path: String

    init(store: String) {
        path = store + "/scratch"
    }

    /// Makes the folder where it is missing.
    func make() throws(StoreError) {
        if mkdir(path, 0o700) != 0, errno != EEXIST {
            throw StoreError(attempt: "create \(path)", reason: SystemError.last.reason)
        }
    }

    /// A new file in it, open for reading and writing, whose name is taken away again.
    func file() throws(StoreError) -> FileDescriptor {
        let name = path + "/\(UInt64.random(in: 0 ... .max)).tmp"
        do throws(SystemError) {
            let file = try FileDescriptor(opening: name, flags: O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW)
            unlink(name)
            return file
        } catch {
            throw StoreError(attempt: "create \(name)", reason: error.reason)
        }
    }

    /// Removes the files in it. Whoever works with one has it open, and has taken its name away or is about to.
    func empty() {
        guard
            let folder = try? FileDescriptor(opening: path, flags: O_RDONLY | O_DIRECTORY | O_NOFOLLOW),
            let entries = try? folder.entries()
        else { return }
        for entry in entries where entry.isRegular { unlinkat(folder.number, entry.name, 0) }
    }
}
