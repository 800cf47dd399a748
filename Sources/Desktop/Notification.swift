import Glibc
import Linux

/// A notification of the desktop, by the Desktop Notifications Specification 1.2
/// (`org.freedesktop.Notifications.Notify`).
public enum Notification {
    /// What became of it.
    public enum Answer: Equatable, Sendable {
        /// The desktop has taken it.
        case taken
        /// There is no session bus: nobody is logged in, perhaps.
        case noBus
        /// There is a bus, but nobody on it shows notifications.
        case noServer
    }

    /// Sends one and waits for the desktop's answer, once.
    ///
    /// - Parameters:
    ///   - summary: a line of plain text.
    ///   - body: plain text, of several lines perhaps; what would be markup is escaped.
    ///   - busAddress: where the bus is, as DBUS_SESSION_BUS_ADDRESS says it; without it the user's own
    ///     socket is looked for, as a cron job finds no such variable.
    ///   - milliseconds: when to give up waiting.
    /// - Throws: ``DesktopError`` when the bus or the desktop does not answer in time, refuses, or goes away.
    public static func send(
        summary: String, body: String, busAddress: String?, milliseconds: Int64 = 5_000
    ) throws(DesktopError) -> Answer {
        try send(
            summary: summary, body: body, busAddress: busAddress,
            userSocket: "/run/user/\(getuid())/bus", milliseconds: milliseconds)
    }

    static func send(
        summary: String, body: String, busAddress: String?, userSocket: String, milliseconds: Int64
    ) throws(DesktopError) -> Answer {
        guard let address = busAddress ?? BusConnection.address(ofSocket: userSocket) else {
            return .noBus
        }
        let answer: BusConnection.Answer?
        do throws(SystemError) {
            let bus = try BusConnection(address: address)
            let call = try bus.methodCall(
                to: "org.freedesktop.Notifications", path: "/org/freedesktop/Notifications",
                interface: "org.freedesktop.Notifications", member: "Notify")
            try call.append("tomorrow")  // the application
            try call.append(UInt32(0))  // it replaces no other
            try call.append("")  // no icon
            try call.append(NotificationText.plain(summary, isOneLine: true))
            try call.append(NotificationText.markup(body))
            try call.appendEmptyArray(of: "s")  // no actions
            try call.appendEmptyArray(of: "{sv}")  // no hints
            try call.append(Int32(-1))  // it stays as long as the desktop likes
            answer = try bus.call(call, milliseconds: milliseconds)
        } catch {
            if error.code == ENOENT || error.code == ECONNREFUSED { return .noBus }
            throw failure("the session bus: \(error.reason)")
        }
        switch answer {
        case .done: return .taken
        case .refused(let name, _) where nobodyThere.contains(name) || name.hasPrefix(didNotStart):
            return .noServer
        case .refused(_, let words): throw failure(words)
        case nil: throw failure("the session bus does not answer")
        }
    }

    private static let nobodyThere: Set = [
        "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner",
    ]
    private static let didNotStart = "org.freedesktop.DBus.Error.Spawn."

    private static func failure(_ reason: String) -> DesktopError {
        DesktopError(attempt: "show a notification", reason: reason)
    }
}
