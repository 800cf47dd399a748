public import Foundation
import Linux

/// A private folder that goes with its owner.
public final class TemporaryFolder: Sendable {
    /// Where it is.
    public let path: String

    /// Makes it.
    public init() throws {
        let template =
            FileManager.default.temporaryDirectory.path + "/tomorrow-test-" + String(repeating: "X", count: 6)
        var bytes = Array(template.utf8CString)
        guard mkdtemp(&bytes) != nil else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        path = bytes.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    }

    deinit {
        for name in mounts { umount2(file(name), Int32(MNT_DETACH)) }
        try? FileManager.default.removeItem(atPath: path)
    }

    private nonisolated(unsafe) var mounts: [String] = []

    /// Puts a small disk (tmpfs) in place of a folder of it, until its end.
    ///
    /// - Parameter options: such as `size=2m`.
    public func mountDisk(on name: String, options: String) throws {
        try FileManager.default.createDirectory(atPath: file(name), withIntermediateDirectories: true)
        guard mount("tmpfs", file(name), "tmpfs", 0, options) == 0 else { throw SystemError.last }
        mounts.append(name)
    }

    /// Puts a disk with a file system that can be frozen (ext4, in a file of this folder) in place of a folder of
    /// it, until its end.
    public func mountImage(on name: String, megabytes: Int) throws {
        try FileManager.default.createDirectory(atPath: file(name), withIntermediateDirectories: true)
        let image = file(name + ".image")
        for command in [
            ["truncate", "--size=\(megabytes)M", image], ["mkfs.ext4", "-q", "-m", "0", image],
            ["mount", "-o", "loop", image, file(name)],
        ] {
            let ended = try Child(command, environment: Self.environment).finish()
            guard ended.status == 0 else { throw RigError(message: ended.notes) }
        }
        mounts.append(name)
    }

    private static let environment = ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"]

    /// Makes the disk of ``mountDisk(on:options:)`` read-only, or writable again.
    public func remount(_ name: String, readOnly: Bool) throws {
        let flags = UInt(MS_REMOUNT) | (readOnly ? UInt(MS_RDONLY) : 0)
        guard mount("tmpfs", file(name), "tmpfs", flags, nil) == 0 else { throw SystemError.last }
    }

    /// The path of something in it.
    public func file(_ name: String) -> String {
        path + "/" + name
    }

    /// Writes a file and gives its path.
    @discardableResult
    public func write(_ name: String, _ data: Data) throws -> String {
        try data.write(to: URL(fileURLWithPath: file(name)))
        return file(name)
    }

    /// Writes a file and gives its path.
    @discardableResult
    public func write(_ name: String, _ text: String) throws -> String {
        try write(name, Data(text.utf8))
    }

    /// Writes a script that can be run, and gives its path.
    ///
    /// Another process writes it: what a test starts meanwhile elsewhere could hold a file open that this one
    /// writes, and a file that is open for writing cannot be run.
    @discardableResult
    public func writeProgram(_ name: String, _ script: String) throws -> String {
        let source = try write(".script-" + UUID().uuidString, "#!/bin/sh\n" + script)
        let installed = try Child(
            ["install", "-D", "--mode=755", source, file(name)], environment: Self.environment
        ).finish()
        guard installed.status == 0 else { throw RigError(message: installed.notes) }
        try FileManager.default.removeItem(atPath: source)
        return file(name)
    }

    /// The names in a folder of it, sorted; none where there is no such folder.
    public func names(in name: String = "") -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: file(name))) ?? []).sorted()
    }

    /// All bytes of all files below it, with their paths.
    public func contents() -> [(path: String, data: Data)] {
        let below = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
        return below.compactMap { name in
            (try? Data(contentsOf: URL(fileURLWithPath: file(name)))).map { (name, $0) }
        }
    }
}
