import Glibc
import Linux

/// Keeps the machine awake for a while (`org.freedesktop.login1.Manager.Inhibit`, mode `block`).
///
/// The lock is for `sleep:idle`: nobody and nothing puts the machine to sleep, and the desktop does not take
/// the person for absent. Who is not sitting at the machine, as a cron job is not, may have `idle` alone.
/// Closing the lid still does what the person has it do.
public final class SleepInhibitor: Sendable {
    private enum Lock: Sendable {
        case released
        case wanted
        /// The machine may sleep once this is closed, by us or by our end.
        case held(FileDescriptor)
    }

    private let lock = Guarded(Lock.released)
    private let reason: String
    private let busAddress: String?

    private static let busSocket = "/run/dbus/system_bus_socket"
    /// After so long it is given up.
    private static let milliseconds: Int64 = 5_000

    /// A lock that nobody holds yet.
    ///
    /// - Parameters:
    ///   - reason: as the desktop may show it: “Recording a memo”.
    ///   - busAddress: where the system's bus is, as DBUS_SYSTEM_BUS_ADDRESS says it; nil is its usual place.
    public init(reason: String, busAddress: String?) {
        self.reason = reason
        self.busAddress = busAddress ?? BusConnection.address(ofSocket: Self.busSocket)
    }

    /// Asks for the lock on a thread of its own, and does not wait for it; does nothing when it was asked
    /// for. Where nobody gives such locks there is none.
    public func acquire() {
        guard let busAddress else { return }
        let isNew = lock.withLock { lock in
            guard case .released = lock else { return false }
            lock = .wanted
            return true
        }
        guard isNew else { return }
        let (lock, reason) = (lock, reason)
        try? NativeThread(name: "inhibitor") {
            guard let file = Self.inhibit(reason: reason, busAddress: busAddress) else { return }
            // It may have been released meanwhile: then the file closes here.
            lock.withLock { if case .wanted = $0 { $0 = .held(file) } }
        }.detach()
    }

    /// Lets the machine sleep again.
    public func release() {
        lock.withLock { $0 = .released }
    }

    /// Whether the lock was granted by now.
    public var isHeld: Bool {
        lock.withLock { if case .held = $0 { true } else { false } }
    }

    private static func inhibit(reason: String, busAddress: String) -> FileDescriptor? {
        let deadline = MonotonicClock.milliseconds + milliseconds
        guard let bus = try? BusConnection(address: busAddress) else { return nil }
        for what in ["sleep:idle", "idle"] {
            do throws(SystemError) {
                let call = try bus.methodCall(
                    to: "org.freedesktop.login1", path: "/org/freedesktop/login1",
                    interface: "org.freedesktop.login1.Manager", member: "Inhibit")
                for text in [what, "tomorrow", reason, "block"] { try call.append(text) }
                let left = deadline - MonotonicClock.milliseconds
                guard let answer = try bus.call(call, milliseconds: left) else { return nil }
                if case .done(let file) = answer { return file }
            } catch {
                return nil
            }
        }
        return nil
    }
}
