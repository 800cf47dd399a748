import Glibc
import Linux

/// A user timer of systemd and the service that it starts, as files in the user's unit folder. Those of the same
/// names that come with the program for everybody are left alone: systemd takes the user's own first.
public struct SystemdTimer: Sendable {
    private let folder: String
    private let system: String
    private let booted: String
    private let systemctl: String?
    private static let milliseconds: Int64 = 10_000
    /// The first line of the files that are ours.
    private static let marker = "# By tomorrow schedule, which also removes it."
    /// The first line of those that come with the program.
    private static let shippedMarker = "# Came with tomorrow."
    private static let service = "tomorrow.service"
    private static let timer = "tomorrow.timer"
    private static let wants = "timers.target.wants"

    /// - Parameters:
    ///   - configuration: the user's configuration folder, `~/.config` mostly.
    ///   - system: that of the machine, whose units are everybody's.
    ///   - booted: a folder that is there where systemd runs the machine (`sd_booted(3)`).
    ///   - path: where `systemctl` is looked for, as PATH has it.
    public init(
        configuration: String, system: String = "/etc", booted: String = "/run/systemd/system", path: String
    ) {
        folder = configuration + "/systemd/user"
        self.system = system + "/systemd/user"
        self.booted = booted
        systemctl = Subprocess.find("systemctl", path: path)
    }

    /// How often the timer at ``path`` runs; nil where there is none, or when somebody has given it times of their
    /// own.
    public var interval: JobInterval? {
        guard let path, let text = try? contents(path) else { return nil }
        let line = text.split(separator: "\n").first { $0.hasPrefix("OnCalendar=") }
        return line.flatMap { JobInterval(calendar: String($0.dropFirst("OnCalendar=".count))) }
    }

    /// The file of the timer that runs: ours, or the one that came with the program where it is enabled, for the
    /// user or for everybody (`systemctl --user enable`, `--global enable`); nil where there is none.
    public var path: String? {
        if isOurs(Self.timer) { return file(Self.timer) }
        let links = [link, system + "/\(Self.wants)/\(Self.timer)"]
        guard let enabled = links.first(where: { begins($0, with: Self.shippedMarker) }) else { return nil }
        guard let target = realpath(enabled, nil) else { return enabled }
        defer { free(target) }
        return String(cString: target)
    }

    /// The units as they come with the program, for whoever enables them.
    ///
    /// - Throws: ``DesktopError`` for a path that systemd does not take.
    public static func shippedUnits(
        _ job: Job, every interval: JobInterval
    ) throws(DesktopError) -> (service: String, timer: String) {
        let units = try units(job, every: interval, marker: shippedMarker)
        return (units[0].text, units[1].text)
    }

    /// Has systemd run a job, in place of the one that it ran for us before.
    ///
    /// The timer is enabled by hand, as `systemctl --user enable` would do it, so that there need not be a
    /// user manager now.
    ///
    /// - Returns: whether it runs from now on; it runs from the next login otherwise.
    /// - Throws: ``DesktopError``, also where systemd does not run the machine, or where there are units of the
    ///   same name that are not ours.
    public func install(_ job: Job, every interval: JobInterval) throws(DesktopError) -> Bool {
        guard access(booted, F_OK) == 0 else {
            throw DesktopError(
                attempt: "install a systemd timer", reason: "systemd does not run on this machine",
                advice: "'tomorrow schedule install' has cron do it.")
        }
        let units = try Self.units(job, every: interval, marker: Self.marker)
        for (name, _) in units { try requireOurs(name) }
        try DesktopError.wrapping("write \(file(Self.timer))") { () throws(SystemError) in
            try makeFolders(folder + "/" + Self.wants)
            for (name, text) in units where try contents(file(name)) != text { try write(text, to: name) }
            if symlink("../" + Self.timer, link) != 0, errno != EEXIST { throw .last }
        }
        return manage("daemon-reload") && manage("restart", Self.timer)
    }

    /// Takes it away, and the folders that are then empty.
    ///
    /// - Returns: whether there was one.
    /// - Throws: ``DesktopError``.
    @discardableResult
    public func remove() throws(DesktopError) -> Bool {
        let ours = [Self.timer, Self.service].filter(isOurs)
        if ours.isEmpty { return false }
        _ = manage("stop", Self.timer)
        for path in (isOurs(Self.timer) ? [link] : []) + ours.map(file) {
            if unlink(path) != 0, errno != ENOENT {
                throw DesktopError(attempt: "remove \(path)", reason: SystemError.last.reason)
            }
        }
        for path in [folder + "/" + Self.wants, folder, String(folder.dropLast("/user".count))] {
            rmdir(path)
        }
        _ = manage("daemon-reload")
        return true
    }

    /// The two files (`systemd.service(5)`, `systemd.timer(5)`).
    private static func units(
        _ job: Job, every interval: JobInterval, marker: String
    ) throws(DesktopError) -> [(name: String, text: String)] {
        let service = """
            \(marker)
            [Unit]
            Description=Remove the voice memos that are over

            [Service]
            Type=oneshot
            \(try job.serviceLines().joined(separator: "\n"))

            """
        let timer = """
            \(marker)
            [Unit]
            Description=Look for voice memos that are over

            [Timer]
            OnCalendar=\(interval.calendar)
            AccuracySec=1s
            Persistent=true

            [Install]
            WantedBy=timers.target

            """
        return [(Self.service, service), (Self.timer, timer)]
    }

    private var link: String { folder + "/\(Self.wants)/\(Self.timer)" }

    /// Asks the user's manager for something, and says whether it did it.
    private func manage(_ words: String...) -> Bool {
        guard let systemctl else { return false }
        let ending = try? Subprocess.run(
            [systemctl, "--user", "--quiet"] + words, keeps: true, milliseconds: Self.milliseconds,
            to: "ask systemd")
        return ending?.status == 0
    }

    private func file(_ name: String) -> String { folder + "/" + name }

    private func isOurs(_ name: String) -> Bool { begins(file(name), with: Self.marker) }

    private func begins(_ path: String, with marker: String) -> Bool {
        (try? contents(path))?.hasPrefix(marker) == true
    }

    /// Leaves a file alone that somebody else has written.
    private func requireOurs(_ name: String) throws(DesktopError) {
        let text = try DesktopError.wrapping("read \(file(name))") { () throws(SystemError) in
            try contents(file(name))
        }
        if let text, !text.hasPrefix(Self.marker) {
            throw DesktopError(
                attempt: "write \(file(name))", reason: "there is one that is not ours",
                advice: "Move it away first.")
        }
    }

    /// A file's text, or nil where there is none.
    private func contents(_ path: String) throws(SystemError) -> String? {
        do {
            let file = try FileDescriptor(opening: path, flags: O_RDONLY)
            var bytes = [UInt8](repeating: 0, count: 65_536)
            let count = try retryingInterrupts { read(file.number, &bytes, bytes.count) }
            return String(decoding: bytes[..<count], as: UTF8.self)
        } catch {
            if error.code == ENOENT || error.code == ENOTDIR { return nil }
            throw error
        }
    }

    /// Writes a file beside the old one and puts it in its place.
    private func write(_ text: String, to name: String) throws(SystemError) {
        let (path, new) = (file(name), file("." + name + ".new"))
        let file = try FileDescriptor(opening: new, flags: O_WRONLY | O_CREAT | O_TRUNC, mode: 0o644)
        var text = text
        let count = try retryingInterrupts {
            text.withUTF8 { Glibc.write(file.number, $0.baseAddress, $0.count) }
        }
        if count < text.utf8.count { throw SystemError(code: ENOSPC) }
        try file.sync()
        try retryingInterrupts { rename(new, path) }
    }

    private func makeFolders(_ path: String) throws(SystemError) {
        for end in path.indices where end > path.startIndex && path[end] == "/" {
            if mkdir(String(path[..<end]), 0o755) != 0, errno != EEXIST { throw .last }
        }
        if mkdir(path, 0o755) != 0, errno != EEXIST { throw .last }
    }
}
