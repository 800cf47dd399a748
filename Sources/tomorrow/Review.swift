import ALSA
import AudioFile
import Engine
import Glibc
import Linux
import Memos
import Sound
import Terminal

/// What a person does with a take right after it: hear it, call it something, cut the silence off, or be rid of
/// it. The memo is saved before this begins; whatever ends it, the memo stays as it is then.
final class Review {
    /// What is to become of the memo.
    enum Decision {
        case keep, again, throwAway
    }

    /// The memo, as it stands in the store.
    private(set) var memo: Memo
    private let context: Context
    private let store: Store
    private let waveform: Waveform?
    private let sounding: Range<Int64>?
    private let signals: SignalDescriptor
    private let keyboard: Keyboard
    /// What a `y` now means.
    private var question: Decision?
    private var player: Player?

    /// How long a device may hold up the way on after playing was stopped.
    private static let hangMilliseconds: Int64 = 1_500
    private static let drawMilliseconds: Int32 = 200
    private static let mostCategories = 9

    /// - Parameters:
    ///   - memo: saved a moment ago.
    ///   - outcome: how its recording went.
    init(
        of memo: Memo, after outcome: Recorder.Outcome, _ context: Context, _ store: Store,
        _ signals: SignalDescriptor, _ keyboard: Keyboard
    ) {
        self.memo = memo
        self.context = context
        self.store = store
        self.signals = signals
        self.keyboard = keyboard
        waveform = outcome.waveform
        sounding = outcome.sounding
    }

    /// Waits for keys until the person has decided.
    func run() -> Decision {
        defer {
            stopPlaying()
            Console.erase()
        }
        if !Console.canRedraw { hints(columns: 80).forEach(Console.note) }
        while true {
            draw()
            let terminal = keyboard.descriptor()
            let ready = waitForReading(
                [signals.descriptor.number, terminal, player?.events.wakeUp.descriptor.number ?? -1],
                milliseconds: [keyboard.patienceMilliseconds, player == nil ? nil : Self.drawMilliseconds]
                    .compactMap { $0 }.min() ?? -1)
            while ready[0], let signal = signals.next() {
                if signal == SIGTSTP { stopPlaying() }
                if !keyboard.handles(signal, signals) { return .keep }
            }
            if ready[2] { handle(player?.events.take() ?? []) }
            guard ready[1] || !ready.contains(true) else { continue }
            guard let keys = keyboard.keys(isReady: ready[1]) else { return .keep }
            for key in keys {
                if let decision = handle(key) { return decision }
            }
        }
    }

    // MARK: Keys

    private func handle(_ key: Key) -> Decision? {
        if let question {
            self.question = nil
            if key == .character("y") { return question }
            note("The memo stays.")
            return nil
        }
        if player != nil {
            // Whatever is pressed, it is silent first.
            stopPlaying()
            return nil
        }
        switch key {
        case .enter, .end, .character("k"), .character("q"): return .keep
        case .character(" "), .character("p"): play()
        case .character("t"): return askForTitle()
        case .character("x"): trim()
        case .character("a"): ask(.again)
        case .character("d"), .escape: ask(.throwAway)
        case .character(let digit): choose(category: digit)
        case .other: break
        }
        return nil
    }

    private func ask(_ decision: Decision) {
        question = decision
        note(questionText)
    }

    private var questionText: String {
        question == .again
            ? "Throw it away and record again? [y/N]" : "Throw it away? [y/N]"
    }

    /// Has the memo called what the person types in a line; the terminal's own editing is there for that.
    private func askForTitle() -> Decision? {
        Console.erase()
        keyboard.end()
        Console.prompt("Title: ")
        while true {
            let ready = waitForReading([signals.descriptor.number, STDIN_FILENO], milliseconds: -1)
            while ready[0], let signal = signals.next() {
                guard keyboard.handles(signal, signals) else {
                    Console.note("")
                    return .keep
                }
                if signal == SIGCONT { Console.prompt("Title: ") }
            }
            guard ready[1], SingleKeys.mayRead(STDIN_FILENO) else { continue }
            var bytes = [UInt8](repeating: 0, count: 4_096)
            let count = read(STDIN_FILENO, &bytes, bytes.count)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count > 0 else { return isatty(STDIN_FILENO) == 1 ? nil : .keep }
            let line = String(decoding: bytes[..<count].prefix { $0 != 0x0a }, as: UTF8.self)
            if !line.isEmpty { change { $0.title = line } }
            return nil
        }
    }

    private var categories: ArraySlice<String> {
        context.configuration.categories.prefix(Self.mostCategories)
    }

    private func choose(category digit: Character) {
        guard let number = digit.wholeNumberValue, number <= categories.count else { return }
        change { $0.category = number == 0 ? nil : categories[number - 1] }
        note("Category: \(memo.category ?? "none").")
    }

    /// Leaves the silence at both ends out, or takes it in again.
    private func trim() {
        guard let sounding else { return Console.note("There is no silence at its ends.") }
        let trim = memo.sound?.trim == nil ? sounding : nil
        change { $0.sound?.trim = trim }
        note("It is \(HumanText.length(memo)) long now.")
    }

    /// Changes the memo in the store, and here when that went well.
    private func change(_ body: (inout Memo) -> Void) {
        var changed = memo
        body(&changed)
        do {
            try store.edit(changed)
            memo = changed
        } catch {
            Failure(error).report(verbose: context.isVerbose)
        }
    }

    // MARK: Playing

    private func play() {
        do {
            guard let file = try store.openFile(of: memo) else { return }
            let reader = try AudioFileReader(descriptor: file, name: memo.file)
            if let trim = memo.sound?.trim { try reader.restrict(to: trim) }
            let device = context.configuration.playbackDevice
            player = try Player(reader) { stream in try PlaybackDevice(name: device, stream: stream) }
        } catch {
            Failure(error).report(verbose: context.isVerbose)
        }
    }

    private func handle(_ events: [Player.Event]) {
        for case .ended(let outcome) in events {
            player = nil
            if let error = outcome.deviceError ?? outcome.fileError {
                Failure(error).report(verbose: context.isVerbose)
            }
        }
    }

    private func stopPlaying() {
        guard let player else { return }
        player.stop()
        player.waitForEnd(milliseconds: Self.hangMilliseconds)
        self.player = nil
    }

    // MARK: What is shown

    /// Says in a line of its own what the display would show.
    private func note(_ line: String) {
        if !Console.canRedraw { Console.note(line) }
    }

    private func draw() {
        guard Console.canRedraw else { return }
        let columns = TerminalSize.columns(of: STDERR_FILENO)
        var lines: [String] = []
        if let waveform, let sound = memo.sound {
            lines.append(
                WaveformText.line(waveform.part(sound.heard, of: sound.frames), columns: columns - 1))
        }
        let name = memo.title.map { "“\($0)”" } ?? "no title"
        let trim = memo.sound?.trim == nil ? "" : " without the silence"
        lines.append("\(HumanText.length(memo))\(trim) · \(name) · \(memo.category ?? "no category")")
        Console.draw(lines + hints(columns: columns))
    }

    private func hints(columns: Int) -> [String] {
        if question != nil { return [questionText] }
        if let player, let sound = memo.sound {
            let position = HumanText.length(
                seconds: (Double(player.frames) / Double(sound.rate)).rounded(.down))
            return ["▶ \(position) of \(HumanText.length(memo)) · any key stops"]
        }
        let digits = zip(1..., categories).map { "\($0) \($1)" }
        return KeyHints.lines(
            ["Enter keep", "space play", "t title", "x trim silence", "a again", "d throw away"],
            columns: columns) + KeyHints.lines(digits, columns: columns)
    }
}
