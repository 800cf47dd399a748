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
    private let waveform: Waveform?
    private let sounding: Range<Int64>?
    private let isSilent: Bool
    private let signals: SignalDescriptor
    private let keyboard: Keyboard
    /// What is asked, and what yes means.
    private var question: (asked: Question, decision: Decision)?
    /// The title while it is typed.
    private var title: LineEditor?
    /// What the last key did, where that does not show by itself.
    private var remark: String?
    private var player: Player?

    /// How long a device may hold up the way on after playing was stopped.
    private static let hangMilliseconds: Int64 = 1_500
    private static let drawMilliseconds: Int32 = 200
    private static let mostCategories = 9
    private static let titlePrompt = "Title: "

    /// - Parameters:
    ///   - memo: saved a moment ago.
    ///   - outcome: how its recording went.
    init(
        of memo: Memo, after outcome: Recorder.Outcome, _ context: Context,
        _ signals: SignalDescriptor, _ keyboard: Keyboard
    ) {
        self.memo = memo
        self.context = context
        self.signals = signals
        self.keyboard = keyboard
        waveform = outcome.waveform
        sounding = outcome.sounding
        isSilent = outcome.levels.map { $0.peak <= SilenceDetector.threshold } ?? false
    }

    /// Waits for keys until the person has decided.
    func run() -> Decision {
        defer {
            stopPlaying()
            Console.erase()
        }
        if !Console.canRedraw { hints(columns: 80).forEach(Console.note) }
        while true {
            let terminal = keyboard.descriptor()
            draw()
            let ready = waitForReading(
                [signals.descriptor.number, terminal, player?.events.wakeUp.descriptor.number ?? -1],
                milliseconds: [keyboard.patienceMilliseconds, player == nil ? nil : Self.drawMilliseconds]
                    .compactMap { $0 }.min() ?? -1)
            while ready[0], let signal = signals.next() {
                if signal == SIGTSTP { stopPlaying() }
                if keyboard.handles(signal, signals) { continue }
                // Ctrl-C gives up the line that is typed, as in a shell.
                guard signal == SIGINT, title != nil else { return .keep }
                _ = type(.escape)
            }
            if ready[2] { handle(player?.events.take() ?? []) }
            guard ready[1] || !ready.contains(true) else { continue }
            guard let keys = keyboard.typed(isReady: ready[1]) else { return .keep }
            if let decision = handle(keys) { return decision }
        }
    }

    // MARK: Keys

    /// Keys that came together.
    private func handle(_ keys: [Key]) -> Decision? {
        if let question, !keys.isEmpty {
            guard let isYes = question.asked.isYes(keys.map(\.lowercased)) else { return nil }
            self.question = nil
            if isYes { return question.decision }
            note("The memo stays.")
            return nil
        }
        for key in keys where question == nil {
            if title != nil {
                if !type(key) { return nil }
            } else if let decision = handle(key.lowercased) {
                return decision
            }
        }
        return nil
    }

    private func handle(_ key: Key) -> Decision? {
        remark = nil
        if player != nil {
            // Whatever is pressed, it is silent, and that is all.
            stopPlaying()
            return nil
        }
        switch key {
        case .enter, .end, .character("k"), .character("q"): return .keep
        case .character(" "), .character("p"): play()
        case .character("t"): askForTitle()
        case .character("x"): trim()
        case .character("a"): ask("Throw it away and record again?", .again)
        case .character("d"), .escape: ask("Throw it away?", .throwAway)
        case .character(let digit): choose(category: digit)
        default: break
        }
        return nil
    }

    private func ask(_ text: String, _ decision: Decision) {
        let asked = Question(text)
        question = (asked, decision)
        note(asked.text)
    }

    /// Has the person type what the memo is to be called.
    private func askForTitle() {
        title = LineEditor(memo.title ?? "")
        if !Console.canRedraw { Console.prompt(Self.titlePrompt + (title?.text ?? "")) }
    }

    /// A key of the title. Of what comes together with the line's end, or was pasted behind it, nothing is a key.
    ///
    /// - Returns: whether the title goes on.
    private func type(_ key: Key) -> Bool {
        guard var line = title else { return false }
        let (old, outcome) = (line.text, line.take(key))
        title = outcome == nil ? line : nil
        if !Console.canRedraw { echo(line.text, over: old, isDone: outcome != nil) }
        guard let outcome else { return true }
        keyboard.forget()
        if case .entered(let text) = outcome, text != memo.title ?? "" {
            change { $0.title = text.isEmpty ? nil : text }
        }
        return false
    }

    /// Shows a line where nothing can be drawn anew: what is added to it, else all of it again.
    private func echo(_ text: String, over old: String, isDone: Bool) {
        if isDone { return Console.note("") }
        if text == old { return }
        let isLonger = text.hasPrefix(old)
        Console.prompt(isLonger ? String(text.dropFirst(old.count)) : "\n" + Self.titlePrompt + text)
    }

    private var categories: ArraySlice<String> {
        context.configuration.categories.prefix(Self.mostCategories)
    }

    private func choose(category digit: Character) {
        guard let number = digit.wholeNumberValue, number <= categories.count else { return }
        change { $0.category = number == 0 ? nil : categories[number - 1] }
        if !Console.canRedraw { Console.note("Category: \(memo.category ?? "none").") }
    }

    /// Leaves the silence at both ends out, or takes it in again.
    private func trim() {
        guard let sounding else {
            return note(isSilent ? "There is nothing but silence." : "There is no silence at its ends.")
        }
        let trim = memo.sound?.trim == nil ? sounding : nil
        change { $0.sound?.trim = trim }
        if !Console.canRedraw { Console.note("It is \(HumanText.length(memo)) long now.") }
    }

    /// Changes the memo in the store, and here when that went well.
    private func change(_ body: (inout Memo) -> Void) {
        var changed = memo
        body(&changed)
        do {
            // Opened for each change: the database may be another one by now.
            guard let edited = try context.makeStore().edit(changed) else { return note("It is gone.") }
            memo = edited
        } catch {
            Failure(error).report(verbose: context.isVerbose)
        }
    }

    // MARK: Playing

    private func play() {
        do {
            guard let file = try context.makeStore().openFile(of: memo) else {
                return note("Its file is gone.")
            }
            let reader = try AudioFileReader(descriptor: file, name: memo.file)
            let heard = memo.sound?.heard ?? 0..<0
            let device = context.configuration.playbackDevice
            let item = PlayerItem(number: 0, reader: reader, range: heard, start: heard.lowerBound)
            player = try Player(item) { stream in try PlaybackDevice(name: device, wanted: stream) }
            player?.send(.follow(with: nil))
        } catch {
            Failure(error).report(verbose: context.isVerbose)
        }
    }

    private func handle(_ events: [Player.Event]) {
        for event in events {
            switch event {
            case .itemEnded(let end):
                if let error = end.fileError { Failure(error).report(verbose: context.isVerbose) }
            case .deviceLost(let error):
                // It can be played again when there is a device again.
                Failure(error).report(verbose: context.isVerbose)
                stopPlaying()
            case .ended(let error):
                player = nil
                if let error { Failure(error).report(verbose: context.isVerbose) }
            default: break
            }
        }
    }

    private func stopPlaying() {
        player?.stop(milliseconds: Self.hangMilliseconds)
        player = nil
    }

    // MARK: What is shown

    /// Says something that the display does not show by itself.
    private func note(_ line: String) {
        remark = line
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
        if let question { return [question.asked.text] }
        if let title {
            let room = columns - 1 - Self.titlePrompt.utf8.count
            return KeyHints.lines(["Enter takes it", "Esc leaves it as it was"], columns: columns)
                + [Self.titlePrompt + title.shown(columns: room)]
        }
        if let player, let sound = memo.sound {
            let position = HumanText.position(seconds: sound.seconds(at: player.position.frame))
            return ["▶ \(position) of \(HumanText.length(memo)) · any key stops"]
        }
        let digits = zip(1..., categories).map { "\($0) \($1)" } + (memo.category == nil ? [] : ["0 none"])
        return (remark.map { [$0] } ?? [])
            + KeyHints.lines(
                ["Enter keep", "space play", "t title", "x trim silence", "a again", "d throw away"],
                columns: columns) + KeyHints.lines(digits, columns: columns)
    }
}
