import Foundation
import Linux
import Testing

/// One case of the campaign against the program, which `Scripts/torture` runs: what was tried in the time that it
/// was given, and what went wrong there. It becomes one row of the campaign's table.
final class TortureCase {
    /// What can go wrong; each is a column of the table.
    enum Fault: String, CaseIterable, Sendable {
        /// Something that was reported as saved, or more of a take than the promises allow.
        case lost
        /// The program did not end in time.
        case hung
        /// The exit status is not the one that the contract names, or not one clear line said why.
        case wrongExit = "wrong exit"
        /// A file, a process, a title of a memo that is gone, a terminal's mode.
        case leftBehind = "left behind"
    }

    /// The environment variable with the seconds that the whole campaign may take; a share of three minutes is
    /// what `Scripts/test --all` gives it.
    static let secondsVariable = "TOMORROW_TORTURE_SECONDS"
    /// The environment variable that names the file to which the rows are added.
    static let tableVariable = "TOMORROW_TORTURE_TABLE"

    private let name: String
    private let deadline: Int64
    /// How many points were tried.
    private(set) var points = 0
    private var faults: [Fault: Int] = [:]
    private var remarks: [String] = []

    /// Begins a case.
    ///
    /// - Parameters:
    ///   - name: what stands in the table, in plain words.
    ///   - share: the part of the campaign's time that it may take, from 0 to 1.
    init(_ name: String, share: Double) {
        self.name = name
        let environment = ProcessInfo.processInfo.environment
        let seconds = environment[Self.secondsVariable].flatMap(Double.init) ?? 180
        deadline = MonotonicClock.milliseconds + Int64(seconds * share * 1_000)
    }

    /// Whether there is time for another point.
    var hasTime: Bool { MonotonicClock.milliseconds < deadline }

    /// How many whole seconds are left.
    var secondsLeft: Int { Int(max(0, deadline - MonotonicClock.milliseconds) / 1_000) }

    /// Whether there is another point to try: there is time, or none was tried yet.
    var goesOn: Bool { hasTime || points == 0 }

    /// Counts one point as tried.
    func tried() { points += 1 }

    /// Counts a fault, and fails the test.
    func found(_ fault: Fault, _ comment: String) {
        faults[fault, default: 0] += 1
        Issue.record("\(name): \(fault.rawValue): \(comment)")
    }

    /// Keeps a figure for the table's last column, such as the worst loss.
    func remark(_ text: String) { remarks.append(text) }

    /// The numbers from 1 to a count in an order in which any first few are spread evenly over all: the shorter
    /// the time, the coarser the grid, and never the same end left out. Each campaign begins elsewhere.
    static func spread(_ count: Int) -> [Int] {
        // A step near the golden section of the count, and prime to it, visits each number once.
        guard count > 2 else { return Array(1..<count + 1) }
        var step = Int(Double(count) * 0.618)
        while greatestCommonDivisor(step, count) != 1 { step += 1 }
        let start = Int.random(in: 0..<count)
        return (0..<count).map { ($0 * step + start) % count + 1 }
    }

    private static func greatestCommonDivisor(_ a: Int, _ b: Int) -> Int {
        b == 0 ? a : greatestCommonDivisor(b, a % b)
    }

    /// Ends the case: adds its row to the table. A case in which nothing was tried has failed.
    func report() throws {
        #expect(points > 0, "\(name): nothing was tried")
        let counts = [points] + Fault.allCases.map { faults[$0, default: 0] }
        let row = ([name] + counts.map(String.init) + [remarks.joined(separator: ", ")]).joined(
            separator: "\t")
        guard let path = ProcessInfo.processInfo.environment[Self.tableVariable] else { return print(row) }
        let table = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try table.seekToEnd()
        try table.write(contentsOf: Data((row + "\n").utf8))
    }
}
