import Foundation
import Linux

/// A machine with a sound server of its own (PulseAudio) and devices in real time: what is played into the
/// sink `mic` is heard by the device `mic`, and what is played to `speaker` can be listened to.
public final class PulseRig: Rig {
    /// The server, to be stopped or killed.
    public let server: Child
    private var keepers: [Child] = []

    /// Starts the server, and waits until it answers.
    public init(rate: Int = 48_000) throws {
        let folder = try TemporaryFolder()
        let socket = folder.file("pulse.socket")
        var environment = [
            "PATH": "/usr/bin:/bin", "HOME": folder.path, "XDG_RUNTIME_DIR": folder.path,
            "PULSE_SERVER": "unix:" + socket, "LANG": "C.UTF-8",
        ]
        let sink = "norewinds=1 format=s16le channels=1 rate=\(rate)"
        server = try Child(
            [
                "pulseaudio", "-n", "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1",
                "--disable-shm=yes", "--log-level=error", "--realtime=no",
                "-L", "module-native-protocol-unix auth-anonymous=1 socket=\(socket)",
                "-L", "module-null-sink sink_name=mic \(sink)",
                "-L", "module-null-sink sink_name=speaker \(sink)",
            ], environment: environment)
        serverFolder = folder
        try super.init()
        self.environment["PULSE_SERVER"] = "unix:" + socket
        self.environment["XDG_RUNTIME_DIR"] = folder.path
        try configureSound(
            """
            pcm.mic { type pulse device "mic.monitor" hint { show on description "A microphone" } }
            ctl.mic { type pulse device "mic.monitor" }
            pcm.speaker { type pulse device "speaker" }
            """)
        environment = self.environment
        guard (0..<200).contains(where: { _ in isAnswering(environment) }) else {
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

    private let serverFolder: TemporaryFolder

    /// Asks the server once; a client waits a moment by itself.
    private func isAnswering(_ environment: [String: String]) -> Bool {
        let result = try? Child(["pactl", "info"], environment: environment).finish(within: 10)
        if result?.status == 0 { return true }
        _ = server.ends(within: 0)
        _ = waitForReading([], milliseconds: 50)
        return false
    }

    /// Plays raw samples, 16 bits mono, into the microphone in real time.
    public func speak(_ path: String, rate: Int = 48_000) throws -> Child {
        try Child(
            [
                "pacat", "--playback", "--raw", "--device=mic", "--latency-msec=200", "--format=s16le",
                "--channels=1", "--rate=\(rate)",
            ], environment: environment, input: path)
    }

    /// Listens to what is played to the speaker; the samples, 16 bits mono, are the child's output.
    public func listen(to path: String, rate: Int = 48_000) throws -> Child {
        try Child(
            [
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
