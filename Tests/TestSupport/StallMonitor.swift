import Foundation
import Linux

/// Watches whether the machine gives a test's processes a processor when they need one.
///
/// A thread that is ready to run but has to wait for a processor longer than a sound device's buffer lasts cannot
/// meet a real-time deadline, whatever its code does. The kernel accounts for that wait by thread
/// (`/proc/PID/task/TID/schedstat`, second field), so that a stall of the machine can be told from a slow program:
/// a thread that sleeps, waits for a lock or computes for too long adds nothing to it.
///
/// The monitor's own thread runs with real-time priority where that is permitted. When even that thread is late,
/// the whole machine stood still.
public final class StallMonitor: Sendable {
    /// The monitor of this process.
    public static let shared = StallMonitor()

    /// The shortest wait that counts, in milliseconds: more than one period of a device (20 ms).
    public static let leastMilliseconds: Int64 = 25
    /// The longest sum of the waits of one thread within a second that does not count, in milliseconds.
    public static let leastMillisecondsPerSecond: Int64 = 100
    private static let intervalMilliseconds: Int32 = 100

    private struct State {
        var watchers = 0
        var processes: Set<Int32> = []
        /// The waits so far of every thread seen, in milliseconds.
        var waited: [Int32: Int64] = [:]
        /// The waits of each thread within the running second, and when that second began.
        var recent: [Int32: (start: Int64, milliseconds: Int64)] = [:]
        var lastSample: Int64 = 0
        var stalls: [Stall] = []
        /// The gaps in the service of each simulated device, by the path of its log. They outlive the log.
        var serviceGaps: [String: [ServiceGap]] = [:]
    }

    /// A time in which a thread that was ready to run did not run.
    public struct Stall: Sendable, CustomStringConvertible {
        /// When it was noticed, in milliseconds of the monotonic clock.
        public let moment: Int64
        /// The thread by name, and for how long.
        public let description: String
        /// Whether nothing at all ran on the machine.
        let isWholeMachine: Bool

        init(moment: Int64, description: String, isWholeMachine: Bool = false) {
            self.moment = moment
            self.description = description
            self.isWholeMachine = isWholeMachine
        }
    }

    private let state = Guarded(State())

    /// Starts watching this process and the processes that it starts. Calls nest.
    ///
    /// - Returns: The moment of the start, for ``stalls(since:)``.
    public func begin() -> Int64 {
        let isFirst = state.withLock { state in
            state.watchers += 1
            return state.watchers == 1
        }
        sample()
        if isFirst { _ = try? NativeThread(name: "stall monitor") { self.run() }.detach() }
        return MonotonicClock.milliseconds
    }

    /// Stops watching.
    public func end() {
        state.withLock { state in
            state.watchers -= 1
            if state.watchers == 0 { (state.stalls, state.serviceGaps) = ([], [:]) }
        }
    }

    /// The stalls since a moment, up to now.
    public func stalls(since moment: Int64) -> [Stall] {
        sample()
        readServiceLogs()
        let (stalls, serviceGaps) = state.withLock { ($0.stalls, $0.serviceGaps.values.joined()) }
        let gaps = serviceGaps.filter(\.isStall)
        return (stalls + gaps.map { Stall(moment: $0.moment, description: "\($0)") }).filter {
            $0.moment >= moment
        }
    }

    /// Adds a process with all its descendants.
    func add(_ pid: Int32) {
        _ = state.withLock { $0.processes.insert(pid) }
    }

    /// Takes a last sample of a process that has ended but has not been waited for, and removes it.
    func remove(_ pid: Int32) {
        sample()
        readServiceLogs()
        _ = state.withLock { $0.processes.remove(pid) }
    }

    /// Adds the log of a simulated device (`Tests/ServiceLog`).
    func add(serviceLog path: String) {
        state.withLock { if $0.watchers > 0 { $0.serviceGaps[path] = [] } }
    }

    /// The time in which the program itself served a simulated device too late for its buffer, since a moment: its
    /// thread did not wait for a processor, and the machine did not stand still. nil if there was none.
    public func lateProgram(since moment: Int64) -> String? {
        readServiceLogs()
        let (stalls, serviceGaps) = state.withLock { ($0.stalls, $0.serviceGaps.values.joined()) }
        for gap in serviceGaps where gap.moment >= moment {
            let isMachine = stalls.contains {
                $0.isWholeMachine && $0.moment > gap.moment - gap.length && $0.moment < gap.moment + 100
            }
            if gap.length > gap.buffer, !gap.isStall, !isMachine { return "late by itself: \(gap)" }
        }
        return nil
    }

    private func readServiceLogs() {
        for path in state.withLock({ Array($0.serviceGaps.keys) }) {
            let gaps = Self.serviceGaps(in: path)
            if !gaps.isEmpty { state.withLock { $0.serviceGaps[path] = gaps } }
        }
    }

    /// A gap in the service of a simulated device, in milliseconds.
    public struct ServiceGap: Sendable {
        /// When it ended, by the monotonic clock.
        public let moment: Int64
        /// How long it lasted.
        public let length: Int64
        /// How long the device's thread waited for a processor in that time.
        public let wait: Int64
        /// What the device's buffer holds.
        public let buffer: Int64

        /// Whether the wait for a processor explains the gap.
        public var isStall: Bool { wait * 2 >= length }
    }

    /// The gaps in a log of a simulated device.
    public static func serviceGaps(in path: String) -> [ServiceGap] {
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap { line in
            let numbers = line.split(separator: " ").compactMap { Int64($0) }
            guard numbers.count == 4 else { return nil }
            return ServiceGap(moment: numbers[0], length: numbers[1], wait: numbers[2], buffer: numbers[3])
        }
    }

    private func run() {
        var parameters = sched_param(sched_priority: 20)
        // Without the permission it runs as other threads do.
        pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters)
        while state.withLock({ $0.watchers > 0 }) {
            let due = MonotonicClock.milliseconds + Int64(Self.intervalMilliseconds)
            _ = waitForReading([], milliseconds: Self.intervalMilliseconds)
            let late = MonotonicClock.milliseconds - due
            if late >= Self.leastMilliseconds {
                let text = "the machine stood still for \(late) ms"
                let stall = Stall(moment: due + late, description: text, isWholeMachine: true)
                state.withLock { $0.stalls.append(stall) }
            }
            sample()
        }
    }

    private func sample() {
        let roots = state.withLock { $0.watchers > 0 ? $0.processes.union([getpid()]) : [] }
        let threads = roots.isEmpty ? [] : Self.withDescendants(roots).flatMap(Self.threads)
        let now = MonotonicClock.milliseconds
        state.withLock { state in
            let interval = now - state.lastSample
            state.lastSample = now
            for thread in threads {
                guard let before = state.waited.updateValue(thread.waited, forKey: thread.id) else {
                    continue
                }
                let more = thread.waited - before
                guard more > 0 else { continue }
                var recent = state.recent[thread.id] ?? (now, 0)
                if now - recent.start >= 1_000 { recent = (now, 0) }
                recent.milliseconds += more
                state.recent[thread.id] = recent
                // A wait is accounted for when it ends: what exceeds the interval was one wait that began earlier.
                if more - interval >= Self.leastMilliseconds || more >= 2 * Self.leastMilliseconds
                    || recent.milliseconds >= Self.leastMillisecondsPerSecond
                {
                    let wait = max(more, recent.milliseconds)
                    let text = "\(Self.name(of: thread.id)) waited \(wait) ms for a processor"
                    state.stalls.append(Stall(moment: now, description: text))
                }
            }
        }
    }

    private static func withDescendants(_ roots: Set<Int32>) -> Set<Int32> {
        var (all, next) = (roots, Array(roots))
        while let pid = next.popLast() {
            let children = numbers(in: "/proc/\(pid)/task/\(pid)/children").map(
                Int32.init(truncatingIfNeeded:))
            next += children.filter { all.insert($0).inserted }
        }
        return all
    }

    private static func threads(of pid: Int32) -> [(id: Int32, waited: Int64)] {
        guard let directory = opendir("/proc/\(pid)/task") else { return [] }
        defer { closedir(directory) }
        var threads: [(id: Int32, waited: Int64)] = []
        while let entry = readdir(directory) {
            let id = withUnsafePointer(to: &entry.pointee.d_name) { Int32(atoi(UnsafeRawPointer($0))) }
            guard id > 0 else { continue }
            let times = numbers(in: "/proc/\(pid)/task/\(id)/schedstat")
            if times.count > 1 { threads.append((id, times[1] / 1_000_000)) }
        }
        return threads
    }

    private static func name(of thread: Int32) -> String {
        let text = try? String(contentsOfFile: "/proc/\(thread)/comm", encoding: .utf8)
        return text.map { String($0.dropLast()) } ?? "a thread"
    }

    /// The numbers in a file of /proc. The monitor reads many of them at real-time priority, so that it must not take
    /// the processor from what it watches: no Foundation here.
    private static func numbers(in path: String) -> [Int64] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return [] }
        defer { close(file) }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 512) { buffer in
            let count = max(0, read(file, buffer.baseAddress, buffer.count))
            var (numbers, isInside): ([Int64], Bool) = ([], false)
            for byte in buffer[..<count] {
                guard byte >= 48, byte <= 57 else {
                    isInside = false
                    continue
                }
                if !isInside { numbers.append(0) }
                numbers[numbers.count - 1] = numbers[numbers.count - 1] &* 10 &+ Int64(byte - 48)
                isInside = true
            }
            return numbers
        }
    }
}
