/// A file system that takes no writes, until it is thawed. A frozen one that is left behind stops a machine, so
/// it is thawed with its owner, and after half a minute by a process of its own even if the test's has died.
public final class FrozenDisk {
    private let path: String
    private let watchdog: Child

    /// Freezes it (`fsfreeze`, as root): whoever writes from now on waits.
    ///
    /// - Parameter path: where it is mounted.
    public init(_ path: String) throws {
        self.path = path
        watchdog = try Child(
            [
                "python3", "-c",
                """
                import subprocess, sys, time
                print("watching", file=sys.stderr, flush=True)
                time.sleep(30)
                subprocess.run(["fsfreeze", "--unfreeze", sys.argv[1]])
                """, path,
            ], environment: Self.environment)
        guard watchdog.waits(for: "watching") else { throw RigError(message: "there is no watchdog") }
        let frozen = try Child(["fsfreeze", "--freeze", path], environment: Self.environment).finish()
        guard frozen.status == 0 else { throw RigError(message: frozen.notes) }
    }

    deinit {
        try? thaw()
    }

    /// Lets everybody write again; doing it twice does nothing.
    public func thaw() throws {
        _ = try Child(["fsfreeze", "--unfreeze", path], environment: Self.environment).finish()
    }

    private static let environment = ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"]
}
