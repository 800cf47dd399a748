internal import CLinux
internal import CMediaPlayer
internal import CSystemd
import Glibc
import Linux

/// A media player on the session bus, as media keys, panels and `playerctl` know them (MPRIS 2.2).
///
/// It never waits, nor does it fail: the bus's descriptor is waited for by whoever owns this, and a bus that
/// hangs or goes away is left alone.
public final class MediaPlayer {
    /// How things stand, as others see them.
    public private(set) var state = MediaPlayerState()
    let rates: ClosedRange<Double>
    var commands: [MediaPlayerCommand] = []
    private var bus: BusConnection?
    private let poll: FileDescriptor
    private let calls: UnsafeMutablePointer<media_player_calls>
    /// Whether the name is ours, so that somebody may have seen a state.
    private var isNamed = false

    /// How many messages are taken in at once: whoever sends very many does not get all of the thread.
    private static let messagesAtOnce = 64
    private static let path = "/org/mpris/MediaPlayer2"
    private static let interface = "org.mpris.MediaPlayer2.Player"

    /// Connects, and asks for the name `org.mpris.MediaPlayer2.tomorrow.instance` with the process's number
    /// (`sd_bus_request_name_async`), without waiting for any of it. Nil where there is no session bus.
    ///
    /// - Parameters:
    ///   - busAddress: where the bus is, as DBUS_SESSION_BUS_ADDRESS says it; without it the user's own
    ///     socket is looked for.
    ///   - processIdentifier: this process's number.
    ///   - rates: how slow and how fast it can play; 1 is as recorded.
    public init?(busAddress: String?, processIdentifier: Int32, rates: ClosedRange<Double>) {
        // Other addresses may take long: a host is looked up, a bus is started.
        guard let address = busAddress ?? BusConnection.userAddress, address.hasPrefix("unix:"),
            let bus = try? BusConnection(address: address),
            let poll = try? FileDescriptor(owning: retryingInterrupts { epoll_create1(Int32(O_CLOEXEC)) })
        else { return nil }
        self.rates = rates
        self.bus = bus
        self.poll = poll
        calls = .allocate(capacity: 1)
        calls.initialize(
            to: media_player_calls(
                context: Unmanaged.passUnretained(self).toOpaque(),
                method: { MediaPlayer.of($0).call($1!, $2) },
                get: { MediaPlayer.of($0).get(String(cString: $1!), into: $2!) },
                set: { MediaPlayer.of($0).set(String(cString: $1!), from: $2!, $3) }))
        let name = "org.mpris.MediaPlayer2.tomorrow.instance\(processIdentifier)"
        guard media_player_serve(bus.handle, calls) >= 0,
            sd_bus_request_name_async(
                bus.handle, nil, name, 0,
                { message, context, _ in
                    MediaPlayer.of(context).named(sd_bus_message_is_method_error(message, nil) <= 0)
                    return 0
                }, calls.pointee.context) >= 0
        else { return nil }
        watch()
    }

    deinit {
        // Whoever is called back goes last.
        bus = nil
        calls.deallocate()
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> MediaPlayer {
        Unmanaged<MediaPlayer>.fromOpaque(context!).takeUnretainedValue()
    }

    /// Can be read when there is something to do for ``process()``; −1 once the bus is gone.
    public var descriptor: Int32 { bus == nil ? -1 : poll.number }

    /// After how long there is something to do all the same; nil when only the descriptor tells.
    public var timeoutMilliseconds: Int32? {
        var microseconds = UInt64.max
        guard let bus, sd_bus_get_timeout(bus.handle, &microseconds) > 0, microseconds != .max else {
            return nil
        }
        let left = Int64(clamping: microseconds / 1_000 + 1) - MonotonicClock.milliseconds
        return microseconds == 0 ? 0 : Int32(clamping: max(0, left))
    }

    /// Takes in what has come, and answers (`sd_bus_process`), up to the first command: what comes behind it
    /// sees what the command has changed.
    ///
    /// - Returns: what somebody wants; nil when there is nothing more for the moment.
    public func process() -> MediaPlayerCommand? {
        for _ in 0..<Self.messagesAtOnce where commands.isEmpty {
            guard let bus else { break }
            let progress = sd_bus_process(bus.handle, nil)
            // The bus was closed, or has sent what nobody understands.
            if progress < 0 { self.bus = nil }
            if progress <= 0 { break }
        }
        watch()
        return commands.isEmpty ? nil : commands.removeFirst()
    }

    /// Takes over how things stand, and tells it to whoever listens when something has changed but the place
    /// (`PropertiesChanged`).
    public func update(_ state: MediaPlayerState) {
        let changes = state.changes(since: self.state)
        self.state = state
        guard let bus, isNamed, !changes.isEmpty else { return }
        var names = changes.map { strdup($0) } + [nil]
        defer { for name in names { free(name) } }
        sd_bus_emit_properties_changed_strv(bus.handle, Self.path, Self.interface, &names)
        watch()
    }

    /// Tells whoever listens that the place has changed otherwise than by playing (`Seeked`); it is the one of
    /// the last ``update(_:)``.
    public func seeked() {
        guard let bus, isNamed else { return }
        do {
            let signal = try bus.signal(path: Self.path, interface: Self.interface, member: "Seeked")
            try signal.append(state.microseconds)
            try bus.send(signal)
        } catch {
            self.bus = nil
        }
        watch()
    }

    private func named(_ isNamed: Bool) {
        self.isNamed = isNamed
    }

    /// Has the descriptor stand for what the bus is waited for now: to be read, to be written to, or both.
    private func watch() {
        guard let bus else { return }
        let number = sd_bus_get_fd(bus.handle)
        let events = sd_bus_get_events(bus.handle)
        guard number >= 0, events >= 0 else { return }
        var event = epoll_event()
        // The bits of poll and of epoll are the same.
        event.events = UInt32(events)
        if epoll_ctl(poll.number, EPOLL_CTL_MOD, number, &event) != 0 {
            epoll_ctl(poll.number, EPOLL_CTL_ADD, number, &event)
        }
    }
}
