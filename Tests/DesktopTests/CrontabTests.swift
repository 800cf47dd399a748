import Foundation
import TestSupport
import Testing

@testable import Desktop

/// How `crontab(1)` is called and believed, with a script in its place; the real one is with the program's
/// tests.
@Suite struct CrontabTests {
    private let folder: TemporaryFolder
    private let job = CrontabTextTests.job
    private let fiveMinutes = CrontabTextTests.fiveMinutes

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A machine whose crontab program is a script; `$FOLDER` is the test's folder, whose file `table` is the
    /// crontab.
    private func crontab(_ script: String) throws -> Crontab {
        try folder.writeProgram("crontab", "FOLDER='\(folder.path)'\n" + script)
        return try Crontab(path: "relative::/nowhere:" + folder.path)
    }

    /// What any implementation does.
    private static let ordinary = """
        echo "$1" >> "$FOLDER/calls"
        case $1 in
        -l) cat "$FOLDER/table" 2> /dev/null || { echo "no crontab for somebody" >&2; exit 1; } ;;
        -r) rm "$FOLDER/table" ;;
        -) cat > "$FOLDER/table" ;;
        esac
        """

    private var table: String? { try? String(contentsOfFile: folder.file("table"), encoding: .utf8) }

    private var calls: [Substring] {
        let text = (try? String(contentsOfFile: folder.file("calls"), encoding: .utf8)) ?? ""
        return text.split(separator: "\n")
    }

    @Test func noneBeforeIsNoneAfter() throws {
        let crontab = try crontab(Self.ordinary)
        try crontab.install(job, every: fiveMinutes)
        #expect(table == CrontabTextTests.ours)
        #expect(try crontab.remove())
        #expect(table == nil)
        #expect(try !crontab.remove())
        #expect(calls == ["-l", "-", "-l", "-r", "-l"])
    }

    @Test func installingTwiceWritesOnce() throws {
        let crontab = try crontab(Self.ordinary)
        try folder.write("table", "0 9 * * * a\n30 9 * * * b")
        try crontab.install(job, every: fiveMinutes)
        try crontab.install(job, every: fiveMinutes)
        #expect(calls == ["-l", "-", "-l"])
        #expect(try crontab.remove())
        #expect(table == "0 9 * * * a\n30 9 * * * b")
    }

    /// Ways in which reading fails, and the reason that is told.
    @Test(arguments: [
        (
            "echo 'You (x) are not allowed to use this program (crontab)' >&2; exit 1",
            "You (x) are not allowed"
        ),
        ("exit 1", "it ended with status 1"),
        ("echo 'a'; echo 'no crontab for x' >&2; exit 1", "no crontab for x"),
        ("cat \"$FOLDER/table\"; kill -9 $$", "it ended with status 137"),
        (
            "cat \"$FOLDER/table\"; echo 'crontab: Input/output error' >&2; exit 2",
            "crontab: Input/output error"
        ),
    ])
    func nothingIsWrittenWhenReadingFails(reading: String, reason: String) throws {
        let crontab = try crontab("if [ \"$1\" = -l ]; then \(reading); fi\n" + Self.ordinary)
        try folder.write("table", "0 9 * * * a\n")
        let error = #expect(throws: DesktopError.self) { try crontab.install(job, every: fiveMinutes) }
        #expect(error?.attempt == "read your crontab")
        #expect(error?.reason.hasPrefix(reason) == true)
        #expect(throws: try #require(error)) { try crontab.remove() }
        #expect(table == "0 9 * * * a\n")
        #expect(!calls.contains("-") && !calls.contains("-r"))
    }

    @Test func whatIsRefusedIsToldInTheProgramsWords() throws {
        let crontab = try crontab("if [ $1 = - ]; then echo 'no space' >&2; exit 1; fi\n" + Self.ordinary)
        let error = #expect(throws: DesktopError.self) { try crontab.install(job, every: fiveMinutes) }
        #expect(error?.attempt == "write your crontab")
        #expect(error?.reason == "no space")
    }

    @Test func theProgramIsAskedInEnglish() throws {
        let crontab = try crontab("echo \"$LC_ALL\" > \"$FOLDER/language\"\n" + Self.ordinary)
        _ = try crontab.read()
        #expect(try String(contentsOfFile: folder.file("language"), encoding: .utf8) == "C\n")
    }

    @Test func aMachineWithoutCronIsToldWhatToInstall() {
        let error = #expect(throws: DesktopError.self) { _ = try Crontab(path: folder.path) }
        #expect(error?.advice?.contains("package cron") == true)
    }
}
