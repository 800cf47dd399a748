import Foundation
import Linux

/// A machine with a sound server of its own (PulseAudio) and devices in real time: what is played into the
/// sink `mic` is heard by the device `mic`, and what is played to `speaker` can be listened to.
public final class PulseRig: Rig {
    /// The server, to be stopped or killed.
    public private(set) var server: Child
    private var keepers: [Child] = []
    private let rate: Int

    /// Starts the server, and waits until it answers.
    public init(rate: Int = 48_000) throws {
        let folder = try TemporaryFolder()
        self.rate = rate
        server = try Self.startServer(in: folder, rate: rate)
        serverFolder = folder
        try super.init()
        environment["PULSE_SERVER"] = "unix:" + Self.socket(in: folder)
        environment["XDG_RUNTIME_DIR"] = folder.path
        try configureSound(
            """
            pcm.mic { type pulse device "mic.monitor" hint { show on description "A microphone" } }
            ctl.mic { type pulse device "mic.monitor" }
            pcm.speaker { type pulse device "speaker" }
            """)
        try waitForServer()
    }

    private let serverFolder: TemporaryFolder

    /// Starts the server once more, after it was killed, and waits until it answers.
    public func restartServer() throws {
        _ = server.finish(within: 10)
        keepers = []
        server = try Self.startServer(in: serverFolder, rate: rate)
        try waitForServer()
    }

    private static func socket(in folder: TemporaryFolder) -> String { folder.file("pulse.socket") }

    private static func startServer(in folder: TemporaryFolder, rate: Int) throws -> Child {
        let sink = "norewinds=1 format=s16le channels=1 rate=\(rate)"
        return try Child(
            urgently + [
                "pulseaudio", "-n", "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1",
                "--disable-shm=yes", "--log-level=error", "--realtime=no",
                "-L", "module-native-protocol-unix auth-anonymous=1 socket=\(socket(in: folder))",
                "-L", "module-null-sink sink_name=mic \(sink)",
                "-L", "module-null-sink sink_name=speaker \(sink)",
            ],
            environment: [
                "PATH": "/usr/bin:/bin", "HOME": folder.path, "XDG_RUNTIME_DIR": folder.path,
                "PULSE_SERVER": "unix:" + socket(in: folder), "LANG": "C.UTF-8",
            ])
    }

    /// Servers of sound run before all others where they may, as a machine's clock does; without that right this
    /// changes nothing.
    private static let urgently = getuid() == 0 ? ["nice", "-n", "-11"] : []

    private func waitForServer() throws {
        guard (0..<200).contains(where: { _ in isAnswering() }) else {
            throw RigError(message: "PulseAudio does not start: \(server.finish(within: 0).notes)")
        }
        // An idle null sink works in blocks of up to two seconds: a silent stream keeps it awake.
        for sink in ["mic", "speaker"] {
            keepers.append(
                try Child(
                    [
                        "pacat", "--playback", "--raw", "--device=\(sink)", "--latency-msec=20",
                        "--format=s16le", "--channels=1", "--rate=\(rate)",
                    ], environment: environment, input: "/dev/zero"))
        }
    }

    /// Asks the server once; a client waits a moment by itself.
    private func isAnswering() -> Bool {
        let result = try? Child(["pactl", "info"], environment: environment).finish(within: 10)
        if result?.status == 0 { return true }
        _ = server.ends(within: 0)
        _ = waitForReading([], milliseconds: 50)
        return false
    }

    /// Plays raw samples, 16 bits mono, into the microphone in real time.
    public func speak(_ path: String, rate: Int = 48_000) throws -> Child {
        try Child(
            Self.urgently + [
                "pacat", "--playback", "--raw", "--device=mic", "--latency-msec=200", "--format=s16le",
                "--channels=1", "--rate=\(rate)",
            ], environment: environment, input: path)
    }

    /// Listens to what is played to the speaker; the samples, 16 bits mono, are the child's output.
    public func listen(to path: String, rate: Int = 48_000) throws -> Child {
        try Child(
            Self.urgently + [
                "parec", "--raw", "--device=speaker.monitor", "--latency-msec=50", "--format=s16le",
                "--channels=1", "--rate=\(rate)", path,
            ], environment: environment)
    }
}

/// A rig that cannot be had.
public struct RigError: Error {
    /// Why.
    public let message: String
}
