import Foundation

/// A Debian of this machine's release with nothing on it but what every Debian has (`debootstrap`). What runs there
/// sees the test's own folder at its own place, and nothing else of the machine.
///
/// It is all in memory, mounted where nobody else sees it (`unshare`), so that nothing of it is left, however the
/// test ends. Needs root, and half a GiB.
public final class BareDebian {
    private let shared: TemporaryFolder
    private let folder: TemporaryFolder
    private let holder: Child

    /// Makes one, which takes half a minute.
    ///
    /// - Parameter shared: the folder that is seen from inside.
    /// - Throws: ``RigError`` in the words of debootstrap.
    public init(sharing shared: TemporaryFolder) throws {
        self.shared = shared
        folder = try TemporaryFolder()
        holder = try Child(
            Self.apart + ["--mount-proc", "sh", "-ec", Self.bootstrap, folder.path],
            environment: Self.environment)
        let isReady = (1...10).contains { _ in holder.waits(for: "ready\n") }
        guard isReady else {
            let ended = holder.finish(within: 0)
            throw RigError(message: String((ended.output + ended.notes).suffix(1_000)))
        }
    }

    private static let apart = ["unshare", "--mount", "--pid", "--fork", "--kill-child"]

    /// From where this machine has its own packages, and by way of the same proxy.
    private static let bootstrap = """
        . /etc/os-release
        mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' "Release: $VERSION_CODENAME")
        mount -t tmpfs tmpfs "$0"
        chmod 755 "$0"
        debootstrap --variant=minbase "$VERSION_CODENAME" "$0" $(echo "$mirror" | head -n 1)
        apt-config dump | grep -i '^acquire::[a-z]*::proxy' > "$0/etc/apt/apt.conf.d/proxy" || true
        echo ready >&2
        exec sleep 1800
        """

    /// Runs a script of the shell there, to its end; the first command that fails ends it. What it has left running
    /// is ended too.
    ///
    /// - Parameter environment: beside PATH.
    public func run(_ script: String, environment: [String: String] = [:]) throws -> Child.Result {
        let enter = """
            mkdir -p "$0$1"
            mount --bind "$1" "$0$1"
            mount -t proc proc "$0/proc"
            mount -t tmpfs tmpfs "$0/dev/shm"
            exec chroot "$0" /bin/sh -ec "$2"
            """
        return try Child(
            ["nsenter", "--mount", "--target=\(holder.pid)"] + Self.apart
                + ["sh", "-ec", enter, folder.path, shared.path, script],
            environment: environment.merging(Self.environment) { $1 }
        ).finish(within: 600)
    }

    private static var environment: [String: String] {
        ProcessInfo.processInfo.environment.filter { $0.key.lowercased().hasSuffix("_proxy") }.merging([
            "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive",
        ]) { $1 }
    }
}
