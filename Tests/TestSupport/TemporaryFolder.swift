public import Foundation

/// A private folder that goes with its owner.
public final class TemporaryFolder: Sendable {
    /// Where it is.
    public let path: String

    /// Makes it.
    public init() throws {
        let template = FileManager.default.temporaryDirectory.path + "/tomorrow-test-XXXXXX"
        var bytes = Array(template.utf8CString)
        guard mkdtemp(&bytes) != nil else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        path = bytes.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
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
