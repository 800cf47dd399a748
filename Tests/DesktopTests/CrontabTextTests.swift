import Testing

@testable import Desktop

/// Crontabs in, crontabs out, byte for byte.
@Suite struct CrontabTextTests {
    static let job = Job(program: "/usr/local/bin/tomorrow", arguments: ["expire"], variables: [:])
    static let ours = "*/5 * * * * /usr/local/bin/tomorrow expire # by tomorrow schedule\n"
    static let fiveMinutes = JobInterval(seconds: 300)!

    private func installed(_ text: CrontabText, seconds: Double = 300) throws -> CrontabText {
        try text.installing(Self.job, every: try #require(JobInterval(seconds: seconds)))
    }

    /// Crontabs as people keep them.
    static let crontabs: [(name: String, bytes: [UInt8])] = [
        ("none", []),
        ("one line", Array("0 9 * * 1 mail -s 'week' me < /etc/motd\n".utf8)),
        ("no end of the last line", Array("0 9 * * * a\n30 9 * * * b".utf8)),
        ("a comment without an end", Array("# nothing yet".utf8)),
        ("only an end", Array("\n".utf8)),
        ("only ends", Array("\n\n\n".utf8)),
        ("white space", Array("  \n\t\n 5 4 * * * \t x \t\n   ".utf8)),
        ("carriage returns", Array("0 9 * * * a\r\n# b\r\n\r\n0 9 * * * c\r\n".utf8)),
        ("old Macintosh", Array("0 9 * * * a\r0 9 * * * b\r".utf8)),
        (
            "variables",
            Array("SHELL=/usr/bin/fish\nMAILTO=\"\"\nCRON_TZ=Asia/Tokyo\nHOME=/x\n@daily a % b \\% c\n".utf8)
        ),
        ("Latin-1 and a NUL", [0x23, 0xe4, 0xff, 0x00, 0x0a, 0xc3, 0x0a]),
        ("a marker in a comment", Array("# 5 5 * * * x # by tomorrow schedule\n".utf8)),
        ("ours as a comment", Array(("#" + ours + "  # " + ours).utf8)),
        ("a marker that goes on", Array("5 5 * * * x # by tomorrow schedule too\n".utf8)),
        ("our command by hand", Array("*/5 * * * * /usr/local/bin/tomorrow expire\n".utf8)),
        ("a long one", Array(String(repeating: "* * * * * :\n", count: 2_000).utf8)),
    ]

    @Test(arguments: crontabs)
    func whatWasThereIsKeptAndComesBackByteForByte(name: String, bytes: [UInt8]) throws {
        let before = CrontabText(bytes)
        #expect(before.line == nil)
        #expect(before.removing() == before)
        let with = try installed(before)
        #expect(with.bytes == Array(Self.ours.utf8) + bytes)
        #expect(try installed(with) == with, "installing twice changes something")
        #expect(with.interval?.minutes == 5)
        #expect(with.removing() == before)
        // Changing the interval on the way leaves no trace either.
        #expect(try installed(with, seconds: 3_600).removing() == before)
    }

    @Test func anotherIntervalTakesThePlaceOfTheOldOne() throws {
        let old = "a\n  0 */2 * * *  /old/tomorrow  expire # by tomorrow schedule \r\nb"
        #expect(CrontabText(Array(old.utf8)).interval?.minutes == 120)
        let new = try installed(CrontabText(Array(old.utf8)))
        #expect(String(decoding: new.bytes, as: UTF8.self) == "a\n" + Self.ours + "b")
    }

    @Test func ofTwoOfOursOneIsLeftAndBothAreTakenAway() throws {
        let hourly = "0 * * * * /x/tomorrow expire # by tomorrow schedule"
        let twice = CrontabText(Array("a\n\(hourly)\nb\n\(hourly)".utf8))
        #expect(try installed(twice).bytes == Array("a\n\(Self.ours)b\n".utf8))
        #expect(twice.removing().bytes == Array("a\nb\n".utf8))
    }

    @Test func timesOfOnesOwnAreNoInterval() {
        let text = CrontabText(Array("7 3 * * 1-5 x # by tomorrow schedule\n".utf8))
        #expect(text.line != nil)
        #expect(text.interval == nil)
    }

    /// Programs, variables, and the command of the line.
    static let commands: [(program: String, variables: [String: String], command: String)] = [
        ("/opt/a b/tomorrow", [:], "'/opt/a b/tomorrow' expire"),
        ("/opt/it's/tomorrow", [:], "'/opt/it'\\''s/tomorrow' expire"),
        ("/o/t", ["TOMORROW_STORE": "/a"], "TOMORROW_STORE=/a /o/t expire"),
        ("/o/t", ["X": "/z", "A": "$HOME `x` \"#\\"], "A='$HOME `x` \"#\\' X=/z /o/t expire"),
        ("/o/ü/t", ["A": ""], "A='' '/o/ü/t' expire"),
    ]

    @Test(arguments: commands)
    func pathsAreQuotedForTheShell(program: String, variables: [String: String], command: String) throws {
        let job = Job(program: program, arguments: ["expire"], variables: variables)
        #expect(try job.cronCommand(comment: "#") == command + " #")
    }

    /// Jobs that cannot stand in a crontab, and a word of why.
    static let refusals: [(program: String, store: String, why: String)] = [
        ("/opt/100%/tomorrow", "/s", "%"),
        ("/o/t", "/home/100%", "%"),
        ("/o/t", "/home/a\nb", "control character"),
        ("/o/t\r", "/s", "control character"),
        ("/o/t", "/home/a\0b", "control character"),
        ("/o/t", "/" + String(repeating: "a", count: 960), "longer"),
    ]

    @Test(arguments: refusals)
    func whatNoCrontabLineCanHoldIsRefused(program: String, store: String, why: String) {
        let job = Job(program: program, arguments: ["expire"], variables: ["TOMORROW_STORE": store])
        let error = #expect(throws: DesktopError.self) {
            _ = try CrontabText([]).installing(job, every: Self.fiveMinutes)
        }
        #expect(error?.reason.contains(why) == true)
    }

    @Test func theIntervalsAreThoseThatAreNamed() {
        let minutes = [1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30]
        let hours = [1, 2, 3, 4, 6, 8, 12, 24]
        #expect(JobInterval.all.map(\.minutes) == minutes + hours.map { $0 * 60 })
        let named = JobInterval.choices.matches(of: /[0-9]+/).compactMap { Int($0.0) }
        #expect(named == minutes + hours)
        for seconds in [0, 30, 59, 61, 300.5, 420, 5_400, 36_000, 172_800] {
            #expect(JobInterval(seconds: seconds) == nil, "\(seconds)")
        }
    }

    @Test(arguments: JobInterval.all.map(\.minutes))
    func anIntervalIsReadBackFromWhatWasWritten(minutes: Int) throws {
        let interval = try #require(JobInterval(seconds: Double(minutes * 60)))
        #expect(JobInterval(cronFields: interval.cronFields) == interval)
        #expect(JobInterval(calendar: interval.calendar) == interval)
    }
}
