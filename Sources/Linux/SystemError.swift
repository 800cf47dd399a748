import Glibc

/// A call into the kernel that failed: the `errno` it left.
public struct SystemError: Error, Equatable, Sendable {
    /// The value of `errno`, such as `ENOSPC`.
    public let code: Int32

    /// An error with a known `errno` value.
    public init(code: Int32) {
        self.code = code
    }

    /// The error that the last call of this thread left in `errno`.
    public static var last: SystemError { SystemError(code: errno) }

    /// The C library's words for it (`strerror_r`), such as “No space left on device”.
    public var reason: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            buffer.initialize(repeating: 0)
            return strerror_r(code, buffer.baseAddress!, buffer.count) == 0
                ? String(cString: buffer.baseAddress!) : "error \(code)"
        }
    }
}

/// Makes a call until it is not interrupted by a signal (`EINTR`).
///
/// - Returns: what the call returned, 0 or more.
/// - Throws: the ``SystemError`` behind a result below 0.
@discardableResult
public func retryingInterrupts<Result: SignedInteger>(_ call: () -> Result) throws(SystemError) -> Result {
    while true {
        let result = call()
        if result >= 0 { return result }
        if errno != EINTR { throw .last }
    }
}
