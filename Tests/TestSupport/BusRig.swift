import Foundation
import Linux

/// A session bus of a test's own (dbus-daemon), on which something that shows notifications may listen.
public final class BusRig {
    /// The private folder.
    public let folder: TemporaryFolder
    /// Where the bus is, as DBUS_SESSION_BUS_ADDRESS says it.
    public let address: String
    /// The bus, to be stopped or killed.
    public let bus: Child
    /// What shows notifications, if anything.
    public private(set) var desktop: Child?

    /// Starts the bus, and waits until it can be reached. It starts no services by itself.
    ///
    /// - Parameter path: where its socket is to be; nil is in its own folder.
    public init(socket path: String? = nil) throws {
        folder = try TemporaryFolder()
        let socket = path ?? folder.file("bus")
        address = "unix:path=" + socket
        let configuration = try folder.write(
            "bus.conf",
            """
            <busconfig>
              <type>session</type>
              <listen>\(address)</listen>
              <policy context="default">
                <allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/>
              </policy>
              <limit name="max_replies_per_connection">50000</limit>
            </busconfig>
            """)
        bus = try Child(
            ["dbus-daemon", "--nofork", "--nopidfile", "--config-file=" + configuration],
            environment: Self.environment)
        guard (0..<500).contains(where: { _ in isThere(socket) }) else {
            throw RigError(message: "dbus-daemon does not start: \(bus.finish(within: 0).notes)")
        }
    }

    /// Has something show notifications, and waits until it does.
    ///
    /// - Parameter behaviour: `takes`, `refuses` with an error, or `hangs` without an answer.
    public func showNotifications(_ behaviour: String = "takes") throws {
        desktop = try start(Self.server, folder.file("shown"), behaviour)
    }

    /// Starts something else on this bus, in Python, and waits until it says `ready`.
    public func start(_ script: String, _ arguments: String...) throws -> Child {
        var environment = Self.environment
        environment["DBUS_SESSION_BUS_ADDRESS"] = address
        let child = try Child(["/usr/bin/python3", "-c", script] + arguments, environment: environment)
        guard child.waits(for: "ready") else { throw RigError(message: child.finish(within: 0).notes) }
        return child
    }

    /// Starts `busctl` on this bus.
    public func busctl(_ arguments: [String]) throws -> Child {
        try Child(["busctl", "--address=" + address] + arguments, environment: Self.environment)
    }

    /// What was shown: the arguments of each call of Notify.
    public var shown: [Shown] {
        let text = (try? String(contentsOfFile: folder.file("shown"), encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap {
            try? JSONDecoder().decode(Shown.self, from: Data($0.utf8))
        }
    }

    /// The arguments of a call of Notify.
    public struct Shown: Decodable, Equatable {
        public let application: String
        public let replaces: Int
        public let icon: String
        public let summary: String
        public let body: String
        public let actions: [String]
        public let hints: [String: String]
        public let milliseconds: Int
    }

    private func isThere(_ socket: String) -> Bool {
        if FileManager.default.fileExists(atPath: socket) { return true }
        _ = waitForReading([], milliseconds: 10)
        return false
    }

    private static let environment = ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"]

    /// The least that shows notifications, by a D-Bus library that is not ours.
    private static let server = """
        import json, sys
        import dbus, dbus.service
        from dbus.mainloop.glib import DBusGMainLoop
        from gi.repository import GLib

        path, behaviour = sys.argv[1:]
        names = "application replaces icon summary body actions hints milliseconds".split()

        class Server(dbus.service.Object):
            @dbus.service.method(
                "org.freedesktop.Notifications", in_signature="susssasa{sv}i", out_signature="u",
                async_callbacks=("done", "failed"))
            def Notify(self, a, b, c, d, e, f, g, h, done, failed):
                arguments = [a, b, c, d, e, f, g, h]
                with open(path, "a") as file:
                    file.write(json.dumps(dict(zip(names, arguments))) + "\\n")
                if behaviour == "refuses":
                    failed(dbus.DBusException("too many", name="org.example.Refused"))
                elif behaviour == "takes":
                    done(7)

        DBusGMainLoop(set_as_default=True)
        bus = dbus.SessionBus()
        name = dbus.service.BusName("org.freedesktop.Notifications", bus)
        server = Server(bus, "/org/freedesktop/Notifications")
        print("ready", file=sys.stderr, flush=True)
        GLib.MainLoop().run()
        """
}
