import Foundation
import Linux
import TestSupport
import Testing

@testable import Desktop

/// Commands of the user's own, run by a real shell.
@Suite struct UserCommandTests {
    private let folder: TemporaryFolder
    private let output: String

    init() throws {
        folder = try TemporaryFolder()
        output = folder.file("output")
    }

    private func run(_ command: String, input: String = "", milliseconds: Int64 = 30_000) throws -> Int32 {
        try UserCommand.run(command, input: Array(input.utf8), milliseconds: milliseconds)
    }

    private var written: String? { try? String(contentsOfFile: output, encoding: .utf8) }

    @Test func itReadsWhatItIsGivenAndItsStatusComesBack() throws {
        let text = String(repeating: "{\"ü\":1}\n", count: 100_000)
        #expect(try run("cat > '\(output)'; exit 3", input: text) == 3)
        #expect(written == text)
    }

    @Test func itNeedNotReadAnything() throws {
        #expect(try run("true", input: String(repeating: "x", count: 1 << 20)) == 0)
        #expect(try run("cat > '\(output)'") == 0)
        #expect(written == "")
    }

    @Test func theSignalThatEndedItIsToldAsAShellTellsIt() throws {
        #expect(try run("kill -TERM $$") == 128 + 15)
        #expect(try run("no-such-command-of-anybodys 2> /dev/null") == 127)
    }

    @Test func itFindsSignalsAsAnyProgramDoes() throws {
        let before = signal(SIGPIPE, SIG_IGN)
        defer { signal(SIGPIPE, before) }
        // A shell that ignores SIGPIPE has an error to tell instead.
        #expect(try run("grep SigIgn /proc/self/status > '\(output)'") == 0)
        let mask = UInt64(written?.split(separator: "\t").last?.dropLast() ?? "", radix: 16)
        #expect(try #require(mask) & 1 << (SIGPIPE - 1) == 0)
    }

    @Test func itIsKilledWithItsChildrenWhenItTakesTooLong() throws {
        let start = MonotonicClock.milliseconds
        let error = #expect(throws: DesktopError.self) {
            try run("sleep 60 & echo $! > '\(output)'; wait", milliseconds: 500)
        }
        #expect(error?.reason.contains("did not end") == true)
        #expect(MonotonicClock.milliseconds - start < 5_000)
        try expectGone()
    }

    @Test func whatItLeavesBehindIsKilled() throws {
        #expect(try run("sleep 60 & echo $! > '\(output)'") == 0)
        try expectGone()
    }

    /// The process whose number was written has ended, or is about to be collected by init.
    private func expectGone() throws {
        let number = try #require(written)
        let process = try #require(Int32(number.dropLast()))
        guard let handle = try? ProcessHandle(identifier: process) else { return }
        #expect(handle.waitForEnd(milliseconds: 5_000))
    }
}
