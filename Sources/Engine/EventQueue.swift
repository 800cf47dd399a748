public import Linux

/// What a thread tells the main thread, in order, with a descriptor that the main thread can wait for.
public final class EventQueue<Event: Sendable>: Sendable {
    /// Becomes readable when there is something to take.
    public let wakeUp: WakeUp
    private let events = Guarded<[Event]>([])

    /// - Throws: ``SystemError`` when the process has no descriptor left.
    public init() throws(SystemError) {
        wakeUp = try WakeUp()
    }

    /// Adds an event, from any thread.
    public func post(_ event: Event) {
        events.withLock { $0.append(event) }
        wakeUp.raise()
    }

    /// Takes all events there are, oldest first.
    public func take() -> [Event] {
        wakeUp.lower()
        return events.withLock { events in
            defer { events = [] }
            return events
        }
    }
}
