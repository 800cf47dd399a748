import CArguments
import Glibc

/// A path as the kernel has it: bytes, of which nobody asks that they are text.
public struct FilePath: Equatable, Sendable {
    /// The path's bytes, and the zero behind them.
    let bytes: [CChar]

    /// The path of a text.
    public init(_ text: String) {
        bytes = Array(text.utf8CString)
    }

    /// The path that the process was given.
    ///
    /// - Parameter index: which of ``ProcessArguments/all`` it is.
    public init(argument index: Int) {
        let argument = arguments_at(Int32(index + 1))!
        bytes = Array(UnsafeBufferPointer(start: argument, count: strlen(argument) + 1))
    }

    private init(_ bytes: ArraySlice<CChar>) {
        self.bytes = Array(bytes) + [0]
    }

    /// The path for a person to read; bytes that are not UTF-8 are replaced.
    public var text: String { bytes.withUnsafeBufferPointer { String(cString: $0.baseAddress!) } }

    /// What stands behind the last slash: the name within ``folder``; empty where nothing does.
    public var name: FilePath { FilePath(bytes[lastSlash..<(bytes.count - 1)]) }

    /// The folder in which the path's last name is.
    public var folder: FilePath { lastSlash == 0 ? FilePath(".") : FilePath(bytes[..<lastSlash]) }

    private var lastSlash: Int { (bytes.lastIndex(of: CChar(UInt8(ascii: "/"))) ?? -1) + 1 }
}
