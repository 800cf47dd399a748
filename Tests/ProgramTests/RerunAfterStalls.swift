import Foundation
import TestSupport
import Testing

/// A trait of the suites in which real time is the point: a test that fails while the machine stalled runs again, at
/// most three times; a test that fails without a stall fails at once.
///
/// Whether there was a stall is what the kernel says of the processes of the test (``StallMonitor``), not a guess
/// from the failure. Each rerun is written to the file that the environment variable `TOMORROW_TEST_STALLS` names,
/// one line each: the test's name, a tab, and the stall.
struct RerunAfterStalls: SuiteTrait, TestTrait, TestScoping {
    static let mostRuns = 3

    var isRecursive: Bool { true }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        for _ in 1..<Self.mostRuns {
            guard let stall = try await stallThatMadeItFail(function) else { return }
            report("\(test.name)\t\(stall)")
        }
        try await function()
    }

    /// Runs a test once.
    ///
    /// - Returns: The stall before its first failure; nil when it passed, or failed without a stall.
    private func stallThatMadeItFail(
        _ function: @Sendable () async throws -> Void
    ) async throws -> StallMonitor.Stall? {
        let start = StallMonitor.shared.begin()
        defer { StallMonitor.shared.end() }
        let first = FirstStall()
        try await withKnownIssue("the machine stalled", isIntermittent: true) {
            try await function()
        } matching: { _ in
            // A program that was late by itself fails, whatever else happened.
            if StallMonitor.shared.lateProgram(since: start) != nil { return false }
            if first.stall == nil { first.stall = StallMonitor.shared.stalls(since: start).first }
            return first.stall != nil
        }
        return first.stall
    }

    private func report(_ line: String) {
        print("Running again after a stall: \(line)")
        guard let path = ProcessInfo.processInfo.environment["TOMORROW_TEST_STALLS"],
            let file = FileHandle(forWritingAtPath: path)
        else { return }
        file.seekToEndOfFile()
        file.write(Data((line + "\n").utf8))
    }
}

/// `@unchecked Sendable`: a test records its issues from one task at a time.
private final class FirstStall: @unchecked Sendable {
    var stall: StallMonitor.Stall?
}

extension Trait where Self == RerunAfterStalls {
    /// Runs a test again when it fails while the machine stalled.
    static var rerunAfterStalls: Self { RerunAfterStalls() }
}
