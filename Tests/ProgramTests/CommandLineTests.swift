import Foundation
import TestSupport
import Testing

/// What a script relies on.
@Suite struct CommandLineTests {
    static let keys: Set = [
        "id", "title", "category", "state", "created_at", "show_at", "expire_at", "duration_seconds",
        "format",
        "sample_rate", "channels", "bits", "bytes", "peak_dbfs", "clips", "gap_seconds", "interrupted",
        "heard_at", "position_seconds", "markers",
    ]

    @Test func jsonHasAllItsKeysAlways() throws {
        let rig = try FileRig()
        let today = Rig.Clock("2026-11-30 09:00:00")
        let tomorrow = today.adding(seconds: 86_400)
        let recorded = Rig.object(
            try rig.run(
                "record", "-D", "mic", "-d", "1", "-t", "a \"b\" \\ \u{1b}[1m 日本 👨‍👩‍👧\n", "--json", at: today
            ).output)
        #expect(Set(recorded.keys) == ["version", "memo"])
        let listed = Rig.object(try rig.run("list", "--json", at: tomorrow).output)
        #expect(Set(listed.keys) == ["version", "now", "memos", "waiting_count"])
        let shown = Rig.object(try rig.run("show", "latest", "--json", at: tomorrow).output)
        #expect(Set(shown.keys) == ["version", "memo"])
        for memo in [recorded["memo"], (listed["memos"] as? [Any])?.first, shown["memo"]] {
            let memo = try #require(memo as? [String: Any])
            #expect(Set(memo.keys) == Self.keys)
            #expect(memo["title"] as? String == "a \"b\" \\ \u{1b}[1m 日本 👨‍👩‍👧\n")
        }
        let status = Rig.object(try rig.run("status", "--json", at: tomorrow).output)
        #expect(
            Set(status.keys) == [
                "version", "now", "available_count", "unheard_count", "waiting_count", "recording",
                "next_arrival_at", "next_departure_at", "bytes", "last_expire_at", "last_expire_worked",
            ])
        #expect(try rig.run("list", at: tomorrow).output.contains("a \"b\" \\ ^[[1m 日本 👨‍👩‍👧^J"))
    }

    @Test func showDrawsTheWaveform() throws {
        let quiet = Noise.data((0..<24_000).map { Int16($0 % 100) })
        let rig = try FileRig(microphone: quiet + Noise.bits16(frames: 24_000) + quiet)
        let today = Rig.Clock("2026-11-30 09:00:00")
        try rig.run("record", "-D", "mic", "-d", "1", at: today)
        let measured = try rig.run("show", "1", at: today.adding(seconds: 86_400)).output.split(
            separator: "\n")[0]
        #expect(measured.count == 80)
        #expect(measured.wholeMatch(of: /[▁▂▃]{39,41}█{39,41}/) != nil, "\(measured)")
        // Without what was measured, it is drawn from the file.
        _ = try rig.tool("sqlite3", rig.folder.file("store/memos.db"), "DELETE FROM waveforms")
        let read = try rig.run("show", "1", at: today.adding(seconds: 86_400)).output.split(separator: "\n")[
            0]
        #expect(read == measured)
    }

    @Test func timesAreShownInTheZoneOfWhoeverLooks() throws {
        let rig = try FileRig()
        let berlin = Rig.Clock("2026-11-30 09:00:00", "Europe/Berlin")
        try rig.run("record", "-D", "mic", "-d", "1", at: berlin)
        let elsewhere = Rig.Clock(seconds: berlin.seconds, zone: "America/St_Johns")
        let memo = try #require(try rig.memos("--waiting", at: elsewhere).first)
        #expect(memo["show_at"] as? String == "2026-11-30T19:30:00-03:30")
        #expect(Rig.seconds(memo["show_at"] as? String ?? "") == berlin.seconds + 15 * 3600)
    }

    /// Wrong usage, and the words that name it.
    static let wrong: [(arguments: [String], words: String)] = [
        (["record", "--at", "25:00"], "'--at' takes a clock time such as 07:30, not '25:00'"),
        (["record", "--stop-on-silence", "x"], "'--stop-on-silence' takes a length such as"),
        (["record", "-f", "mp4"], "'-f' takes one of flac, wav, opus, vorbis, mp3, alac, not 'mp4'"),
        (["record", "--bits=20"], "'--bits' takes 16 or 24, not '20'"),
        (["record", "-r", "1"], "'-r' takes a number from 8000 to 192000, not '1'"),
        (["record", "--channels", "0"], "'--channels' takes a number from 1 to 8, not '0'"),
        (["record", "-d", "0"], "'-d' takes a length such as 90, 90s, 1m30s or 1:30, not '0'"),
        (["record", "-d", "1:75"], "not '1:75'"), (["record", "-d", "-5"], "not '-5'"),
        (["record", "-d", "1e9"], "not '1e9'"), (["record", "-d", "1s1m"], "not '1s1m'"),
        (
            ["record", "-c", "work"],
            "'-c' takes one of focus, presence, courage, fun, ambition, imagination, not"
        ),
        (["play", "one"], "'one' is not the number of a memo, nor 'latest'"),
        (["play", "1.5"], "'1.5' is not"), (["show", "0"], "'0' is not"),
        (["frobnicate"], "there is no command 'frobnicate'"),
        (["help", "frobnicate"], "there is no command"),
    ]

    @Test(arguments: wrong)
    func wrongUsageIsStatusTwoAndNamesTheWord(arguments: [String], words: String) throws {
        let rig = try Rig()
        let ended = try rig.start(arguments).finish()
        #expect(ended.status == 2)
        #expect(ended.notes.hasPrefix("tomorrow: "))
        #expect(ended.notes.contains(words), "\(ended.notes)")
        #expect(ended.output.isEmpty)
        #expect(rig.folder.names() == ["home"])
    }

    /// Slips of the finger, and all that is said about them.
    static let slips: [(arguments: [String], words: String)] = [
        (["recrod"], "there is no command 'recrod'\n  Did you mean 'record'?"),
        (["help", "pley"], "there is no command 'pley'\n  Did you mean 'play'?"),
        (["list", "--wating"], "'list' has no option '--wating'\n  Did you mean '--waiting'?"),
        (
            ["record", "-c", "corage"],
            "'-c' takes one of focus, presence, courage, fun, ambition, imagination, not 'corage'\n"
                + "  Did you mean 'courage'?"
        ),
        (
            ["record", "-f", "opsu"],
            "'-f' takes one of flac, wav, opus, vorbis, mp3, alac, not 'opsu'\n  Did you mean 'opus'?"
        ),
        (
            ["list", "--color=on"],
            "'--color' takes one of auto, always, never, not 'on'\n"
                + "  'tomorrow help list' says what can be given."
        ),
    ]

    @Test(arguments: slips)
    func aSlipOfTheFingerIsAnsweredWithWhatWasPerhapsMeant(arguments: [String], words: String) throws {
        let refused = try Rig().start(arguments).finish()
        #expect(refused.status == 2)
        #expect(refused.notes == "tomorrow: \(words)\n")
    }

    @Test(arguments: [["record", "-c", "work"], ["import", "x.wav", "-c", "work"], ["list", "-c", "work"]])
    func whereCategoriesAreNamedIsSaid(arguments: [String]) throws {
        let rig = try Rig()
        try rig.configure("categories = family\n")
        let path = rig.folder.file("home/.config/tomorrow/config")
        let refused = try rig.start(arguments).finish()
        #expect(refused.status == 2)
        #expect(
            refused.notes.hasSuffix("\n  Others are named by 'categories' in \(path).\n"), "\(refused.notes)")
    }

    @Test func aLengthCanBeTypedInEveryUsualWay() throws {
        let rig = try FileRig()
        for (typed, seconds) in [
            ("2", 2), ("1.5", 1.5), ("2s", 2), ("0m2s", 2), ("0:02", 2), ("0:00:01.5", 1.5), ("1m", 60),
        ] {
            let recorded = try rig.run("record", "-D", "mic", "-d", typed, "--json")
            let memo = Rig.object(recorded.output)["memo"] as? [String: Any]
            #expect(memo?["duration_seconds"] as? Double == seconds, "\(typed)")
        }
    }

    @Test func theConfigurationAddsCategoriesAndItsMistakesAreTold() throws {
        let rig = try FileRig()
        try rig.configure("# mine\ncategories = work, family\nrate = 16000\ncapture-device = mic\n")
        let recorded = try rig.run("record", "-d", "1", "-c", "family", "--json")
        let memo = Rig.object(recorded.output)["memo"] as? [String: Any]
        #expect(memo?["category"] as? String == "family")
        #expect(memo?["sample_rate"] as? Int == 16_000)

        try rig.configure("rate = 16000\nday-strat = 04:00\nformat = flak\nnothing = 1\n")
        let refused = try rig.run("record", "-D", "mic", "-d", "1")
        #expect(refused.status == 2)
        #expect(
            refused.notes.contains("config:2: there is no setting 'day-strat'; did you mean 'day-start'?"))
        let listed = try rig.run("list")
        #expect(listed.status == 0)
        #expect(listed.notes.contains("config:3: 'flak' is not a format; did you mean 'flac'?\n"))
        #expect(listed.notes.contains("config:4: there is no setting 'nothing'\n"))
        let expired = try rig.run("expire")
        #expect(expired.status == 0 && expired.notes.isEmpty)
    }

    /// Lines of the configuration, what is said of the last of them, and whether a memo is made all the same.
    @Test(arguments: [
        ("volume = 300", "'300' is not a number from 0 to 200", true),
        ("bits = 12", "'12' is not 16 or 24", true),
        ("frmat = opus", "there is no setting 'frmat'; did you mean 'format'?", true),
        (
            "format = opus # smaller",
            "'opus # smaller' is not a format; a comment is a line of its own", true
        ),
        ("rate = 8000\nrate = 48000", "'rate' is there twice; this one counts", true),
        ("categories = a\ncategories = b\nnonsense", "'nonsense' is not 'key = value'", true),
        (String(repeating: "?\n", count: 30) + "day-start = 4 am", "'4 am' is not a clock time", false),
        ("day-start 04:00", "'day-start 04:00' is not 'key = value'", false),
        ("day start = 04:00", "there is no setting 'day start'; did you mean 'day-start'?", false),
        ("daystart = 04:00", "there is no setting 'daystart'; did you mean 'day-start'?", false),
    ])
    func noThoughtIsLostToAMistakeThatLeavesItsTimesAlone(text: String, message: String, isMade: Bool) throws
    {
        let rig = try FileRig()
        try rig.configure(text + "\n")
        let sound = rig.folder.file("a.wav")
        _ = try rig.tool("sox", "-n", "-r", "8000", "-b", "16", sound, "trim", "0", "1")
        for command in [["record", "-D", "mic", "-d", "1"], ["import", sound]] {
            let ended = try rig.start(command).finish()
            #expect(ended.status == (isMade ? 0 : 2), "\(ended.notes)")
            let line = text.split(separator: "\n").count
            #expect(ended.notes.contains("config:\(line): \(message)"), "\(ended.notes)")
        }
        #expect(try rig.memos("--all").map { $0["format"] as? String } == (isMade ? ["flac", "wav"] : []))
    }

    @Test func aTakeStopsByItselfWhenItHasBeenSilent() throws {
        let speech = Noise.bits16(frames: 48_000)
        let rig = try FileRig(microphone: speech + Data(count: 96_000) + speech + Data(count: 960_000))
        for (silence, seconds) in [("0.5", 1.5), ("2", 5.0)] {
            let recorded = try rig.run("record", "-D", "mic", "--stop-on-silence", silence, "--json")
            let memo = Rig.object(recorded.output)["memo"] as? [String: Any]
            #expect(recorded.status == 0)
            #expect(memo?["duration_seconds"] as? Double == seconds)
        }
    }

    @Test func aTakeCanWaitForTheClock() throws {
        let rig = try FileRig()
        let clock = Rig.Clock("2026-11-30 07:29:58")
        let recording = try rig.start(
            ["record", "-D", "mic", "--at", "07:30", "-d", "1", "--json"], at: clock)
        #expect(recording.waits(for: "Waiting until Mon 2026-11-30 07:30.\n"))
        let memo = Rig.object(recording.finish().output)["memo"] as? [String: Any]
        let began = memo?["created_at"] as? String ?? ""
        #expect(began.hasPrefix("2026-11-30T07:30:00") || began.hasPrefix("2026-11-30T07:30:01"))

        // Tomorrow's, as today's is past; and a signal in the countdown is one that the shell sees.
        let waiting = try rig.start(["record", "-D", "mic", "--at", "07:00"], at: clock)
        #expect(waiting.waits(for: "Waiting until Tue 2026-12-01 07:00.\n"))
        waiting.send(SIGINT)
        #expect(waiting.finish().signal == SIGINT)
        #expect(try rig.memos("--waiting", at: clock).count == 1)
    }

    @Test func severalMemosArePlayedAndTheFirstFailureGivesTheStatus() throws {
        let rig = try FileRig()
        let today = Rig.Clock("2026-11-30 09:00:00")
        let tomorrow = today.adding(seconds: 86_400)
        for _ in 1...2 { try rig.run("record", "-D", "mic", "-d", "1", at: today) }
        try rig.run("record", "-D", "mic", "-d", "1", at: tomorrow)
        let played = try rig.run("play", "9", "3", "1", "2", "-D", "speaker", at: tomorrow)
        #expect(played.status == 3)
        #expect(played.notes.contains("Playing memo 1") && played.notes.contains("Playing memo 2"))
        #expect(played.notes.contains("cannot play memo 3: it is sealed"))
        // Without a number: what was not heard yet, else the newest.
        #expect(try rig.run("play", "-D", "speaker", at: tomorrow).notes.contains("Playing memo 2"))
    }

    @Test func aMemoThatCannotBePlayedDoesNotKeepTheOthersFromIt() throws {
        let rig = try FileRig()
        let today = Rig.Clock("2026-11-30 09:00:00")
        let tomorrow = today.adding(seconds: 86_400)
        for _ in 1...4 { try rig.run("record", "-D", "mic", "-d", "1", "-f", "wav", at: today) }
        let names = rig.folder.names(in: "store/audio").map { rig.folder.file("store/audio/" + $0) }
        try FileManager.default.removeItem(atPath: names[0])
        try Noise.bits16(frames: 20_000).write(to: URL(fileURLWithPath: names[1]))
        #expect(truncate(names[2], 50_000) == 0)
        let played = try rig.run("play", "-D", "speaker", at: tomorrow)
        #expect(played.status == 6)
        #expect(played.notes.contains("tomorrow: cannot play memo 1: its file is missing\n"))
        #expect(played.notes.contains("tomorrow: cannot read 2-"))
        #expect(played.notes.contains("tomorrow: cannot play memo 3 to its end: its file ends at 0:01\n"))
        #expect(played.notes.contains("Playing memo 4"))
        let heard = try rig.memos(at: tomorrow).filter { $0["heard_at"] is String }
        #expect(heard.compactMap { $0["id"] as? Int } == [4])
    }

    @Test func aDayOfDeliveryIsLaterThanTheStartThatIsWaitedFor() throws {
        let rig = try FileRig()
        let late = Rig.Clock("2026-11-30 23:59:56")
        for day in ["2026-12-01", "tomorrow"] {
            let refused = try rig.run("record", "-D", "mic", "--at", "00:00", "--deliver", day, at: late)
            #expect(refused.status == 2)
            #expect(refused.notes.contains("'--deliver' takes a day after the one on which it is recorded"))
        }
        let recorded = try rig.run(
            "record", "-D", "mic", "--at", "00:00", "--deliver", "2026-12-02", "-d", "1", "--json", at: late)
        let memo = Rig.object(recorded.output)["memo"] as? [String: Any]
        #expect((memo?["show_at"] as? String)?.hasPrefix("2026-12-02T00:00:00") == true)
    }

    @Test func closedStreamsAreNoFiles() throws {
        let rig = try FileRig()
        let closed = try Child(
            [
                "sh", "-c", "exec \"$@\" 0<&- 1>&- 2>&-", "sh", Rig.program, "record", "-D", "mic", "-d", "1",
                "--json",
            ], environment: rig.environment)
        #expect(closed.finish().status == 0)
        let file = rig.folder.file("store/audio/" + (rig.folder.names(in: "store/audio").first ?? ""))
        #expect(try IndependentProgram.isWhole(file))
        #expect(try IndependentProgram.frames(of: file) == 48_000)
    }

    @Test func withoutADeviceAQueueEndsWithOneError() throws {
        let rig = try FileRig()
        let today = Rig.Clock("2026-11-30 09:00:00")
        for _ in 1...3 { try rig.run("record", "-D", "mic", "-d", "1", at: today) }
        for operands in [[], ["1", "2", "3"]] {
            let refused = try rig.start(
                ["play", "-D", "nothing"] + operands, at: today.adding(seconds: 86_400)
            ).finish()
            #expect(refused.status == 5)
            #expect(refused.notes.split(separator: "\n").count == 2)
            #expect(refused.notes.hasPrefix("tomorrow: cannot play to nothing: there is no such device\n"))
        }
    }

    @Test func theShortStatusChangesNothing() throws {
        let rig = try FileRig()
        try FileManager.default.createDirectory(
            atPath: rig.folder.file("store"), withIntermediateDirectories: true)
        try rig.folder.write("store/memos.db", "")
        #expect(try rig.run("status", "--short").output.isEmpty)
        #expect(rig.folder.names(in: "store") == ["memos.db"])
        #expect(rig.folder.contents().allSatisfy { $0.data.isEmpty || !$0.path.hasPrefix("store") })
        try rig.run("record", "-D", "mic", "-d", "1")
        #expect(try rig.run("status", "--short").output == "1 waiting\n")
    }

    @Test func aStoreThatIsAFileIsAnErrorAndNoEmptyStore() throws {
        let rig = try FileRig()
        try rig.folder.write("store", "a file")
        for command in [["list"], ["play"], ["expire"], ["status"], ["record", "-D", "mic", "-d", "1"]] {
            let ended = try rig.start(command).finish()
            #expect(ended.status == 6, "\(command)")
            #expect(ended.notes.split(separator: "\n").count == 1)
        }
    }

    @Test func hostileNamesAreMadeVisibleInErrorsToo() throws {
        let rig = try Rig()
        for arguments in [
            ["a\u{1b}[31m\nb"], ["list", "--a\u{1b}[31m\nb"], ["record", "-D", "a\u{1b}[31m\nb"],
        ] {
            let ended = try rig.start(arguments).finish()
            #expect(!ended.notes.contains("\u{1b}"))
            #expect(ended.notes.contains("a^[[31m^Jb"))
            #expect(ended.notes.split(separator: "\n").count == 2)
        }
    }

    @Test(arguments: [Data(count: 60_000), Data(String(repeating: "?\n", count: 30_000).utf8)])
    func ofWhatIsNoConfigurationNotAllIsTold(contents: Data) throws {
        let rig = try Rig()
        try rig.configure("")
        try rig.folder.write("home/.config/tomorrow/config", contents)
        let ended = try rig.run("list")
        #expect(ended.status == 0 && ended.notes.contains("is not 'key = value'") == (contents[0] != 0))
        #expect(ended.notes.contains("config:1: ") && ended.notes.utf8.count < 10_000)
    }

    @Test func onlyWhereNoSoundServerAnswersIsItAskedWhetherThereIsOne() throws {
        let rig = try Rig()
        try rig.configureSound("pcm.served { type pulse server \"unix:\(rig.folder.file("none"))\" }")
        for (device, advice) in [
            ("nosuch", "'tomorrow devices' lists what there is; -D chooses one."),
            ("hw:9", "'tomorrow devices' lists what there is; -D chooses one."),
            ("served", "Is a sound server running?"),
        ] {
            let refused = try rig.run("record", "-D", device, "-d", "1")
            #expect(refused.status == 5)
            #expect(refused.notes.hasSuffix("\n  \(advice)\n"), "\(refused.notes)")
        }
    }

    @Test func aConfigurationFromAnotherSystemIsRead() throws {
        let rig = try FileRig()
        try rig.configure("\u{feff}rate = 16000\r\nformat = wav\r\n")
        let recorded = try rig.run("record", "-D", "mic", "-d", "1", "--json")
        let memo = Rig.object(recorded.output)["memo"] as? [String: Any]
        #expect(memo?["sample_rate"] as? Int == 16_000)
        #expect(memo?["format"] as? String == "wav")
    }

    @Test func aTimeInAZoneWithSecondsIsStillTheRightInstant() throws {
        let rig = try FileRig()
        let clock = Rig.Clock(seconds: 1_796_000_000, zone: "ABC-5:17:32")
        let recorded = try rig.run("record", "-D", "mic", "-d", "1", "--json", at: clock)
        let memo = try #require(Rig.object(recorded.output)["memo"] as? [String: Any])
        let show = Rig.seconds(memo["show_at"] as? String ?? "")
        #expect((show + 5 * 3600 + 17 * 60 + 32) % 86_400 == 0)
    }

    @Test func recordSaysInJSONThatThereIsNoMemo() throws {
        let rig = try Rig()
        let refused = try rig.run("record", "--json")
        #expect(refused.status == 5)
        #expect(refused.output == "{\"version\":1,\"memo\":null}\n")
    }

    @Test func deleteChecksAllBeforeTheFirstGoes() throws {
        let rig = try FileRig()
        try rig.run("record", "-D", "mic", "-d", "1")
        #expect(try rig.run("delete", "-y", "1", "9").status == 3)
        #expect(try rig.memos("--waiting").count == 1)
        let recording = try rig.start(["record", "-D", "mic"])
        #expect(recording.waits(for: "Recording"))
        let refused = try rig.run("delete", "-y", "1", "2")
        #expect(refused.status == 1)
        #expect(refused.notes.contains("cannot delete memo 2: it is being recorded"))
        #expect(try rig.run("delete", "-y", "1", "1").notes == "Deleted memo 1.\n")
        recording.send(SIGTERM)
        #expect(recording.finish().status == 0)
    }

    @Test func aReaderThatHasGoneEndsTheListQuietly() throws {
        let rig = try FileRig()
        try rig.run("record", "-D", "mic", "-d", "1")
        let piped = try rig.tool(
            "sh", "-c",
            "\(Rig.program) list --waiting | true; \(Rig.program) list --waiting >/dev/full; echo $?")
        #expect(piped.output == "1\n")
        #expect(piped.notes == "tomorrow: cannot write the output: No space left on device\n")
    }

    @Test func aMachineWithoutSoundHasNoDevices() throws {
        let listed = try Rig().run("devices")
        #expect(listed.status == 0 && listed.output.isEmpty)
        #expect(listed.notes == "There is no sound device.\n")
        #expect(try Rig().run("devices", "--json").output == "{\"version\":1,\"devices\":[]}\n")
    }

    @Test func helpAndVersionNeedNoStore() throws {
        let rig = try Rig()
        #expect(try rig.run("--version").output.hasPrefix("tomorrow "))
        #expect(try rig.run("help").output == (try rig.run("--help").output))
        #expect(try rig.run("help", "record").output == (try rig.run("record", "--help").output))
        #expect(rig.folder.names() == ["home"])
    }
}
