import ALSA
import AudioFile
import CommandTable
import Engine
import Glibc
import Linux
import Memos
import Sound
import Terminal

/// One take while it runs, from the device that is opened to the recorder's end: waits for the recorder, keys
/// and signals, and shows what is going on.
final class Recording {
    /// Why a take ended.
    enum Ending {
        /// The person who sits there has ended it, or the time or the silence that he gave was up.
        case byPerson
        /// Somebody or something else: another process, the terminal that closed, the device, the disk.
        case byOthers
        /// The person does not want it.
        case discarded
    }

    /// What came of it.
    struct Result {
        let outcome: Recorder.Outcome
        let ending: Ending
        /// The row and the file, or nil when the device did not open.
        let take: Take?
        /// What was marked.
        let markers: [Marker]
        /// The mixer of the device.
        let mixer: String
    }

    private enum State { case running, pausing, paused, resuming }

    private let context: Context
    private let options: RecordOptions
    private let signals: SignalDescriptor
    private let keyboard: Keyboard
    private let recorder: Recorder
    private var display: RecordingDisplay
    private var room: DiskRoom?
    private var take: Take?
    private var rate = 0
    private let opened = Guarded<(mixedChannels: Int, mixer: String)?>(nil)
    private var state = State.running
    private var question: Question?
    /// When to stop for Ctrl-Z, should the device not let go before.
    private var suspension: Int64?
    private var markers: [Marker] = []
    private var ending: Ending?
    private var deadline: Int64?
    private let patience = MonotonicClock.milliseconds + patienceMilliseconds
    private var saysItWaits = false
    /// Whether it was told that nothing is heard; nil while that is not known.
    private var saysItIsSilent: Bool?

    /// How long a device that does not even open may hold up the way out.
    private static let hangMilliseconds: Int64 = 3_000
    /// How long a device may take to let go before Ctrl-Z stops this process all the same.
    private static let suspensionMilliseconds: Int64 = 1_500
    /// After so long without a device a person is told what is waited for.
    private static let patienceMilliseconds: Int64 = 2_000
    /// After so long without a sound that is told, and how often it is looked whether there is one.
    private static let silenceSeconds: Int64 = 5
    private static let silenceMilliseconds: Int32 = 500
    /// How often it is looked whether the disk fills up.
    private static let roomMilliseconds: Int32 = 5_000

    /// Opens the device.
    ///
    /// - Throws: `SystemError` when there is no thread or descriptor left.
    init(_ context: Context, _ options: RecordOptions, _ signals: SignalDescriptor, _ keyboard: Keyboard)
        throws
    {
        self.context = context
        self.options = options
        self.signals = signals
        self.keyboard = keyboard
        let opened = opened
        recorder = try Recorder {
            let device = try CaptureDevice(name: options.device, wanted: options.wanted)
            opened.withLock { $0 = (device.mixedChannels, device.mixer) }
            return device
        }
        display = RecordingDisplay(of: recorder)
    }

    /// Waits until the take is over.
    ///
    /// - Throws: when it could not begin; there is neither row nor file then.
    func run() throws -> Result {
        defer { display.end() }
        while true {
            let terminal = keyboard.descriptor()
            let ready = waitForReading(
                [recorder.events.wakeUp.descriptor.number, signals.descriptor.number, terminal],
                milliseconds: patienceMilliseconds)
            if take == nil, !saysItWaits, MonotonicClock.milliseconds >= patience {
                saysItWaits = true
                Console.note("Waiting for \(options.device) …")
            }
            for event in ready[0] ? recorder.events.take() : [] {
                if let outcome = try handle(event) {
                    return Result(
                        outcome: outcome, ending: ending(of: outcome), take: take, markers: markers,
                        mixer: mixer)
                }
            }
            while ready[1], let signal = signals.next() { handle(signal) }
            if ready[2] || !ready.contains(true) { handleKeys(isReady: ready[2]) }
            if let suspension, MonotonicClock.milliseconds >= suspension { suspend() }
            if let deadline, MonotonicClock.milliseconds >= deadline {
                throw Failure(.noDevice, "cannot record from \(options.device): it does not answer")
            }
            if take != nil { room?.warn() }
            if rate > 0 { noteSilence() }
            draw()
        }
    }

    /// How long to wait for anything to happen.
    private var patienceMilliseconds: Int32 {
        let deadline = [deadline, suspension].compactMap { $0 }.min()
            .map { Int32(max(0, $0 - MonotonicClock.milliseconds)) }
        let waiting =
            take == nil && !saysItWaits ? Int32(max(0, patience - MonotonicClock.milliseconds)) : nil
        return [
            deadline, waiting, keyboard.patienceMilliseconds, display.patienceMilliseconds,
            room == nil ? nil : saysItIsSilent == nil ? Self.silenceMilliseconds : Self.roomMilliseconds,
        ].compactMap { $0 }.min() ?? -1
    }

    /// A take that failed, or was given up on, is not the person's doing, whatever was pressed.
    private func ending(of outcome: Recorder.Outcome) -> Ending {
        if outcome.fileError != nil || outcome.deviceError != nil || outcome.deviceHangs {
            return ending == .discarded ? .discarded : .byOthers
        }
        return ending ?? .byPerson
    }

    private func stop(_ ending: Ending) {
        self.ending = self.ending ?? ending
        recorder.stop()
        // With a take under way the recorder ends by itself, whatever the device does.
        if take == nil { deadline = deadline ?? MonotonicClock.milliseconds + Self.hangMilliseconds }
    }

    // MARK: The recorder

    /// Gives how the take has ended, if it has.
    private func handle(_ event: Recorder.Event) throws -> Recorder.Outcome? {
        switch event {
        case .opened(let stream):
            if ending != nil { return nil }
            do {
                try begin(stream)
            } catch {
                // Nothing was recorded yet, so nothing is to be kept.
                if let take { try? context.makeStore().discard(take) }
                throw error
            }
        case .started:
            if state == .resuming {
                state = .running
                note("Recording goes on.")
            } else {
                noteStart()
                display.begin(rate: rate)
            }
        case .paused(let error):
            state = .paused
            if suspension != nil, error == nil {
                suspend()
                return nil
            }
            if let error {
                let failure =
                    error is DeviceError
                    ? Failure(error) : Failure(.noDevice, "cannot go on with \(options.device): \(error)")
                failure.report(verbose: context.isVerbose)
            }
            note("Paused; the microphone is free. Space goes on, Enter stops.")
        case .ended(let outcome):
            return outcome
        }
        return nil
    }

    /// Opens the take for what the device has granted, and lets the sound begin.
    private func begin(_ stream: StreamFormat) throws {
        let objection = options.format.objection(to: stream)
        guard let format = options.format.live(for: stream) else {
            throw Failure(
                .wrongUsage, "cannot record from \(options.device): \(objection ?? "no format can keep it")")
        }
        // Rather another format than no memo.
        if let objection { Console.note("The take will be kept as \(format.name): \(objection).") }
        // The store is closed again while the take runs: at its end the database may be another one.
        let store = try context.makeStore()
        let room = DiskRoom(path: try context.places.store(), format: format, stream: stream)
        if let seconds = options.seconds { try room.require(seconds: seconds) }
        let now = context.now
        let dayStart = context.configuration.dayStart
        let take = try store.openTake(
            title: options.title, category: options.category,
            times: MemoTimes(
                start: now, dayStart: dayStart,
                deliver: options.deliveryDay),
            format: format.name, fileExtension: format.fileExtension)
        self.take = take
        self.room = room
        rate = stream.rate
        let writer = try AudioFileWriter(
            descriptor: take.file, name: take.memo.file, format: format, stream: stream)
        let limit = options.seconds.map { max(1, Int64(($0 * Double(stream.rate)).rounded())) }
        try recorder.begin(
            writer: writer, frameLimit: limit, silenceSeconds: options.silenceSeconds)
    }

    private var mixer: String { opened.withLock { $0?.mixer } ?? options.device }

    /// Says at once, rather than after an hour, that nothing is heard.
    private func noteSilence() {
        guard saysItIsSilent == nil else { return }
        // Asked in this order: the peak is then of these frames at least.
        let frames = recorder.measuredFrames
        if Decibels.ofPeak(recorder.peak) >= Decibels.silence {
            saysItIsSilent = false
        } else if frames >= Self.silenceSeconds * Int64(rate) {
            saysItIsSilent = true
            SilenceNote.print(about: options.device, mixer: mixer, subject: "So far it")
        }
    }

    private func noteStart() {
        if let channels = opened.withLock({ $0?.mixedChannels }), channels > 1 {
            Console.note("\(options.device) has \(channels) channels; the take is their mean.")
        }
        let end =
            Console.canRedraw && keyboard.isThere
            ? ""
            : keyboard.isThere
                ? " Enter stops, space pauses, m marks, Esc throws away."
                : " 'tomorrow stop' or Ctrl-C stops."
        Console.note("Recording from \(options.device).\(end)")
    }

    // MARK: The person

    private func handle(_ signal: Int32) {
        if signal == SIGTSTP, state == .running, take != nil, ending == nil {
            // The microphone does not stay open while nobody can see that.
            state = .pausing
            suspension = MonotonicClock.milliseconds + Self.suspensionMilliseconds
            return recorder.pause()
        }
        if keyboard.handles(signal, signals) { return }
        stop(signal == SIGINT ? .byPerson : .byOthers)
    }

    /// Stops this process for Ctrl-Z, and goes on recording when it goes on.
    private func suspend() {
        suspension = nil
        Console.note("Paused; the microphone is free. 'fg' goes on.")
        _ = keyboard.handles(SIGTSTP, signals)
        if state == .paused { pauseOrResume() }
    }

    private func handleKeys(isReady: Bool) {
        guard let keys = keyboard.keys(isReady: isReady) else {
            // The end of the input is a stop, unless the process was told not to mind the terminal's going.
            if !SignalDescriptor.isIgnored(SIGHUP) { stop(.byOthers) }
            return
        }
        if let question, !keys.isEmpty {
            guard let isYes = question.isYes(keys) else { return }
            self.question = nil
            return isYes ? stop(.discarded) : note("It goes on.")
        }
        for key in keys where ending == nil && question == nil { handle(key) }
    }

    private func handle(_ key: Key) {
        switch key {
        case .enter, .end, .character("q"): stop(.byPerson)
        case .character(" "): pauseOrResume()
        case .character("m"): mark()
        case .escape where isatty(STDERR_FILENO) == 1 && take != nil:
            question = Question("Throw this take away?")
            note(question?.text ?? "")
        default: break
        }
    }

    private func pauseOrResume() {
        switch state {
        case .running where take != nil:
            state = .pausing
            recorder.pause()
        case .paused:
            state = .resuming
            recorder.resume()
        // Between the two the device has the word.
        default: break
        }
    }

    private func mark() {
        guard let take else { return }
        let marker = Marker(frame: recorder.frames, text: nil)
        markers.append(marker)
        Console.note("Marker at \(HumanText.position(seconds: Double(marker.frame) / Double(rate))).")
        do {
            // For the case that the take is killed. The end of the take writes them all again.
            try context.makeStore().add(marker, to: take)
        } catch {
            if context.isVerbose { Failure(error).report(verbose: true) }
        }
    }

    // MARK: What is shown

    /// Says in a line of its own what the display would show.
    private func note(_ line: String) {
        if !Console.canRedraw { Console.note(line) }
    }

    private func draw() {
        display.draw(isPaused: state == .paused, of: options.seconds) { columns in
            if let question = self.question { return [question.text] }
            if !self.keyboard.isThere { return ["Ctrl-C stops"] }
            let pause = self.state == .paused ? "space go on" : "space pause"
            return KeyHints.lines([pause, "m mark", "Enter stop", "Esc throw away"], columns: columns)
        }
    }
}
