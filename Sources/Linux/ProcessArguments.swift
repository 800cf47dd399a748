import CArguments
import Glibc

/// What the process was started with.
public enum ProcessArguments {
    /// The arguments behind the program's name; bytes that are not UTF-8 are replaced.
    public static var all: [String] {
        (1..<max(1, arguments_count())).map { String(cString: arguments_at($0)) }
    }

    /// The absolute path of the program's own file (/proc/self/exe), or nil when that is no longer there.
    public static var program: String? {
        var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = bytes.withUnsafeMutableBytes {
            readlink("/proc/self/exe", $0.baseAddress!.assumingMemoryBound(to: CChar.self), $0.count)
        }
        guard count > 0, count < bytes.count else { return nil }
        let path = String(decoding: bytes[..<count], as: UTF8.self)
        return access(path, X_OK) == 0 ? path : nil
    }
}
