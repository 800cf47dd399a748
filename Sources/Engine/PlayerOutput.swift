import Linux
import Sound
import Synchronization

/// The player's device, on the player's thread: what was given to it, and how much of that was heard.
final class PlayerOutput {
    /// What the device granted; nil while there is none.
    var stream: StreamFormat? { sink?.stream }
    /// The frames that all devices were given.
    private(set) var givenFrames: Int64 = 0
    /// The levels of what was given.
    let levels = LiveLevels()

    private let open: @Sendable (StreamFormat) throws -> any FrameSink
    private let control: WakeUp
    private let call: DeviceCall
    private var sink: (any FrameSink)?
    /// Whether nothing was given that could still be inside.
    private var isEmpty = true

    /// - Parameters:
    ///   - control: ends every wait.
    ///   - call: told of every call that may hang.
    ///   - open: makes a sink for a layout.
    init(
        waking control: WakeUp, noting call: DeviceCall,
        open: @escaping @Sendable (StreamFormat) throws -> any FrameSink
    ) {
        self.control = control
        self.call = call
        self.open = open
    }

    /// Opens the device for a layout; it may grant another one.
    func begin(_ stream: StreamFormat) throws {
        sink = try call.during { try open(stream) }
        isEmpty = true
    }

    /// Gives frames, and says how many were taken; 0 when somebody wants something else of this thread.
    func write(_ samples: UnsafeBufferPointer<Int32>) throws -> Int {
        guard let sink else { return 0 }
        let count = try call.during { try sink.write(samples, waking: control) }
        levels.measure(.init(rebasing: samples[..<(count * sink.stream.channels)]), of: sink.stream)
        givenFrames += Int64(count)
        if count > 0 { isEmpty = false }
        return count
    }

    /// The frames that were given and not heard yet.
    var delayFrames: Int {
        guard let sink else { return 0 }
        return call.during { sink.delayFrames }
    }

    /// Waits until all was heard, and says whether it was; not when somebody wants something of this thread.
    func drain() throws -> Bool {
        // A device that was given nothing may not be able to start.
        guard let sink, !isEmpty else { return true }
        return try call.during { try sink.drain(waking: control) }
    }

    /// Falls silent.
    func drop() throws {
        guard let sink else { return }
        try call.during { try sink.drop() }
        isEmpty = true
    }

    /// Closes the device.
    func end() {
        guard let sink else { return }
        call.during { sink.close() }
        self.sink = nil
    }

    /// Lets go of a device that is gone. To close it may hang, and that must not be waited for.
    func abandon() {
        guard let sink else { return }
        self.sink = nil
        try? NativeThread(name: "farewell") { sink.close() }.detach()
    }
}

/// Since when a thread is inside a call of the device, for those who want to know whether it hangs.
final class DeviceCall: Sendable {
    private let since = Atomic<Int64>(0)

    /// For how many milliseconds the call takes by now; 0 while there is none.
    var milliseconds: Int64 {
        let since = since.load(ordering: .relaxed)
        return since == 0 ? 0 : MonotonicClock.milliseconds - since
    }

    /// Makes a call.
    func during<Result>(_ body: () throws -> Result) rethrows -> Result {
        since.store(MonotonicClock.milliseconds, ordering: .relaxed)
        defer { since.store(0, ordering: .relaxed) }
        return try body()
    }
}
