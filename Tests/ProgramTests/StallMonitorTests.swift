import Foundation
import TestSupport
import Testing

/// What counts as a stall of the machine, and what does not.
@Suite struct StallMonitorTests {
    @Test func moreBusyProcessesThanProcessorsAreAStall() throws {
        let start = StallMonitor.shared.begin()
        defer { StallMonitor.shared.end() }
        let busy = try (0..<4 * ProcessInfo.processInfo.activeProcessorCount).map { _ in
            try Child(["sh", "-c", "while :; do :; done"], environment: ["PATH": "/bin"])
        }
        let deadline = Date().addingTimeInterval(30)
        var stalls: [StallMonitor.Stall] = []
        while stalls.isEmpty, Date() < deadline {
            _ = busy[0].ends(within: 1)
            stalls = StallMonitor.shared.stalls(since: start).filter {
                $0.description.hasPrefix("sh waited ")
            }
        }
        #expect(!stalls.isEmpty)
    }

    @Test(arguments: [(130, 120, true), (130, 65, true), (130, 5, false)])
    func lateServiceIsAStallOnlyIfTheThreadWaitedForAProcessor(gap: Int, wait: Int, isStall: Bool) throws {
        let folder = try TemporaryFolder()
        let log = try folder.write("served", "1000 \(gap) \(wait) 100\n")
        #expect(StallMonitor.serviceGaps(in: log).map(\.isStall) == [isStall])
    }
}
