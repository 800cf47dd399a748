import ALSA
import AudioFile
import CommandTable
import Desktop
import Engine
import Glibc
import Linux
import Memos
import Sound
import Terminal

/// Memos that are being played, from the first one to the last: what the player tells, what the person presses,
/// and what is remembered of it.
final class Playing {
    let context: Context
    let options: PlayOptions
    let queue: MemoQueue
    let store: Store
    let signals: SignalDescriptor
    let keyboard: Keyboard
    var settings: PlayerSettings
    var display = PlayingDisplay()
    var player: Player
    /// What the player was given, by number.
    var entries: [Int: MemoQueue.Entry]
    /// What the player will play next, by its own or for a key.
    var following: MemoQueue.Entry?
    var measurement: LoudnessMeasurement?
    var isPaused = false
    var wantsNext = false
    /// What others on the session bus see, or nil.
    let mediaPlayer: MediaPlayer?
    /// Whether the place has changed otherwise than by playing, and nobody on the bus was told.
    var hasJumped = false
    private var isLost = false
    var isStopping = false
    private var suspension: Int64?
    private var nextKeeping: Int64 = 0
    private var kept: Player.Position?

    /// How often the place is remembered.
    private static let keepingMilliseconds: Int64 = 2_000
    /// After so long a call of the device will not come back.
    private static let hangMilliseconds: Int64 = 10_000
    /// How long a device may hold up the way out.
    private static let stopMilliseconds: Int64 = 1_500
    private static let suspensionMilliseconds: Int64 = 500

    /// Begins with the first memo.
    ///
    /// - Throws: `SystemError` when there is no thread or descriptor left.
    init(
        _ first: MemoQueue.Entry, of queue: MemoQueue, in store: Store, _ context: Context,
        _ options: PlayOptions, _ signals: SignalDescriptor, _ keyboard: Keyboard
    ) throws {
        self.context = context
        self.options = options
        self.queue = queue
        self.store = store
        self.signals = signals
        self.keyboard = keyboard
        settings = options.settings
        mediaPlayer = Self.mediaPlayer(context)
        entries = [first.number: first]
        let device = options.device
        // One channel has no sides.
        let leastChannels = options.settings.pan == 0 ? 1 : 2
        player = try Player(queue.item(of: first), settings: options.settings) { stream in
            let channels = max(stream.channels, leastChannels)
            return try PlaybackDevice(
                name: device, wanted: StreamFormat(rate: stream.rate, channels: channels, bits: stream.bits))
        }
    }

    /// Waits until all is over; dies of a signal that ends it.
    ///
    /// - Throws: when the device fails.
    func run() throws {
        defer { display.end() }
        while true {
            let terminal = keyboard.descriptor()
            let ready = waitForReading(
                [
                    player.events.wakeUp.descriptor.number, signals.descriptor.number, terminal,
                    measurement?.wakeUp.descriptor.number ?? -1, mediaPlayer?.descriptor ?? -1,
                ], milliseconds: patienceMilliseconds)
            for event in ready[0] ? player.events.take() : [] {
                if try handle(event) { return }
            }
            while ready[1], let signal = signals.next() { handle(signal) }
            if ready[2] || !ready.contains(true) { handleKeys(isReady: ready[2]) }
            if ready[3] { followOn() }
            if let suspension, MonotonicClock.milliseconds >= suspension { suspend() }
            handleBus()
            if isStopping { return stop() }
            if player.hangingMilliseconds > Self.hangMilliseconds {
                keepPlace()
                throw Failure(.noDevice, "cannot play to \(options.device): it does not answer")
            }
            look()
        }
    }

    private var patienceMilliseconds: Int32 {
        let suspension = suspension.map { Int32(max(0, $0 - MonotonicClock.milliseconds)) }
        // Without a display, too, it is looked now and then whether the device hangs and what comes by.
        return [
            suspension, keyboard.patienceMilliseconds, display.patienceMilliseconds, isPaused ? nil : 200,
            mediaPlayer?.timeoutMilliseconds,
        ]
        .compactMap { $0 }.min() ?? -1
    }

    // MARK: The player

    /// Takes an event in, and says whether it was the last.
    private func handle(_ event: Player.Event) throws -> Bool {
        switch event {
        case .started(let number): begin(number)
        case .skipped(let number):
            entries[number] = nil
            follow(from: number + 1)
        case .paused:
            isPaused = true
            keepPlace()
            if suspension != nil { suspend() }
        case .resumed: isPaused = false
        case .jumped: hasJumped = true
        case .repeated(let number):
            hasJumped = true
            if let entry = entries[number], entry.range.upperBound == entry.sound.heard.upperBound {
                queue.keep { try store.markHeard(entry.memo, at: context.now) }
            }
        case .deviceLost(let error):
            isLost = true
            keepPlace()
            Failure(error).report(verbose: context.isVerbose)
            Console.note("  Trying again for 10 s.")
        case .deviceBack:
            isLost = false
            Console.note("Playing goes on.")
        case .itemEnded(let end): finish(end)
        case .ended(let error):
            guard let error else { return true }
            guard isLost else { throw error }
            throw Failure(
                .noDevice, "cannot play to \(options.device): it did not come back",
                advice: "The place is remembered; 'tomorrow play' goes on there.")
        }
        display.hurry()
        return false
    }

    private func begin(_ number: Int) {
        guard let entry = entries[number] else { return }
        following = nil
        entries = [number: entry]
        let from = entry.start - entry.sound.heard.lowerBound
        let place =
            from == 0 || entry.start != entry.memo.position
            ? "" : " from " + HumanText.position(seconds: Double(from) / Double(entry.sound.rate))
        Console.note("Playing \(HumanText.name(entry.memo))\(place), \(HumanText.length(entry.memo)).")
        if keyboard.isThere, !Console.canRedraw, entries.count == 1 {
            Console.note("Space pauses, the arrows seek, q stops; 'tomorrow help play' knows all keys.")
        }
        let bytes = try? store.waveform(of: entry.memo)
        let whole = bytes.flatMap { Waveform(bytes: $0) }
        display.begin(
            entry, waveform: whole?.part(entry.sound.heard, of: entry.sound.frames), at: entry.start)
        follow(from: number + 1)
    }

    /// Has the memo that stands at a place of the queue, or the first behind it that can be played, ready for the
    /// player.
    private func follow(from number: Int) {
        following = queue.entry(from: number)
        measurement = following.flatMap(queue.measurement)
        if measurement == nil { followOn() }
    }

    /// Gives the player what follows, once its loudness is known.
    func followOn() {
        if let measurement, following != nil { queue.take(measurement, into: &following!) }
        measurement = nil
        guard let following else { return player.send(.follow(with: nil)) }
        entries[following.number] = following
        if wantsNext {
            play(following)
        } else {
            player.send(.follow(with: queue.item(of: following)))
        }
    }

    private func finish(_ end: PlayerItem.End) {
        guard let entry = entries.removeValue(forKey: end.number) else { return }
        let heard = entry.sound.heard
        let isEarly = end.fileError == nil && end.position < entry.range.upperBound
        if let error = end.fileError {
            queue.fail(Failure(error))
        } else if isEarly {
            let seconds = entry.sound.seconds(at: end.position)
            queue.fail(
                Failure(
                    .storage,
                    "cannot play memo \(entry.memo.id) to its end: its file ends at "
                        + HumanText.length(seconds: seconds)))
        } else if entry.reader.isDamaged {
            queue.fail(
                Failure(
                    .storage,
                    "cannot play all of memo \(entry.memo.id): its file is damaged; the rest was heard"))
        }
        queue.keep {
            if end.wasHeardToEnd, entry.range.upperBound == heard.upperBound {
                try store.markHeard(entry.memo, at: context.now)
            } else {
                // Where nothing more can be heard, there is nothing to go on with.
                let isOver = isEarly || end.fileError != nil || !heard.contains(end.position)
                try store.remember(position: isOver ? nil : end.position, of: entry.memo)
            }
        }
        kept = nil
    }

    // MARK: The place

    /// What is heard now, and the memo that it belongs to.
    var current: (entry: MemoQueue.Entry, frame: Int64)? {
        let position = player.position
        return entries[position.number].map { ($0, position.frame) }
    }

    private func look() {
        guard let (entry, frame) = current else { return }
        display.pass(entry, frame: frame)
        if !isPaused, MonotonicClock.milliseconds >= nextKeeping { keepPlace() }
        display.draw(
            entry, player, frame: frame, state: isLost ? "…" : isPaused ? "‖" : "▶", settings: settings,
            at: context.now, hints: hints)
    }

    func keepPlace() {
        nextKeeping = MonotonicClock.milliseconds + Self.keepingMilliseconds
        let position = player.position
        guard let entry = entries[position.number], position != kept else { return }
        kept = position
        let heard = entry.sound.heard
        let isWithin = position.frame > heard.lowerBound && position.frame < heard.upperBound
        guard isWithin || entry.memo.position != nil else { return }
        entries[position.number]?.memo.position = isWithin ? position.frame : nil
        queue.keep { try store.remember(position: isWithin ? position.frame : nil, of: entry.memo) }
    }

    func stop() {
        for event in player.stop(milliseconds: Self.stopMilliseconds) {
            if case .itemEnded(let end) = event { finish(end) }
        }
        keepPlace()
    }

    // MARK: The person

    private func handle(_ signal: Int32) {
        if signal == SIGTSTP, !isPaused, suspension == nil {
            suspension = MonotonicClock.milliseconds + Self.suspensionMilliseconds
            return player.send(.pause)
        }
        if keyboard.handles(signal, signals) { return display.hurry() }
        // It falls silent at once.
        stop()
        display.end()
        keyboard.end()
        signals.die(of: signal)
    }

    /// Stops this process for Ctrl-Z, and goes on playing when it goes on.
    private func suspend() {
        suspension = nil
        _ = keyboard.handles(SIGTSTP, signals)
        player.send(.resume)
        display.hurry()
    }
}
