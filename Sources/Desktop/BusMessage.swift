internal import CSystemd
import Glibc
import Linux

/// The one owner of a reference to a message (`sd_bus_message`).
struct BusMessage: ~Copyable {
    let handle: OpaquePointer

    init(owning handle: OpaquePointer) {
        self.handle = handle
    }

    deinit {
        sd_bus_message_unref(handle)
    }

    // MARK: What is put into it

    /// Adds a string (`sd_bus_message_append_basic`), which must be one that D-Bus takes.
    func append(_ text: String) throws(SystemError) {
        try append("s", text)
    }

    /// Adds an object path, which must be one that D-Bus takes.
    func append(path: String) throws(SystemError) {
        try append("o", path)
    }

    /// Adds a 32-bit number with a sign.
    func append(_ number: Int32) throws(SystemError) {
        try append("i", [number])
    }

    /// Adds a 32-bit number without a sign.
    func append(_ number: UInt32) throws(SystemError) {
        try append("u", [number])
    }

    /// Adds a 64-bit number with a sign.
    func append(_ number: Int64) throws(SystemError) {
        try append("x", [number])
    }

    /// Adds a number that may have a fraction.
    func append(_ number: Double) throws(SystemError) {
        try append("d", [number])
    }

    /// Adds yes or no.
    func append(_ isTrue: Bool) throws(SystemError) {
        try append("b", [Int32(isTrue ? 1 : 0)])
    }

    private func append(_ type: Unicode.Scalar, _ value: UnsafeRawPointer) throws(SystemError) {
        try check(sd_bus_message_append_basic(handle, CChar(type.value), value))
    }

    /// Adds an array without elements.
    ///
    /// - Parameter contents: the type of what would be in it, as D-Bus writes types.
    func appendEmptyArray(of contents: String) throws(SystemError) {
        try appendArray(of: contents) {}
    }

    /// Adds an array, whose elements the closure adds.
    func appendArray(of contents: String, _ elements: () throws(SystemError) -> Void) throws(SystemError) {
        try append(container: "a", contents, elements)
    }

    /// Adds an entry of an array of `{sv}`.
    ///
    /// - Parameter contents: the type of the value, which the closure adds.
    func appendEntry(
        _ key: String, _ contents: String, _ value: () throws(SystemError) -> Void
    ) throws(SystemError) {
        try check(sd_bus_message_open_container(handle, CChar(UInt8(ascii: "e")), "sv"))
        try append(key)
        try append(container: "v", contents, value)
        try check(sd_bus_message_close_container(handle))
    }

    private func append(
        container: Unicode.Scalar, _ contents: String, _ body: () throws(SystemError) -> Void
    ) throws(SystemError) {
        try check(sd_bus_message_open_container(handle, CChar(container.value), contents))
        try body()
        try check(sd_bus_message_close_container(handle))
    }

    // MARK: What is found in it

    /// The error that it is, or nil.
    var error: BusConnection.Answer? {
        guard let error = sd_bus_message_get_error(handle)?.pointee else { return nil }
        let name = String(cString: error.name)
        return .refused(name: name, words: error.message.map { String(cString: $0) } ?? name)
    }

    /// Whether it is the answer to the message with this cookie.
    func answers(_ cookie: UInt64) -> Bool {
        var answered: UInt64 = 0
        return sd_bus_message_get_reply_cookie(handle, &answered) >= 0 && answered == cookie
    }

    /// A descriptor of our own for the one that it begins with, or nil.
    var file: FileDescriptor? {
        var number: Int32 = -1
        // The message keeps the one that it holds.
        guard sd_bus_message_read_basic(handle, CChar(UInt8(ascii: "h")), &number) > 0,
            let copy = try? retryingInterrupts({ fcntl(number, F_DUPFD_CLOEXEC, 0) })
        else { return nil }
        return FileDescriptor(owning: copy)
    }
}
