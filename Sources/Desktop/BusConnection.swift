internal import CSystemd
import Glibc
import Linux

/// The one owner of a connection to a message bus (`sd_bus`).
///
/// A bus may hang. So nothing here waits but ``call(_:milliseconds:)``, in a `poll` of its own with one
/// deadline for connecting, saying hello and the answer, and closing does not flush.
final class BusConnection {
    private let handle: OpaquePointer

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

    /// What came of a call.
    enum Answer {
        case done
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
                if answer.answers(cookie) { return answer.error ?? .done }
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

/// The one owner of a reference to a message (`sd_bus_message`).
struct BusMessage: ~Copyable {
    fileprivate let handle: OpaquePointer

    fileprivate init(owning handle: OpaquePointer) {
        self.handle = handle
    }

    deinit {
        sd_bus_message_unref(handle)
    }

    /// Adds a string (`sd_bus_message_append_basic`), which must be one that D-Bus takes.
    func append(_ text: String) throws(SystemError) {
        try check(sd_bus_message_append_basic(handle, CChar(UInt8(ascii: "s")), text))
    }

    /// Adds a 32-bit number with a sign, or without one.
    func append(_ number: some FixedWidthInteger) throws(SystemError) {
        var bits = UInt32(truncatingIfNeeded: number)
        let type: UInt8 = number is Int32 ? UInt8(ascii: "i") : UInt8(ascii: "u")
        try check(sd_bus_message_append_basic(handle, CChar(type), &bits))
    }

    /// Adds an array without elements.
    ///
    /// - Parameter contents: the type of what would be in it, as D-Bus writes types.
    func appendEmptyArray(of contents: String) throws(SystemError) {
        try check(sd_bus_message_open_container(handle, CChar(UInt8(ascii: "a")), contents))
        try check(sd_bus_message_close_container(handle))
    }

    /// The error that it is, or nil.
    fileprivate var error: BusConnection.Answer? {
        guard let error = sd_bus_message_get_error(handle)?.pointee else { return nil }
        let name = String(cString: error.name)
        return .refused(name: name, words: error.message.map { String(cString: $0) } ?? name)
    }

    fileprivate func answers(_ cookie: UInt64) -> Bool {
        var answered: UInt64 = 0
        return sd_bus_message_get_reply_cookie(handle, &answered) >= 0 && answered == cookie
    }
}

/// sd-bus returns its errors as negative `errno` values.
private func check(_ result: Int32) throws(SystemError) {
    if result < 0 { throw SystemError(code: -result) }
}
