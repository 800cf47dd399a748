import Memos
import Synchronization

/// The gaps of a take that are too long to be kept as silence: noted by the capture thread, which may not
/// allocate, and read by others at any time.
///
/// `@unchecked Sendable`: the memory below the counter does not change any more, and storing the counter
/// releases it.
final class LongGaps: @unchecked Sendable {
    private let memory: UnsafeMutablePointer<(frame: Int64, length: Int64)>
    private let count = Atomic<Int>(0)
    /// Each is longer than a minute. Later ones are only counted, with the others.
    private static let capacity = 256

    init() {
        memory = .allocate(capacity: Self.capacity)
        memory.initialize(repeating: (0, 0), count: Self.capacity)
    }

    deinit {
        memory.deallocate()
    }

    /// Notes a gap, on the capture thread.
    ///
    /// - Parameters:
    ///   - frame: where it is in the take.
    ///   - length: the frames that are missing.
    func note(at frame: Int64, length: Int64) {
        let index = count.load(ordering: .relaxed)
        guard index < Self.capacity else { return }
        memory[index] = (frame, length)
        count.store(index + 1, ordering: .releasing)
    }

    /// The gaps as markers that say how long they were.
    ///
    /// - Parameter rate: frames a second.
    func markers(rate: Int) -> [Marker] {
        (0..<count.load(ordering: .acquiring)).map { index in
            let seconds = (memory[index].length + Int64(rate) / 2) / Int64(rate)
            let clock = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
            return Marker(
                frame: memory[index].frame, text: "\(clock.joined(separator: ":")) of sound missing")
        }
    }
}
