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

    /// Arguments, and the exact words of the error.
    static let errors: [(arguments: [String], message: String)] = [
        (["recrod"], "'recrod' is not a command; did you mean 'record'?"),
        (["zzz"], "'zzz' is not a command"),
        (["--nothing"], "there is no option '--nothing'"),
        (["record", "--titel", "x"], "'record' has no option '--titel'; did you mean '--title'?"),
        (["record", "-x"], "'record' has no option '-x'"),
        (["record", "-yx"], "'record' has no option '-x'"),
        (["record", "-ü"], "'record' has no option '-ü'"),
        (["record", "--d", "x"], "'--d' could be any of --deliver, --device"),
        (["record", "-t"], "'-t' needs a value: TEXT"),
        (["record", "--title"], "'--title' needs a value: TEXT"),
        (["record", "--yes=1"], "'--yes' takes no value"),
        (["record", "--=x"], "'record' has no option '--'"),
        (["list", "3"], "'list' does not take '3'"),
        (["delete"], "'delete' needs ID…"),
        (["show", "1", "2"], "'show' does not take '2'"),
    ]

    @Test(arguments: errors)
    func anErrorNamesWhatWasTypedAndWhatWasPerhapsMeant(arguments: [String], message: String) {
        let error = #expect(throws: UsageError.self) { try Parser.parse(arguments) }
        #expect(error?.message == message)
    }

    @Test func askingForHelpNeedsNothingElse() throws {
        #expect(try Parser.parse(["delete", "--help"]).has("help"))
    }
}
