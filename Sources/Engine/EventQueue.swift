import Glibc
public import Linux

/// What a thread tells the main thread, in order, with a descriptor that the main thread can wait for.
///
/// `@unchecked Sendable`: the mutex guards the list. A pthread mutex, as ThreadSanitizer understands it.
public final class EventQueue<Event: Sendable>: @unchecked Sendable {
    /// Becomes readable when there is something to take.
    public let wakeUp: WakeUp
    private var events: [Event] = []
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>

    /// - Throws: ``SystemError`` when the process has no descriptor left.
    public init() throws(SystemError) {
        wakeUp = try WakeUp()
        mutex = .allocate(capacity: 1)
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Adds an event, from any thread.
    public func post(_ event: Event) {
        pthread_mutex_lock(mutex)
        events.append(event)
        pthread_mutex_unlock(mutex)
        wakeUp.raise()
    }

    /// Takes all events there are, oldest first.
    public func take() -> [Event] {
        wakeUp.lower()
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        let taken = events
        events = []
        return taken
    }
}
