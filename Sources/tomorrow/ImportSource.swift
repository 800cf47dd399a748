import AudioFile
import CommandTable
import Glibc
import Linux
import Memos

/// The file that is to be imported: opened, and put where it can be read more than once.
struct ImportSource {
    /// What messages call it.
    let name: String
    /// The file's own name without its ending; nil for standard input.
    let title: String?
    private let file: FileDescriptor

    /// A stream that is not one of sound by then is given up: it may never end, like `/dev/zero` in a pipe.
    private static let mostBytesOfNothing: Int64 = 16 << 20
    private static let blockBytes = 1 << 16

    /// Opens the file that the command line names, or standard input.
    ///
    /// - Throws: ``Failure``.
    init(_ invocation: Invocation) throws {
        let isInput = invocation.operands[0] == "-"
        let path = isInput ? FilePath("/dev/stdin") : FilePath(argument: invocation.operandPlaces[0])
        name = isInput ? "standard input" : path.text
        title = isInput ? nil : Self.withoutEnding(path.name.text)
        do throws(SystemError) {
            if isInput {
                if isatty(STDIN_FILENO) == 1 { throw SystemError(code: ENOTTY) }
                file = FileDescriptor(
                    owning: try retryingInterrupts { fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) })
            } else {
                // Not to wait for a pipe's other end, nor for a terminal.
                file = try FileDescriptor(opening: path, flags: O_RDONLY | O_NONBLOCK | O_NOCTTY)
            }
            let kind = try file.kind()
            guard [.regular, .stream].contains(kind) else {
                throw SystemError(code: kind == .folder ? EISDIR : ENODEV)
            }
        } catch {
            let reason =
                switch error.code {
                case ENOTTY: "it is the terminal"
                case ENODEV: "it is a device, and no file"
                default: error.reason
                }
            throw Failure(
                .failed, "cannot import \(name): \(reason)",
                advice: isInput && error.code == ENOTTY ? "Send it a file of sound through a pipe." : nil)
        }
    }

    private static func withoutEnding(_ path: String) -> String {
        let name = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        guard let point = path.lastIndex(of: "."), point > name else { return path }
        return String(path[..<point])
    }

    /// Which usual kind of file it is that cannot be read, or nil.
    var foreignFormat: String? { ForeignFormat.name(of: file) }

    /// How to make a file of it that can be read; nil for standard input.
    var conversion: String? {
        guard title != nil else { return nil }
        // What begins with a hyphen would be an option.
        let path = name.hasPrefix("-") ? "./" + name : name
        let words = [path, Self.withoutEnding(path) + ".wav"].map(Self.word).joined(separator: " ")
        return "This makes one that can be: ffmpeg -i \(words)"
    }

    /// A text as one word of a shell.
    private static func word(_ text: String) -> String {
        let isPlain = text.unicodeScalars.allSatisfy {
            $0.properties.isAlphabetic || "0123456789/._-+,".unicodeScalars.contains($0)
        }
        return isPlain ? text : "'" + text.replacing("'", with: "'\\''") + "'"
    }

    /// The file, or what came through the pipe, as a regular file.
    ///
    /// - Parameters:
    ///   - store: keeps what comes through a pipe.
    ///   - progress: is given how many bytes have come.
    /// - Throws: ``Failure``; whatever else when it was cancelled.
    func regularFile(
        in store: Store, _ cancellation: Cancellation, progress: (Int64) -> Void
    ) throws -> FileDescriptor {
        if try file.kind() == .regular { return file }
        let spool = try store.makeScratchFile()
        var bytes: Int64 = 0
        var isKnown = false
        try eachBlock(cancellation) { block in
            do throws(SystemError) {
                // A reader that looks at the file moves its position.
                try spool.write(block, at: bytes)
            } catch {
                throw Failure(.storage, "cannot keep what comes from \(name): \(error.reason)")
            }
            bytes += Int64(block.count)
            progress(bytes)
            if !isKnown, bytes >= Self.mostBytesOfNothing {
                _ = try AudioFileReader(descriptor: spool, name: name)
                isKnown = true
            }
        }
        return spool
    }

    /// Reads until the other end is closed.
    private func eachBlock(
        _ cancellation: Cancellation, _ body: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.blockBytes, alignment: 1)
        defer { block.deallocate() }
        while true {
            _ = waitForReading([file.number, cancellation.descriptor.number], milliseconds: -1)
            if cancellation.isRequested { throw SystemError(code: ECANCELED) }
            let count: Int
            do {
                count = try retryingInterrupts { read(file.number, block.baseAddress, block.count) }
            } catch {
                if error.code == EAGAIN { continue }
                throw Failure(.failed, "cannot read \(name): \(error.reason)")
            }
            if count == 0 { return }
            try body(UnsafeRawBufferPointer(rebasing: block[..<count]))
        }
    }
}
