import Synchronization

/// A queue of frames between one thread that fills and one that empties it, without a lock.
///
/// Samples are 32-bit integers, interleaved. All memory is there, and touched, from the start: neither
/// side allocates or waits.
///
/// `@unchecked Sendable`: each counter has one writer, and the memory between the two counters belongs
/// to the reader, the rest to the writer. Storing a counter releases what was done before it, loading
/// the other's acquires it.
public final class FrameRing: @unchecked Sendable {
    /// Samples in a frame.
    public let channels: Int
    /// How many frames fit.
    public let capacityFrames: Int
    private let memory: UnsafeMutablePointer<Int32>
    private let written = Atomic<Int>(0)
    private let consumed = Atomic<Int>(0)

    /// - Parameters:
    ///   - seconds: how long a consumer may stall without anything being lost.
    ///   - mostBytes: the ring is no larger than this, whatever the rate.
    public init(stream: StreamFormat, seconds: Int, mostBytes: Int) {
        channels = stream.channels
        capacityFrames = max(1, min(stream.rate * seconds, mostBytes / (4 * stream.channels)))
        memory = .allocate(capacity: capacityFrames * channels)
        memory.initialize(repeating: 0, count: capacityFrames * channels)
    }

    deinit {
        memory.deallocate()
    }

    /// How many frames wait to be consumed. Exact for the two threads; a moment old for others.
    public var waitingFrames: Int {
        written.load(ordering: .acquiring) - consumed.load(ordering: .acquiring)
    }

    /// Gives the writer the free memory up to the ring's seam, empty when the ring is full.
    ///
    /// - Parameter fill: writes whole frames to the start of the memory and returns how many.
    /// - Returns: that number.
    public func write(
        _ fill: (UnsafeMutableBufferPointer<Int32>) throws -> Int
    ) rethrows -> Int {
        let end = written.load(ordering: .relaxed)
        let free = capacityFrames - (end - consumed.load(ordering: .acquiring))
        let start = end % capacityFrames
        let frames = min(free, capacityFrames - start)
        let count = try fill(.init(start: memory + start * channels, count: frames * channels))
        precondition(count >= 0 && count <= frames)
        written.store(end + count, ordering: .releasing)
        return count
    }

    /// Gives the reader the oldest frames up to the ring's seam, empty when nothing waits. They are
    /// consumed when `drain` returns, and stay when it throws.
    ///
    /// - Returns: how many frames there were.
    public func read(_ drain: (UnsafeBufferPointer<Int32>) throws -> Void) rethrows -> Int {
        let begin = consumed.load(ordering: .relaxed)
        let waiting = written.load(ordering: .acquiring) - begin
        let start = begin % capacityFrames
        let frames = min(waiting, capacityFrames - start)
        try drain(.init(start: memory + start * channels, count: frames * channels))
        consumed.store(begin + frames, ordering: .releasing)
        return frames
    }
}
