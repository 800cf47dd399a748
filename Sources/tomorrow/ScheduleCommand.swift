import CommandTable
import Desktop
import Glibc
import Linux
import Memos
import Terminal

/// `tomorrow schedule install|remove|status`: who runs `tomorrow expire`, and how often.
struct ScheduleCommand {
    private let context: Context
    private static let fiveMinutes = JobInterval(seconds: 300)!
    /// How long another process may take to change the schedule: crontab(1), run thrice, has 10 s each time.
    private static let turnMilliseconds: Int64 = 40_000

    init(_ context: Context) {
        self.context = context
    }

    func run() throws -> ExitStatus {
        let word = context.invocation.operands[0]
        guard ["install", "remove", "status", "service", "timer"].contains(word) else {
            throw UsageError("'\(word)' is not install, remove or status", command: "schedule")
        }
        let goesWith = ["with": "install", "every": "install", "json": "status"]
        for (name, owner) in goesWith.sorted(by: { $0.key < $1.key }) where word != owner {
            if let option = context.invocation.option(name) {
                throw UsageError("'\(option.typed)' goes with \(owner) only", command: "schedule")
            }
        }
        if ["service", "timer"].contains(word) {
            try printUnit(word)
            return .done
        }
        context.noteConfigurationMistakes()
        let turn = word == "status" ? nil : try takeTurn()
        switch word {
        case "install": try install()
        case "remove": try remove()
        default: try showStatus()
        }
        withExtendedLifetime(turn) {}
        return .done
    }

    /// Keeps other processes of the user from changing the schedule as long as it is held: a crontab is read, then
    /// written, and whoever installs one of the two takes the other away. It is a lock on the home folder, of
    /// which nothing is left behind.
    ///
    /// - Returns: nil where there is no folder, or none that can be locked.
    private func takeTurn() throws -> FileDescriptor? {
        guard let home = context.places.home,
            let folder = try? FileDescriptor(opening: home, flags: O_RDONLY | O_DIRECTORY)
        else { return nil }
        let deadline = MonotonicClock.milliseconds + Self.turnMilliseconds
        while (try? folder.lock()) == false {
            guard MonotonicClock.milliseconds < deadline else {
                throw Failure(
                    .failed, "cannot change the schedule: another program keeps \(home) locked",
                    advice: "Try again when it is done; 'lslocks' names it.")
            }
            usleep(10_000)
        }
        return folder
    }

    /// One of the units that come with the program, for a package to bring. What is in this environment is not
    /// everybody's.
    private func printUnit(_ word: String) throws {
        let job = Job(program: try program(), arguments: ["expire"], variables: [:])
        let units = try SystemdTimer.shippedUnits(job, every: Self.fiveMinutes)
        Console.output(word == "service" ? units.service : units.timer)
    }

    /// Installs one of the two, then takes away the other: there is never none.
    private func install() throws {
        let interval = try interval()
        let method = context.invocation.option("with")?.value ?? "cron"
        let job = Job(
            program: try program(), arguments: ["expire"], variables: try context.places.jobVariables())
        let often = Self.text(interval)
        if method == "cron" {
            try Crontab(path: context.places.programs).install(job, every: interval)
            Console.note("Cron runs 'tomorrow expire' \(often).")
            if try timer().remove() { Console.note("The systemd timer is gone.") }
        } else {
            let runsNow = try timer().install(job, every: interval)
            let from = runsNow ? "" : " from your next login on,"
            Console.note("A systemd timer runs 'tomorrow expire'\(from) \(often) while you are logged in.")
            // Who may not use cron may well use systemd.
            if (try? crontab?.remove()) == true { Console.note("The line in your crontab is gone.") }
        }
    }

    private func remove() throws {
        let hadTimer = try timer().remove()
        let hadLine = try hadTimer ? (try? crontab?.remove()) ?? false : crontab?.remove() ?? false
        if hadLine { Console.note("The line in your crontab is gone.") }
        if hadTimer { Console.note("The systemd timer is gone.") }
        if try timer().path != nil {
            Console.note(
                "The timer that came with the program is still enabled: "
                    + "'systemctl --user disable --now tomorrow.timer' ends it.")
        } else if !hadLine, !hadTimer {
            Console.note("There was nothing to remove.")
        }
    }

    private func showStatus() throws {
        let timer = try timer()
        let timerPath = timer.path
        let table = try timerPath != nil ? try? crontab?.read() : crontab?.read()
        let last = try Store(readingOnly: context.places.store())?.lastExpiry
        if context.wantsJSON {
            let json = try MemoJSON()
            func seconds(_ interval: JobInterval?) -> JSONText {
                .integer(interval.map { Int64($0.minutes * 60) })
            }
            json.print([
                "now": json.time(context.now),
                "cron": try table?.line.map {
                    json.object(["line": try json.text($0), "every_seconds": seconds(table?.interval)])
                } ?? .null,
                "systemd": try timerPath.map {
                    json.object(["path": try json.text($0), "every_seconds": seconds(timer.interval)])
                } ?? .null,
                "last_expire_at": json.time(last?.at),
                "last_expire_worked": last.map { .boolean($0.worked) } ?? .null,
            ])
            return
        }
        var lines: [String] = []
        if let line = table?.line {
            lines.append("Cron runs 'tomorrow expire' \(Self.text(table?.interval)):")
            lines.append("  " + VisibleText.of(line))
        }
        if let timerPath {
            lines.append("A systemd timer runs 'tomorrow expire' \(Self.text(timer.interval)):")
            lines.append("  " + VisibleText.of(timerPath))
        }
        if lines.isEmpty {
            lines.append(
                "Nothing runs 'tomorrow expire': memos that are over cannot be heard, but take space.")
            lines.append("  'tomorrow schedule install' has it run by itself.")
        }
        if let last {
            let outcome = last.worked ? "did its work" : "could not do all that there was to do"
            lines.append("'tomorrow expire' last ran \(HumanText.time(last.at)), and \(outcome).")
        } else {
            lines.append("'tomorrow expire' has never run.")
        }
        Console.show(lines.joined(separator: "\n") + "\n")
    }

    /// One of the two that is installed, as far as can be seen: how often it runs, where that is known.
    var installed: (interval: JobInterval?, isCron: Bool)? {
        if let timer = try? timer(), timer.path != nil { return (timer.interval, false) }
        guard let table = try? crontab?.read(), table.line != nil else { return nil }
        return (table.interval, true)
    }

    private func interval() throws -> JobInterval {
        guard let option = context.invocation.option("every"), let value = option.value else {
            return Self.fiveMinutes
        }
        guard let interval = DurationText.seconds(value).flatMap({ JobInterval(seconds: $0) }) else {
            throw UsageError(
                "'\(value)' is not one of the lengths that cron can repeat: \(JobInterval.choices)",
                command: "schedule")
        }
        return interval
    }

    private func program() throws -> String {
        guard let path = ProcessArguments.program else {
            throw Failure(.failed, "cannot schedule tomorrow: its own file is not to be found")
        }
        return path
    }

    /// The user's crontab, or nil on a machine without cron.
    private var crontab: Crontab? { try? Crontab(path: context.places.programs) }

    private func timer() throws -> SystemdTimer {
        guard let folder = context.places.configurationFolder else {
            throw Failure(.failed, "cannot find the settings' folder: there is no home folder")
        }
        return SystemdTimer(configuration: folder, path: context.places.programs)
    }

    /// `every 5 min`, `every 2 h`.
    private static func text(_ interval: JobInterval?) -> String {
        guard let minutes = interval?.minutes else { return "at times of its own" }
        return minutes < 60 ? "every \(minutes) min" : "every \(minutes / 60) h"
    }
}
