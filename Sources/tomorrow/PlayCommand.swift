import ALSA
import AudioFile
import CommandTable
import Engine
import Glibc
import Linux
import Memos

/// `tomorrow play`: one memo, several, or all that were not heard yet.
struct PlayCommand {
    private let context: Context
    private let device: String
    /// How long a device may hold up the way out.
    private static let hangMilliseconds: Int64 = 1_500

    init(_ context: Context) {
        self.context = context
        device = context.invocation.option("device")?.value ?? context.configuration.playbackDevice
    }

    func run() throws -> ExitStatus {
        context.noteConfigurationMistakes()
        let store = try context.openStore()
        let operands = context.invocation.operands
        // Blocked before there is a thread, so that only the descriptor sees them.
        let signals = try SignalDescriptor([SIGINT, SIGTERM, SIGHUP, SIGQUIT])
        guard operands.isEmpty else {
            return each(operands) { operand in
                let memo = try context.memo(operand, to: "play", in: store) {
                    try $0.available(at: context.now)
                }
                try context.requireAvailable(memo, to: "play")
                if let store { try play(memo, in: store, signals) }
            }
        }
        let available = try store?.available(at: context.now) ?? []
        let unheard = available.filter { $0.heardAt == nil }
        let queue = unheard.isEmpty ? available.suffix(1) : unheard[...]
        guard let store, !queue.isEmpty else { throw nothingToPlay(store) }
        return each(queue) { memo in
            // One that was deleted, or is over, by the time it is reached is passed over.
            guard let memo = try store.memo(id: memo.id, at: context.now),
                memo.state(at: context.now) == .available
            else { return }
            try play(memo, in: store, signals)
        }
    }

    /// Tries each; the first failure gives the status. Without a device there is no point in going on.
    private func each<Item>(_ items: some Sequence<Item>, _ body: (Item) throws -> Void) -> ExitStatus {
        var status = ExitStatus.done
        for item in items {
            do {
                try body(item)
            } catch {
                let failure = Failure(error).report(verbose: context.isVerbose)
                if status == .done { status = failure }
                if failure == .noDevice { break }
            }
        }
        return status
    }

    private func nothingToPlay(_ store: Store?) -> Failure {
        let now = context.now
        let waiting = (try? store?.memos(at: now))?.filter { $0.state(at: now) == .waiting } ?? []
        let next = waiting.map(\.times.showAt).min()
        return Failure(
            .noSuchMemo, "cannot play: nothing can be heard now",
            advice: next.map {
                "The next memo opens \(HumanText.time($0)), \(HumanText.distance(from: now, to: $0))."
            })
    }

    /// Plays one memo to its end.
    ///
    /// - Throws: when the device or the file fails; what could be heard was heard.
    private func play(_ memo: Memo, in store: Store, _ signals: SignalDescriptor) throws {
        guard let file = try store.openFile(of: memo) else {
            throw Failure(.storage, "cannot play memo \(memo.id): its file is missing")
        }
        let reader = try AudioFileReader(descriptor: file, name: memo.file)
        if let trim = memo.sound?.trim { try reader.restrict(to: trim) }
        let device = device
        let player = try Player(reader) { stream in try PlaybackDevice(name: device, stream: stream) }
        while true {
            let ready = waitForReading(
                [player.events.wakeUp.descriptor.number, signals.descriptor.number], milliseconds: -1)
            for event in ready[0] ? player.events.take() : [] {
                switch event {
                case .started: Console.note("Playing \(HumanText.name(memo)), \(HumanText.length(memo)).")
                case .ended(let outcome): return try finish(outcome, memo, in: store)
                }
            }
            if ready[1], let signal = signals.next() {
                player.stop()
                // The player drops what the device still has, so that it falls silent at once.
                player.waitForEnd(milliseconds: Self.hangMilliseconds)
                signals.die(of: signal)
            }
        }
    }

    private func finish(_ outcome: Player.Outcome, _ memo: Memo, in store: Store) throws {
        if let error = outcome.deviceError ?? outcome.fileError { throw error }
        let frames = memo.sound.map { Int64($0.heard.count) } ?? 0
        guard outcome.frames >= frames else {
            let rate = Double(memo.sound?.rate ?? 1)
            throw Failure(
                .storage,
                "cannot play memo \(memo.id) to its end: its file ends at "
                    + HumanText.length(seconds: Double(outcome.frames) / rate))
        }
        if outcome.wasHeardToEnd {
            do {
                try store.markHeard(memo, at: context.now)
            } catch {
                // A read-only or a full disk is no reason not to listen.
                if context.isVerbose { Failure(error).report(verbose: true) }
            }
        }
    }
}
