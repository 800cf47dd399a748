import Engine
import Linux
import Sound

/// A device that takes what a test gives it room for, and that a test can break.
final class ScriptedSpeaker: FrameSink {
    struct Broken: Error {}

    private struct State {
        var heard: [Int32] = []
        var waiting: [Int32] = []
        var isBroken = false
        var isClosed = false
    }

    let stream: StreamFormat
    private let capacityFrames: Int
    private let isEndless: Bool
    private let state = Guarded(State())
    private let change: WakeUp

    /// - Parameter capacityFrames: what fits in before somebody listens; nil hears everything at once.
    init(_ stream: StreamFormat, capacityFrames: Int? = nil) throws {
        self.stream = stream
        self.capacityFrames = capacityFrames ?? .max
        isEndless = capacityFrames == nil
        change = try WakeUp()
    }

    /// What was heard.
    var heard: [Int32] { state.withLock { $0.heard } }
    /// The frames that were given and not heard.
    var waitingFrames: Int { state.withLock { $0.waiting.count } / stream.channels }
    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Hears so many frames as they come; fewer when they do not come for ten seconds.
    func hear(frames: Int) {
        var left = frames
        let deadline = MonotonicClock.milliseconds + 10_000
        while left > 0, MonotonicClock.milliseconds < deadline {
            let count = state.withLock { state -> Int in
                let count = min(left, state.waiting.count / stream.channels)
                state.heard += state.waiting.prefix(count * stream.channels)
                state.waiting.removeFirst(count * stream.channels)
                return count
            }
            left -= count
            change.raise()
            if count == 0 { _ = waitForReading([], milliseconds: 1) }
        }
    }

    /// From now on every call fails.
    func breakDown() {
        state.withLock { $0.isBroken = true }
        change.raise()
    }

    func write(_ samples: UnsafeBufferPointer<Int32>, waking wakeUp: WakeUp) throws -> Int {
        while true {
            let taken = try state.withLock { state -> Int in
                if state.isBroken { throw Broken() }
                let free = (capacityFrames - state.waiting.count / stream.channels)
                let count = min(samples.count / stream.channels, free)
                let new = samples.prefix(count * stream.channels)
                if isEndless { state.heard += new } else { state.waiting += new }
                return count
            }
            if taken > 0 { return taken }
            if waitForReading([wakeUp.descriptor.number, change.descriptor.number], milliseconds: -1)[0] {
                return 0
            }
            change.lower()
        }
    }

    /// One that is broken knows nothing any more.
    var delayFrames: Int { state.withLock { $0.isBroken } ? 0 : waitingFrames }

    func drain(waking wakeUp: WakeUp) throws -> Bool {
        while waitingFrames > 0 {
            try state.withLock { if $0.isBroken { throw Broken() } }
            if waitForReading([wakeUp.descriptor.number, change.descriptor.number], milliseconds: -1)[0] {
                return false
            }
            change.lower()
        }
        return true
    }

    func drop() throws {
        try state.withLock { state in
            if state.isBroken { throw Broken() }
            state.waiting = []
        }
    }

    func close() {
        state.withLock { $0.isClosed = true }
    }
}
