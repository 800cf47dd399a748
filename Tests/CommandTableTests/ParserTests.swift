import Testing

@testable import CommandTable

@Suite struct ParserTests {
    @Test(arguments: [
        ["record", "--title", "One two", "-d", "90"],
        ["record", "--title=One two", "--for=90"],
        ["record", "--tit", "One two", "--for", "90"],
        ["record", "-tOne two", "-d90"],
        ["record", "-d90", "--t=One two"],
    ])
    func anOptionCanBeTypedInEveryUsualWay(arguments: [String]) throws {
        let invocation = try Parser.parse(arguments)
        #expect(invocation.command == "record")
        #expect(invocation.option("title")?.value == "One two")
        #expect(invocation.option("for")?.value == "90")
    }

    @Test func shortOptionsCanBeBundledAndTheLastTakesTheRest() throws {
        let invocation = try Parser.parse(["record", "-yd90"])
        #expect(invocation.has("yes"))
        #expect(invocation.option("for")?.value == "90")
    }

    @Test func optionsMayStandBehindOperandsAndBeforeTheCommand() throws {
        let invocation = try Parser.parse(["--verbose", "delete", "3", "-y", "4"])
        #expect(invocation.operands == ["3", "4"])
        #expect(invocation.has("yes") && invocation.has("verbose"))
    }

    @Test func twoDashesEndTheOptions() throws {
        #expect(try Parser.parse(["delete", "--", "-y", "--"]).operands == ["-y", "--"])
        #expect(try Parser.parse(["--", "list"]).command == "list")
    }

    @Test func aLoneDashIsAnOperandAndAValueMayBeginWithOne() throws {
        #expect(try Parser.parse(["delete", "-"]).operands == ["-"])
        #expect(try Parser.parse(["record", "-t", "-x"]).option("title")?.value == "-x")
    }

    @Test func ofAnOptionThatIsGivenTwiceTheLastCounts() throws {
        #expect(try Parser.parse(["record", "-t", "a", "-t", "b"]).option("title")?.value == "b")
    }

    @Test func aValueMayBeEmptyOrHoldAnEqualsSign() throws {
        #expect(try Parser.parse(["record", "--title="]).option("title")?.value == "")
        #expect(try Parser.parse(["record", "--title=a=b"]).option("title")?.value == "a=b")
    }

    /// Arguments, the exact words of the error, and what was perhaps meant.
    static let errors: [(arguments: [String], message: String, nearest: String?)] = [
        (["recrod"], "there is no command 'recrod'", "record"),
        (["ply", "1"], "there is no command 'ply'", "play"),
        (["zzz"], "there is no command 'zzz'", nil),
        (["Record"], "there is no command 'Record'", "record"),
        (["--nothing"], "there is no option '--nothing'", nil),
        (["--colour=never"], "there is no option '--colour'", "--color"),
        (["record", "--titel", "x"], "'record' has no option '--titel'", "--title"),
        (["record", "--category=x", "--yas"], "'record' has no option '--yas'", "--yes"),
        (["record", "-x"], "'record' has no option '-x'", nil),
        (["record", "-yx"], "'record' has no option '-x'", nil),
        (["record", "-ü"], "'record' has no option '-ü'", nil),
        (["record", "--d", "x"], "'--d' could be any of --deliver, --device", nil),
        (["record", "-t"], "'-t' needs a value: TEXT", nil),
        (["record", "--title"], "'--title' needs a value: TEXT", nil),
        (["record", "--yes=1"], "'--yes' takes no value", nil),
        (["record", "--=x"], "'record' has no option '--'", nil),
        (
            ["record", "-f", "flc"],
            "'-f' takes one of flac, wav, opus, vorbis, mp3, alac, not 'flc'", "flac"
        ),
        (["record", "--bits=20"], "'--bits' takes 16 or 24, not '20'", nil),
        (["schedule", "--with", "corn", "status"], "'--with' takes cron or systemd, not 'corn'", "cron"),
        (["--color", "allways"], "'--color' takes one of auto, always, never, not 'allways'", "always"),
        (["list", "3"], "'list' does not take '3'", nil),
        (["delete"], "'delete' needs ID…", nil),
        (["show", "1", "2"], "'show' does not take '2'", nil),
    ]

    @Test(arguments: errors)
    func anErrorNamesWhatWasTypedAndWhatWasPerhapsMeant(
        arguments: [String], message: String, nearest: String?
    ) {
        let error = #expect(throws: UsageError.self) { try Parser.parse(arguments) }
        #expect(error?.message == message)
        #expect(error?.nearest == nearest)
    }

    @Test func whatIsNotUnderstoodIsAdvisedUpon() {
        #expect(UsageError.noCommand("lst").advice == "Did you mean 'list'?")
        #expect(UsageError.noCommand("zzz").advice == "'tomorrow help' says what can be given.")
        #expect(UsageError("no", command: "play").advice == "'tomorrow help play' says what can be given.")
    }

    @Test func askingForHelpNeedsNothingElse() throws {
        #expect(try Parser.parse(["delete", "--help"]).has("help"))
    }
}
