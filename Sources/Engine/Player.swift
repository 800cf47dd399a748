import Linux
public import Sound

/// Plays memos to a device, on a thread of its own, and does meanwhile what it is told.
///
/// All that is wanted of it comes through one queue, as ``PlayerCommand``; all that happens goes through another
/// one, as ``Event``.
public final class Player: Sendable {
    /// What happens, in this order.
    public enum Event: Sendable {
        /// The first frame of an item is on its way to the ear.
        case started(Int)
        /// An item that should have followed may not be heard any more.
        case skipped(Int)
        /// What is heard goes on elsewhere in the item, as it was told to.
        case jumped
        case paused
        case resumed
        /// The device went away; it is tried again for a while.
        case deviceLost(any Error)
        /// It is there again, and the sound goes on.
        case deviceBack
        /// A pass of an item was heard to its end, and another one began.
        case repeated(Int)
        /// An item is over.
        case itemEnded(PlayerItem.End)
        /// Everything is over and the device is closed: with the device's error, or nil.
        case ended((any Error)?)
    }

    /// A place in an item.
    public struct Position: Equatable, Sendable {
        /// The item's number.
        public let number: Int
        /// The frame of its file that is heard next.
        public let frame: Int64
    }

    /// What happens, for the main thread.
    public let events: EventQueue<Event>

    let commands: EventQueue<PlayerCommand>
    private let current: Guarded<Position>
    private let call = DeviceCall()
    private let levels: LiveLevels

    /// Begins to play.
    ///
    /// - Parameters:
    ///   - first: what is played first.
    ///   - settings: how.
    ///   - isPaused: whether it waits for ``PlayerCommand/resume`` before the first frame.
    ///   - open: makes the sink for a file's layout, on the player's thread; it may grant another layout.
    /// - Throws: `SystemError` when there is no thread or descriptor left.
    public init(
        _ first: PlayerItem, settings: PlayerSettings = PlayerSettings(), isPaused: Bool = false,
        open: @escaping @Sendable (StreamFormat) throws -> any FrameSink
    ) throws {
        events = try EventQueue()
        commands = try EventQueue()
        current = Guarded(Position(number: first.number, frame: first.start))
        let output = PlayerOutput(waking: commands.wakeUp, noting: call, open: open)
        levels = output.levels
        let loop = Handover(PlayerLoop(self, first, settings, isPaused: isPaused, output))
        try NativeThread(name: "player") { loop.value.run() }.detach()
    }

    /// Tells it to do something. Any thread, any time; it is obeyed within a few milliseconds.
    public func send(_ command: PlayerCommand) {
        commands.post(command)
    }

    /// What is heard now.
    public var position: Position { current.withLock { $0 } }

    /// For how many milliseconds a call of the device takes by now. One that takes seconds does not come back.
    public var hangingMilliseconds: Int64 { call.milliseconds }

    /// The levels of what went to the device since the last time; nil where nothing did.
    public func takeLevels() -> ChannelLevels? { levels.take() }

    /// Ends it, and waits until the device is closed, at most for so long: it may hang.
    ///
    /// - Returns: what happened meanwhile.
    @discardableResult
    public func stop(milliseconds: Int64) -> [Event] {
        send(.stop)
        var all: [Event] = []
        let deadline = MonotonicClock.milliseconds + milliseconds
        while MonotonicClock.milliseconds < deadline {
            events.wakeUp.wait(milliseconds: Int32(max(0, deadline - MonotonicClock.milliseconds)))
            all += events.take()
            if case .ended = all.last { break }
        }
        return all
    }

    func publish(_ position: Position) {
        current.withLock { $0 = position }
    }
}

/// `@unchecked Sendable`: one thread makes the value, hands it over with this box, and never touches it again.
private final class Handover<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}
