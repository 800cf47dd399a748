import Foundation
import Linux

/// What keeps a machine awake, on a bus of a test's own.
extension BusRig {
    /// Has something give sleep locks as logind does, and waits until it does.
    ///
    /// - Parameter behaviour: `gives`, `refuses` all but `idle`, or `hangs` without an answer.
    public func giveSleepLocks(_ behaviour: String = "gives") throws -> Child {
        try start(Self.login, folder.file("locks"), behaviour)
    }

    /// What has happened to the locks, a line each: the arguments of a call, then `released`.
    public var locks: [String] {
        let text = (try? String(contentsOfFile: folder.file("locks"), encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    /// Waits until so much has happened to the locks.
    ///
    /// - Returns: whether that came within 10 seconds.
    public func waitsForLocks(_ lines: [String]) -> Bool {
        let deadline = MonotonicClock.milliseconds + 10_000
        while locks != lines, MonotonicClock.milliseconds < deadline {
            _ = waitForReading([], milliseconds: 5)
        }
        return locks == lines
    }

    /// A lock is one end of a pipe; it is released when nobody holds that any more.
    private static let login = """
        import os, sys
        import dbus, dbus.service
        from dbus.mainloop.glib import DBusGMainLoop
        from gi.repository import GLib

        path, behaviour = sys.argv[1:]

        def note(line):
            with open(path, "a") as file:
                file.write(line + "\\n")

        def released(*_):
            note("released")
            return False

        class Login(dbus.service.Object):
            @dbus.service.method(
                "org.freedesktop.login1.Manager", in_signature="ssss", out_signature="h",
                async_callbacks=("done", "failed"))
            def Inhibit(self, what, who, why, mode, done, failed):
                note("|".join([what, who, why, mode]))
                if behaviour == "hangs":
                    return
                if behaviour == "refuses" and what != "idle":
                    return failed(dbus.DBusException("no", name="org.freedesktop.DBus.Error.AccessDenied"))
                ours, theirs = os.pipe()
                GLib.io_add_watch(ours, GLib.IO_HUP, released)
                done(dbus.types.UnixFd(theirs))
                os.close(theirs)

        DBusGMainLoop(set_as_default=True)
        bus = dbus.SessionBus()
        name = dbus.service.BusName("org.freedesktop.login1", bus)
        server = Login(bus, "/org/freedesktop/login1")
        print("ready", file=sys.stderr, flush=True)
        GLib.MainLoop().run()
        """
}
