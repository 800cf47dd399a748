import Foundation
import Linux
import TestSupport
import Testing

/// `tomorrow schedule` with the real crontab program, on crontabs of the tests' own.
@Suite struct ScheduleTests {
    private let rig: CronRig

    init() throws {
        rig = try CronRig()
    }

    /// What `schedule status` says.
    private func status() throws -> String {
        let result = try rig.schedule("status")
        #expect(result.status == 0)
        return result.output
    }

    @Test(arguments: [nil, "# mine\nMAILTO=\"\"\nSHELL=/usr/bin/fish\n0 9 * * 1 date +\\%F\n\n"])
    func aLineIsAddedAndTakenAwayAgain(before: String?) throws {
        rig.crontab = before
        #expect(try status().hasPrefix("Nothing runs"))
        for _ in 1...2 {
            let installed = try rig.schedule("install")
            #expect(installed.status == 0)
            #expect(installed.notes == "Cron runs 'tomorrow expire' every 5 min.\n")
            let line = try #require(rig.crontab?.split(separator: "\n").first)
            #expect(line.hasPrefix("*/5 * * * * TOMORROW_STORE="))
            #expect(line.hasSuffix("/tomorrow expire # by tomorrow schedule"))
            #expect(rig.crontab == line + "\n" + (before ?? ""))
            #expect(
                try status()
                    == "Cron runs 'tomorrow expire' every 5 min:\n  \(line)\n'tomorrow expire' has never run.\n"
            )
        }
        #expect(try rig.schedule("install", "--every", "2h").status == 0)
        #expect(try status().hasPrefix("Cron runs 'tomorrow expire' every 2 h:\n  0 */2 * * * "))
        #expect(try rig.schedule("remove").notes == "The line in your crontab is gone.\n")
        #expect(rig.crontab == before)
        #expect(try rig.schedule("remove").notes == "There was nothing to remove.\n")
    }

    /// `crontab -l` does not hand them out as they are.
    @Test func carriageReturnsAreNotTouched() throws {
        let before = "# mine\r\n0 9 * * * a\r\n"
        rig.crontab = before
        let refused = try rig.schedule("install")
        #expect(refused.status == 1)
        #expect(refused.notes.contains("tomorrow: cannot write your crontab: there is \\r in it"))
        #expect(refused.notes.contains("  Add this line with 'crontab -e': */5 * * * * "))
        #expect(rig.crontab == before)
        #expect(try rig.schedule("remove").status == 0)
        #expect(rig.crontab == before)
    }

    @Test func aLastLineWithoutAnEndIsGivenOneWhereCrontabWantsIt() throws {
        rig.crontab = "0 9 * * * a"
        #expect(try rig.schedule("install").status == 0)
        #expect(rig.crontab?.hasSuffix("# by tomorrow schedule\n0 9 * * * a\n") == true)
        #expect(try rig.schedule("remove").status == 0)
        #expect(rig.crontab == "0 9 * * * a\n")
    }

    /// What cron does with the line: its command in a shell that knows nothing else.
    @Test func theLineFindsTheSameStoreInABareEnvironment() throws {
        rig.environment["TOMORROW_STORE"] = rig.folder.file("it's a \"store\" $HOME")
        let threeDaysAgo = Rig.Clock(seconds: Int(Date().timeIntervalSince1970) - 3 * 86_400)
        #expect(try rig.run("record", "-D", "mic", "-d", "1", at: threeDaysAgo).status == 0)
        #expect(try rig.schedule("install").status == 0)
        let line = try #require(rig.crontab?.split(separator: "\n").first)
        let command = line.split(separator: " ", maxSplits: 5)[5]
        let ran = try Child(["/bin/sh", "-c", String(command)], environment: ["HOME": "/"]).finish()
        #expect(ran.status == 0)
        #expect(ran.output.hasPrefix("Removed 1 memo"))
    }

    @Test func whatCronCannotTakeIsRefusedAndNothingIsWritten() throws {
        rig.crontab = "# mine\n"
        rig.environment["TOMORROW_STORE"] = rig.folder.file("100%")
        let refused = try rig.schedule("install")
        #expect(refused.status == 1)
        #expect(refused.notes.contains(": cron cannot take the % in TOMORROW_STORE='"))
        #expect(rig.crontab == "# mine\n")
    }

    @Test func whoMayNotUseCronMayUseSystemd() throws {
        try rig.folder.writeProgram("crontab", "echo 'You are not allowed' >&2; exit 1\n")
        rig.environment["PATH"] = rig.folder.path + ":/usr/bin:/bin"
        for word in ["install", "status", "remove"] {
            let refused = try rig.schedule(word)
            #expect(refused.status == 1)
            #expect(refused.notes == "tomorrow: cannot read your crontab: You are not allowed\n")
        }
        rig.isBootedBySystemd = true
        #expect(try rig.schedule("install", "--with", "systemd").status == 0)
        #expect(try status().hasPrefix("A systemd timer"))
        #expect(try rig.schedule("remove").notes == "The systemd timer is gone.\n")
        #expect(rig.folder.names(in: "home/.config").isEmpty)
    }

    @Test func aStarterThatIgnoredTheEndOfItsChildrenDoesNotMatter() throws {
        let starter = "import os, signal, sys; signal.signal(signal.SIGCHLD, signal.SIG_IGN); "
        let shown = try rig.tool(
            "/usr/bin/python3", "-c", starter + "os.execv(sys.argv[1], sys.argv[1:])", Rig.program,
            "schedule",
            "status")
        #expect(shown.status == 0)
        #expect(shown.notes == "")
    }

    /// Arguments, and what the error says.
    @Test(arguments: [
        (["start"], "'start' is not install, remove or status"),
        ([], "'schedule' needs install|remove|status"),
        (["install", "status"], "'schedule' does not take 'status'"),
        (["install", "--every", "7m"], "'7m' is not one of the lengths that cron can repeat: 1, 2, 3,"),
        (["install", "--every", "90"], "'90' is not one of"),
        (["install", "--every", "x"], "'x' is not one of"),
        (["install", "--with", "at"], "'--with' takes cron or systemd, not 'at'"),
        (["status", "--every=5m"], "'--every' goes with install only"),
        (["install", "--json"], "'--json' goes with status only"),
    ])
    func whatIsTypedWronglyIsNamed(arguments: [String], message: String) throws {
        let refused = try rig.start(["schedule"] + arguments).finish()
        #expect(refused.status == 2)
        #expect(refused.notes.contains("tomorrow: \(message)"))
    }

    @Test func aMachineWithoutCronIsToldWhatToInstall() throws {
        rig.environment["PATH"] = rig.folder.path
        let refused = try rig.run("schedule", "install")
        #expect(refused.status == 1)
        #expect(
            refused.notes == """
                tomorrow: cannot read your crontab: there is no crontab program on this machine
                  Debian's package cron has it; or use a systemd timer: --with systemd.

                """)
        #expect(try rig.run("schedule", "status").output.hasPrefix("Nothing runs"))
        #expect(try rig.run("schedule", "remove").status == 0)
    }

    /// Each takes the other's away when it has installed its own; together they must not leave none, nor both.
    @Test func tenAtOnceLeaveOneOfTheTwo() throws {
        rig.isBootedBySystemd = true
        rig.crontab = "# mine\n"
        let children = try (1...10).map { number in
            try rig.startSchedule(
                "install", "--every", "\(number % 3 + 1)m", "--with", number % 2 == 0 ? "cron" : "systemd")
        }
        for child in children {
            let result = child.finish()
            #expect(result.status == 0, "\(result.notes)")
        }
        let hasTimer = rig.folder.names(in: "home/.config/systemd/user").contains("tomorrow.timer")
        let lines = rig.crontab?.split(separator: "\n") ?? []
        #expect(lines.last == "# mine")
        #expect(lines.count == (hasTimer ? 1 : 2), "\(lines)")
    }

    @Test func whoChangesTheScheduleWaitsForItsTurnAndWhoAsksDoesNot() throws {
        var other: FileDescriptor? = try FileDescriptor(
            opening: rig.folder.file("home"), flags: O_RDONLY | O_DIRECTORY)
        #expect(try other?.lock() == true)
        let waiting = try rig.startSchedule("install")
        #expect(try rig.schedule("status").status == 0)
        #expect(!waiting.ends(within: 1))
        other = nil
        #expect(waiting.finish().status == 0)
    }

    @Test func theUnitsThatAPackageBringsKnowNothingOfWhoBuildsIt() throws {
        let service = try rig.run("schedule", "service").output
        #expect(service.contains("\nExecStart=\"\(Rig.program)\" expire\n"))
        #expect(!service.contains(rig.folder.path))
        #expect(try rig.run("schedule", "timer").output.contains("\nOnCalendar=*:0/5\n"))
    }

    @Test func aTimerOfThePackageIsSeenAndNotTakenAway() throws {
        let wants = "home/.config/systemd/user/timers.target.wants"
        try FileManager.default.createDirectory(
            atPath: rig.folder.file(wants), withIntermediateDirectories: true)
        let shipped = try rig.folder.write("tomorrow.timer", rig.run("schedule", "timer").output)
        try FileManager.default.createSymbolicLink(
            atPath: rig.folder.file(wants + "/tomorrow.timer"), withDestinationPath: shipped)
        #expect(
            try status().hasPrefix("A systemd timer runs 'tomorrow expire' every 5 min:\n  \(shipped)\n"))
        #expect(try rig.schedule("remove").notes.hasPrefix("The timer that came with the program is still"))
    }

    @Test func whereSystemdDoesNotRunTheLineStays() throws {
        #expect(try rig.schedule("install").status == 0)
        let before = rig.crontab
        let refused = try rig.schedule("install", "--with", "systemd")
        #expect(refused.status == 1)
        #expect(
            refused.notes == """
                tomorrow: cannot install a systemd timer: systemd does not run on this machine
                  'tomorrow schedule install' has cron do it.

                """)
        #expect(rig.crontab == before && before?.isEmpty == false)
        #expect(rig.folder.names(in: "home/.config").isEmpty)
    }

    /// What `doctor` says of the schedule, in the words behind `schedule: `.
    private func diagnosis(at clock: Rig.Clock) throws -> String {
        let lines = try rig.doctor(at: clock).output.split(separator: "\n")
        let index = try #require(lines.firstIndex { $0.contains(" schedule: ") })
        return String(lines[index].replacing(#/ +schedule: /#, with: ": "))
    }

    @Test func doctorSeesWhatIsInstalledAndWhetherItComes() throws {
        let noon = Rig.Clock("2026-11-30 12:00:00")
        let nothing = "wrong: nothing runs 'expire'"
        let last = "'expire' last ran Mon 2026-11-30 12:00"
        #expect(try diagnosis(at: noon) == nothing)
        #expect(try rig.schedule("install", "--every", "2h").status == 0)
        #expect(try diagnosis(at: noon) == "ok: is installed; there is nothing yet for 'expire'")
        try rig.run("record", "-y", "-D", "mic", "-d", "1", at: noon)
        #expect(try diagnosis(at: noon) == "wrong: 'expire' has never run")
        try rig.run("expire", at: noon)
        // Two hours are far from being late for what comes every two hours.
        #expect(try diagnosis(at: noon.adding(seconds: 7_300)).hasPrefix("ok: \(last)"))
        #expect(try diagnosis(at: noon.adding(seconds: 4 * 7_200)).hasPrefix("wrong: \(last)"))
        #expect(try diagnosis(at: noon.adding(seconds: -3_600)).hasSuffix(", which is still to come"))
        #expect(try rig.schedule("remove").status == 0)
        #expect(try diagnosis(at: noon.adding(seconds: 60)).hasPrefix(nothing + "; it last ran Mon"))
    }

    @Test func aTimerTakesThePlaceOfTheLineAndTheOtherWayRound() throws {
        rig.isBootedBySystemd = true
        #expect(try rig.schedule("install").status == 0)
        let changed = try rig.schedule("install", "--with", "systemd", "--every", "10m")
        #expect(changed.status == 0)
        #expect(
            changed.notes == """
                A systemd timer runs 'tomorrow expire' from your next login on, every 10 min while you are \
                logged in.
                The line in your crontab is gone.

                """)
        #expect(rig.crontab == nil)
        #expect(rig.folder.names(in: "home/.config/systemd/user").contains("tomorrow.timer"))
        #expect(try status().hasPrefix("A systemd timer runs 'tomorrow expire' every 10 min:\n"))

        let back = try rig.schedule("install", "--with=cron")
        #expect(back.notes.hasSuffix("The systemd timer is gone.\n"))
        #expect(rig.folder.names(in: "home/.config").isEmpty)
        #expect(try status().hasPrefix("Cron runs"))
    }
}
