import CArguments

/// What the process was started with.
public enum ProcessArguments {
    /// The arguments behind the program's name; bytes that are not UTF-8 are replaced.
    public static var all: [String] {
        (1..<max(1, arguments_count())).map { String(cString: arguments_at($0)) }
    }
}
