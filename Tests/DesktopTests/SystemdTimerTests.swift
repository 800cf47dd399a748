import Foundation
import TestSupport
import Testing

@testable import Desktop

/// The units, as systemd's own tools read them.
@Suite struct SystemdTimerTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func timer(path: String = "") -> SystemdTimer {
        SystemdTimer(
            configuration: folder.file("config"), system: folder.file("etc"), booted: folder.path, path: path)
    }

    private func job(_ program: String, store: String = "/s") -> Job {
        Job(program: program, arguments: ["expire"], variables: ["TOMORROW_STORE": store])
    }

    private func verify(_ units: String...) throws -> Child.Result {
        let paths = units.map { folder.file("config/systemd/user/" + $0) }
        return try Child(
            ["systemd-analyze", "verify", "--user", "--man=no"] + paths,
            environment: [
                "PATH": "/usr/bin:/bin", "HOME": folder.path, "XDG_RUNTIME_DIR": folder.path,
                "LC_ALL": "C.UTF-8",
            ]
        ).finish()
    }

    /// The lines about our units. systemd may have remarks about the machine's own.
    private func remarks(_ verified: Child.Result) -> [Substring] {
        verified.notes.split(separator: "\n").filter { $0.contains("tomorrow") }
    }

    /// Names of folders that a program may lie in.
    @Test(arguments: ["plain", "a b", "100%n", "$HOME ${X}", "ü", "a;b#c"])
    func systemdFindsTheProgramWhateverItsPath(name: String) throws {
        let program = try folder.writeProgram("\(name)/tomorrow", "")
        #expect(
            try !timer().install(job(program, store: "/it's\"\\a\\" + name), every: JobInterval(seconds: 60)!)
        )
        let verified = try verify("tomorrow.timer", "tomorrow.service")
        #expect(verified.status == 0)
        #expect(remarks(verified).isEmpty, "\(verified)")
    }

    /// The same verdict must be able to fail.
    @Test func systemdMissesAProgramThatIsNotThere() throws {
        _ = try timer().install(job(folder.file("none")), every: JobInterval(seconds: 60)!)
        let verified = try verify("tomorrow.service")
        #expect(verified.status != 0)
        #expect(verified.notes.contains(folder.file("none")), "\(verified.notes)")
    }

    @Test(arguments: JobInterval.all.map(\.minutes))
    func systemdUnderstandsEveryInterval(minutes: Int) throws {
        let interval = try #require(JobInterval(seconds: Double(minutes * 60)))
        let shown = try Child(
            ["systemd-analyze", "calendar", "--iterations=3", interval.calendar],
            environment: ["PATH": "/usr/bin:/bin", "TZ": "UTC", "LC_ALL": "C.UTF-8"]
        ).finish().output
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "UTC")
        formatter.dateFormat = "yyyy-MM-dd HH:mm:ss"
        let times = shown.matches(of: /: ... ([-0-9]+ [:0-9]+) UTC/).compactMap {
            formatter.date(from: String($0.1))?.timeIntervalSince1970
        }
        let seconds = Double(minutes * 60)
        #expect(times.count == 3)
        // Counted from midnight, as cron counts.
        #expect(times.allSatisfy { $0.truncatingRemainder(dividingBy: seconds) == 0 })
        for (earlier, later) in zip(times, times.dropFirst()) { #expect(later - earlier == seconds) }
    }

    @Test func itIsWrittenOnceAndTakenAwayWithoutATrace() throws {
        let timer = timer()
        #expect(timer.path == nil && timer.interval == nil)
        for seconds in [300.0, 300, 7_200] {
            _ = try timer.install(job("/bin/true"), every: JobInterval(seconds: seconds)!)
            #expect(timer.interval?.minutes == Int(seconds) / 60)
        }
        let unitFolder = "config/systemd/user"
        #expect(
            folder.names(in: unitFolder) == ["timers.target.wants", "tomorrow.service", "tomorrow.timer"])
        let link = folder.file(unitFolder + "/timers.target.wants/tomorrow.timer")
        #expect(FileManager.default.contents(atPath: link)?.starts(with: "# By tomorrow".utf8) == true)
        #expect(try timer.remove())
        #expect(try !timer.remove())
        #expect(folder.names(in: "config").isEmpty)
    }

    /// Where a package brings its units, and where `systemctl enable` links to them: for a user, for everybody.
    @Test(arguments: ["config", "etc"])
    func unitsThatCameWithTheProgramCountWhereTheyAreEnabled(place: String) throws {
        let program = try folder.writeProgram("bin/tomorrow", "")
        let job = Job(program: program, arguments: ["expire"], variables: [:])
        let units = try SystemdTimer.shippedUnits(job, every: JobInterval(seconds: 300)!)
        let links = place + "/systemd/user/timers.target.wants"
        for name in ["lib", links, "config/systemd/user"] {
            try FileManager.default.createDirectory(
                atPath: folder.file(name), withIntermediateDirectories: true)
        }
        let shipped = try folder.write("lib/tomorrow.timer", units.timer)
        try folder.write("lib/tomorrow.service", units.service)
        let verified = try verify("../../../lib/tomorrow.timer", "../../../lib/tomorrow.service")
        #expect(verified.status == 0 && remarks(verified).isEmpty, "\(verified)")

        let timer = timer()
        #expect(timer.path == nil)
        let link = folder.file(links + "/tomorrow.timer")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: shipped)
        #expect(timer.path == shipped)
        #expect(timer.interval?.minutes == 5)

        // The user's own comes first, and takes nothing of the others away but what enables them for the user.
        _ = try timer.install(job, every: JobInterval(seconds: 60)!)
        #expect(timer.path == folder.file("config/systemd/user/tomorrow.timer"))
        #expect(timer.interval?.minutes == 1)
        #expect(try timer.remove())
        #expect(timer.path == (place == "config" ? nil : shipped))
        #expect(folder.names(in: "lib") == ["tomorrow.service", "tomorrow.timer"])
    }

    @Test func whereSystemdDoesNotRunNothingIsWritten() {
        let timer = SystemdTimer(configuration: folder.file("config"), booted: folder.file("none"), path: "")
        let error = #expect(throws: DesktopError.self) {
            try timer.install(job("/bin/true"), every: JobInterval(seconds: 60)!)
        }
        #expect(error?.reason == "systemd does not run on this machine")
        #expect(folder.names().isEmpty)
    }

    @Test func whatElseIsThereIsLeftAlone() throws {
        let unitFolder = "config/systemd/user"
        try FileManager.default.createDirectory(
            atPath: folder.file(unitFolder), withIntermediateDirectories: true)
        try folder.write(unitFolder + "/other.timer", "mine")
        _ = try timer().install(job("/bin/true"), every: JobInterval(seconds: 60)!)
        #expect(try timer().remove())
        #expect(folder.names(in: unitFolder) == ["other.timer"])

        try folder.write(unitFolder + "/tomorrow.service", "mine")
        let error = #expect(throws: DesktopError.self) {
            try timer().install(job("/bin/true"), every: JobInterval(seconds: 60)!)
        }
        #expect(error?.reason == "there is one that is not ours")
        #expect(try !timer().remove())
        #expect(folder.names(in: unitFolder) == ["other.timer", "tomorrow.service"])
    }

    @Test func theUsersManagerIsToldWhereThereIsOne() throws {
        try folder.writeProgram("bin/systemctl", "echo \"$*\" >> '\(folder.path)/calls'")
        let timer = timer(path: folder.file("bin"))
        #expect(try timer.install(job("/bin/true"), every: JobInterval(seconds: 60)!))
        #expect(try timer.remove())
        let calls = try String(contentsOfFile: folder.file("calls"), encoding: .utf8)
        #expect(
            calls.split(separator: "\n") == [
                "--user --quiet daemon-reload", "--user --quiet restart tomorrow.timer",
                "--user --quiet stop tomorrow.timer", "--user --quiet daemon-reload",
            ])
    }

    @Test(arguments: ["/a\nExecStart=/b", "/it's", "/\"a\"", "/a\\x41"])
    func pathsThatSystemdDoesNotTakeAreRefused(program: String) {
        #expect(throws: DesktopError.self) {
            try timer().install(job(program), every: JobInterval(seconds: 60)!)
        }
        #expect(folder.names().isEmpty)
    }
}
