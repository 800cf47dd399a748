import Foundation
import Linux

/// A machine of a test's own: a private folder with a store, a home and a sound configuration, in which the
/// real program runs. Nothing of it is left behind.
open class Rig {
    /// The private folder.
    public let folder: TemporaryFolder
    /// What the program finds in its environment.
    public var environment: [String: String]

    /// A machine without any sound device.
    public init() throws {
        folder = try TemporaryFolder()
        environment = [
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            "HOME": folder.file("home"),
            "TOMORROW_STORE": folder.file("store"),
            "TZ": "UTC",
            "TMPDIR": folder.path,
            "LANG": "C.UTF-8",
            // libpulse makes these where it finds none, in whatever the home is.
            "PULSE_RUNTIME_PATH": folder.file("pulse"),
            "PULSE_COOKIE": folder.file("pulse-cookie"),
            // No test shows on the desktop of whoever runs it.
            "DBUS_SESSION_BUS_ADDRESS": "unix:path=" + folder.file("session-bus"),
            "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=" + folder.file("system-bus"),
        ]
        try FileManager.default.createDirectory(
            atPath: folder.file("home"), withIntermediateDirectories: true)
    }

    /// Gives the machine these devices, in the words of an ALSA configuration.
    public func configureSound(_ text: String) throws {
        try folder.write("asound.conf", text)
        environment["ALSA_CONFIG_PATH"] = "/usr/share/alsa/alsa.conf:" + folder.file("asound.conf")
    }

    /// Writes the program's configuration file.
    public func configure(_ text: String) throws {
        try FileManager.default.createDirectory(
            atPath: folder.file("home/.config/tomorrow"), withIntermediateDirectories: true)
        try folder.write("home/.config/tomorrow/config", text)
    }

    /// Runs the program to its end.
    ///
    /// - Parameters:
    ///   - arguments: what is typed behind `tomorrow`.
    ///   - clock: what the machine's clock reads at its start; nil is the real time.
    @discardableResult
    public func run(_ arguments: String..., at clock: Clock? = nil) throws -> Child.Result {
        try start(arguments, at: clock).finish()
    }

    /// Starts the program.
    public func start(
        _ arguments: [String], at clock: Clock? = nil, input: String = "/dev/null", ignoring: [Int32] = []
    ) throws -> Child {
        try Child(
            [Self.program] + arguments, environment: environment(at: clock), input: input, ignoring: ignoring)
    }

    /// Starts the program at a terminal, which is its session's own.
    ///
    /// - Parameter showing: whether its standard error is shown there, too, rather than kept.
    public func start(
        _ arguments: [String], on terminal: PseudoTerminal, showing: Bool = false, at clock: Clock? = nil,
        ignoring: [Int32] = []
    ) throws -> Child {
        try Child(
            ["setsid", "--ctty", Self.program] + arguments, environment: environment(at: clock),
            input: terminal.path, notes: showing ? terminal.path : nil, ignoring: ignoring)
    }

    /// Starts a shell's script at a terminal, which is its session's own, with jobs that can be stopped and
    /// continued. The program is `$TOMORROW` there.
    public func startShell(_ script: String, on terminal: PseudoTerminal) throws -> Child {
        var environment = environment
        environment["TOMORROW"] = Self.program
        return try Child(
            ["setsid", "--ctty", "dash", "-c", "set -m; " + script], environment: environment,
            input: terminal.path, notes: terminal.path)
    }

    /// Runs another program in the same environment, and gives what it wrote to standard output.
    public func tool(_ command: String...) throws -> Child.Result {
        try Child(command, environment: environment).finish()
    }

    /// The environment in which the clock reads something else (libfaketime, which also moves a statically
    /// linked program).
    public func environment(at clock: Clock?) -> [String: String] {
        guard let clock else { return environment }
        var moved = environment
        moved["LD_PRELOAD"] = [environment["LD_PRELOAD"], Self.faketime].compactMap(\.self).joined(
            separator: ":")
        // Files keep the times that they have.
        moved["NO_FAKE_STAT"] = "1"
        moved["FAKETIME"] = "@\(clock.seconds)"
        moved["FAKETIME_FMT"] = "%s"
        moved["FAKETIME_DONT_FAKE_MONOTONIC"] = "1"
        if clock.rate != 1 {
            moved["FAKETIME"]? += " x\(clock.rate)"
            moved["FAKETIME_DONT_FAKE_MONOTONIC"] = nil
        }
        moved["TZ"] = clock.zone
        return moved
    }

    /// What a clock reads, and where it hangs.
    public struct Clock: Sendable {
        /// Seconds since 1970-01-01 00:00 UTC.
        public let seconds: Int
        /// The zone, as `TZ` has it.
        public let zone: String
        /// Faked seconds per real second. At any rate but 1 the monotonic clock is faked, too.
        public private(set) var rate = 1

        /// A clock by its seconds since 1970.
        public init(seconds: Int, zone: String = "UTC") {
            self.seconds = seconds
            self.zone = zone
        }

        /// A clock by its local time, such as `2026-03-28 23:59:30`. A local time that occurs twice means its
        /// first occurrence. Python's zoneinfo converts it, with the zone rules that the C library uses, so
        /// neither the code under test nor Foundation's own zone rules are involved.
        public init(_ reading: String, _ zone: String = "UTC") {
            let script = """
                import datetime, os, sys, zoneinfo
                zoneinfo.reset_tzpath([os.environ.get("TZDIR", "/usr/share/zoneinfo")])
                zone = zoneinfo.ZoneInfo(sys.argv[2])
                local = datetime.datetime.fromisoformat(sys.argv[1]).replace(tzinfo=zone)
                print(int(local.timestamp()))
                """
            let command = ["python3", "-c", script, reading, zone]
            let seconds =
                zone == "UTC"
                ? Rig.seconds(reading.replacing(" ", with: "T") + "Z")
                : (try? Child(command, environment: ["PATH": "/usr/bin:/bin"])).flatMap {
                    Int($0.finish().output.dropLast())
                }
            guard let seconds, seconds >= 0 else {
                preconditionFailure("\(reading) in \(zone) is not a time")
            }
            self.init(seconds: seconds, zone: zone)
        }

        /// The same clock later.
        public func adding(seconds more: Int) -> Clock {
            Clock(seconds: seconds + more, zone: zone)
        }

        /// The same clock running faster, the monotonic clock and timeouts with it: work that takes
        /// milliseconds seems to take seconds, however fast the machine is.
        public func running(timesAsFast rate: Int) -> Clock {
            var clock = self
            clock.rate = rate
            return clock
        }
    }

    /// Has a trouble come to the program, as `Tests/Trouble` describes them, once ``comes(_:)`` is called.
    ///
    /// - Parameters:
    ///   - trouble: such as `TRAP`.
    ///   - thread: the thread that is struck; nil is the program's own.
    public func prepare(trouble: String, thread: String? = nil) {
        environment["LD_PRELOAD"] = Self.built("libTrouble.so")
        environment["TROUBLE_\(trouble)"] = folder.file(trouble)
        environment["TROUBLE_THREAD"] = thread
        // Of a crash that is meant nobody needs to read.
        environment["SWIFT_BACKTRACE"] = "enable=no"
    }

    /// Lets the trouble come now.
    public func comes(_ trouble: String) throws {
        try folder.write(trouble, "")
    }

    /// Waits until a take has put some sound into its file.
    ///
    /// - Returns: whether that came in time.
    public func waitsForSound(bytes: Int = 50_000, seconds: Int64 = 60) -> Bool {
        let deadline = MonotonicClock.milliseconds + seconds * 1_000
        while MonotonicClock.milliseconds < deadline {
            if soundBytes >= bytes { return true }
            _ = waitForReading([], milliseconds: 2)
        }
        return false
    }

    /// The size of the store's largest audio file.
    public var soundBytes: Int {
        let sizes = folder.names(in: "store/audio").map { name -> Int in
            let attributes = try? FileManager.default.attributesOfItem(
                atPath: folder.file("store/audio/" + name))
            return attributes?[.size] as? Int ?? 0
        }
        return sizes.max() ?? 0
    }

    /// The memos that `list` with these options shows as JSON.
    public func memos(_ options: String..., at clock: Clock? = nil) throws -> [[String: Any]] {
        let result = try start(["list", "--json"] + options, at: clock).finish()
        return Self.object(result.output)["memos"] as? [[String: Any]] ?? []
    }

    /// A JSON object as Foundation reads it; empty where it is none.
    public static func object(_ text: String) -> [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any] ?? [:]
    }

    /// The seconds since 1970 of an ISO 8601 time, as Foundation reads it.
    public static func seconds(_ iso8601: String) -> Int {
        Int(ISO8601DateFormatter().date(from: iso8601)?.timeIntervalSince1970 ?? -1)
    }

    /// The program: the one that the environment variable `TOMORROW_PROGRAM` names, else the one that was built
    /// beside the tests.
    public static let program = givenProgram ?? built("tomorrow")

    /// The program that was given to be tested, which is a release build.
    public static let givenProgram = ProcessInfo.processInfo.environment["TOMORROW_PROGRAM"]

    /// The tests' own helper, built beside them too.
    public static let probe = built("Probe")

    /// The library that kills at a call that changes a file, has it fail, or keeps what a power cut would leave
    /// (Tests/FaultPoint), to be preloaded.
    public static let faultPoint = built("libFaultPoint.so")

    static func built(_ name: String) -> String {
        let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(fileURLWithPath: tests).deletingLastPathComponent().appendingPathComponent(name).path
    }

    private static let faketime: String = {
        let name = "faketime/libfaketime.so.1"
        return ["/usr/lib/x86_64-linux-gnu/", "/usr/lib/aarch64-linux-gnu/", "/usr/lib/"].map { $0 + name }
            .first { FileManager.default.fileExists(atPath: $0) } ?? "libfaketime.so.1"
    }()
}
