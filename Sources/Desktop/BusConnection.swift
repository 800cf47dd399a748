internal import CSystemd
import Glibc
import Linux

/// The one owner of a connection to a message bus (`sd_bus`).
///
/// A bus may hang. So nothing here waits but ``call(_:milliseconds:)``, in a `poll` of its own with one
/// deadline for connecting, saying hello and the answer, and closing does not flush.
final class BusConnection {
    let handle: OpaquePointer

    /// Connects, and does not wait for the bus to answer (`sd_bus_start`).
    ///
    /// - Parameter address: such as `unix:path=/run/user/1000/bus`.
    /// - Throws: ``SystemError``, `ENOENT` or `ECONNREFUSED` where there is no bus.
    init(address: String) throws(SystemError) {
        var bus: OpaquePointer?
        try check(sd_bus_new(&bus))
        handle = bus!
        try check(sd_bus_set_address(handle, address))
        try check(sd_bus_set_bus_client(handle, 1))
        try check(sd_bus_start(handle))
    }

    deinit {
        sd_bus_close(handle)
        sd_bus_unref(handle)
    }

    /// Where a user's bus is when nobody says so (systemd's), or nil.
    static var userAddress: String? { address(ofSocket: "/run/user/\(getuid())/bus") }

    /// The address of a socket, or nil where there is none.
    static func address(ofSocket path: String) -> String? {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK ? "unix:path=" + path : nil
    }

    /// What came of a call.
    enum Answer {
        /// The descriptor that the answer begins with, if it does.
        case done(FileDescriptor?)
        case refused(name: String, words: String)
    }

    /// A message that calls a method, to be filled in.
    func methodCall(
        to name: String, path: String, interface: String, member: String
    ) throws(SystemError) -> BusMessage {
        var message: OpaquePointer?
        try check(sd_bus_message_new_method_call(handle, &message, name, path, interface, member))
        return BusMessage(owning: message!)
    }

    /// A message to whoever listens, to be filled in.
    func signal(path: String, interface: String, member: String) throws(SystemError) -> BusMessage {
        var message: OpaquePointer?
        try check(sd_bus_message_new_signal(handle, &message, path, interface, member))
        return BusMessage(owning: message!)
    }

    /// Sends a message, or keeps it until the bus takes it (`sd_bus_send`).
    func send(_ message: borrowing BusMessage) throws(SystemError) {
        try check(sd_bus_send(handle, message.handle, nil))
    }

    /// Sends a call and waits for its answer. `sd_bus_call` would wait for the bus's own hello by the
    /// library's clock, which is 25 seconds.
    ///
    /// - Returns: the answer, or nil when none came in time.
    /// - Throws: ``SystemError`` when the bus went away.
    func call(_ message: borrowing BusMessage, milliseconds: Int64) throws(SystemError) -> Answer? {
        let deadline = MonotonicClock.milliseconds + milliseconds
        var cookie: UInt64 = 0
        try check(sd_bus_send(handle, message.handle, &cookie))
        while true {
            var received: OpaquePointer?
            let progress = sd_bus_process(handle, &received)
            if let received {
                let answer = BusMessage(owning: received)
                if answer.answers(cookie) { return answer.error ?? .done(answer.file) }
            }
            try check(progress)
            if progress > 0 { continue }
            let left = deadline - MonotonicClock.milliseconds
            if left <= 0 { return nil }
            let waited = sd_bus_wait(handle, UInt64(left) * 1_000)
            if waited != -EINTR { try check(waited) }
        }
    }
}

/// sd-bus returns its errors as negative `errno` values.
func check(_ result: Int32) throws(SystemError) {
    if result < 0 { throw SystemError(code: -result) }
}
