import Foundation

/// One of the calls by which the program changes a file or a folder, counted over all its threads, and what
/// strikes there (Tests/FaultPoint).
public struct FaultPoint: Sendable, CustomStringConvertible {
    /// What strikes.
    public enum Fate: Sendable {
        /// SIGKILL: before the call, when half of what it writes is written, or after it.
        case killBefore, killInTheMiddle, killAfter
        /// The call fails with this `errno`.
        case fail(Int32)
        /// That call and all later ones fail with this `errno`.
        case failFromThere(Int32)
    }

    /// What strikes.
    public let fate: Fate
    /// At which call, from 1; 0 strikes nowhere, and only counts.
    public let number: Int

    /// A point.
    public init(_ fate: Fate, _ number: Int) {
        (self.fate, self.number) = (fate, number)
    }

    /// All points of some fates.
    ///
    /// - Parameter count: says how many calls there are that can end so.
    public static func all(_ fates: [Fate], count: (Fate) throws -> Int) rethrows -> [FaultPoint] {
        try fates.flatMap { fate in (0..<(try count(fate))).map { FaultPoint(fate, $0 + 1) } }
    }

    /// In the words of the library's environment variable.
    public var description: String {
        switch fate {
        case .killBefore: "before:\(number)"
        case .killInTheMiddle: "middle:\(number)"
        case .killAfter: "after:\(number)"
        case .fail(let code): "\(code):\(number)"
        case .failFromThere(let code): "\(code):\(number)+"
        }
    }
}

extension Rig {
    /// The environment in which the program is struck.
    ///
    /// - Parameter countFile: is given the number of calls; see ``faultPointCount(_:)``.
    public func environment(
        at clock: Clock?, struckAt point: FaultPoint, countFile: String? = nil
    ) -> [String: String] {
        var environment = environment(at: clock)
        environment["FAULT_POINT"] = "\(point)"
        environment["FAULT_POINT_COUNT"] = countFile
        environment["LD_PRELOAD"] = [environment["LD_PRELOAD"], Self.faultPoint].compactMap(\.self).joined(
            separator: ":")
        return environment
    }

    /// How many calls a command makes that can end so.
    ///
    /// - Parameter command: what is typed behind `tomorrow`. It runs to its end.
    public func count(
        of fate: FaultPoint.Fate, in command: [String], at clock: Clock? = nil
    ) throws -> Int {
        let file = try folder.write("calls", Data(count: 8))
        let environment = environment(at: clock, struckAt: FaultPoint(fate, 0), countFile: file)
        _ = try Child([Self.program] + command, environment: environment).finish()
        let data = try Data(contentsOf: URL(fileURLWithPath: file))
        return data.withUnsafeBytes { $0.loadUnaligned(as: Int.self) }
    }
}
