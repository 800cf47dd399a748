import ALSA
import AudioFile
import CommandTable
import Desktop
import Engine
import Glibc
import Linux
import Memos
import Sound

/// `tomorrow record`: takes until one is kept, each from the first frame to the saved memo.
struct RecordCommand {
    private let context: Context

    init(_ context: Context) {
        self.context = context
    }

    func run() throws -> ExitStatus {
        try context.requireTimes()
        let options = try RecordOptions(context)
        let keyboard = Keyboard()
        // Blocked before there is a thread, so that only the descriptor sees them.
        let signals = try SignalDescriptor(
            [SIGINT, SIGTERM, SIGHUP, SIGQUIT] + (keyboard.isThere ? Keyboard.signals : []))
        defer { keyboard.end() }
        let inhibitor = context.sleepInhibitor("Recording a memo")
        let end: (memo: Memo?, status: ExitStatus)
        do {
            context.salvage(try context.makeStore())
            if let clock = options.startClock {
                try requireRoom(options)
                inhibitor.acquire()
                try Countdown(to: clock.next(after: context.now), of: "Recording").wait(
                    signals, keyboard, at: { context.now })
            }
            end = try record(options, signals, keyboard, inhibitor)
        } catch {
            try printJSON(nil)
            throw error
        }
        try printJSON(end.memo)
        return end.status
    }

    /// Prints the memo as JSON, or that there is none, once.
    private func printJSON(_ memo: Memo?) throws {
        guard context.wantsJSON else { return }
        let json = try MemoJSON()
        json.print(["memo": try memo.map { try json.memo($0, at: context.now) } ?? .null])
    }

    /// Says before a long wait, rather than after it, that the disk has no room.
    private func requireRoom(_ options: RecordOptions) throws {
        guard let seconds = options.seconds else { return }
        try DiskRoom(path: try context.places.store(), format: options.format, stream: options.wanted)
            .require(seconds: seconds)
    }

    /// Records until a take is kept or thrown away.
    private func record(
        _ options: RecordOptions, _ signals: SignalDescriptor, _ keyboard: Keyboard,
        _ inhibitor: SleepInhibitor
    ) throws -> (memo: Memo?, status: ExitStatus) {
        var options = options
        while true {
            inhibitor.acquire()
            let recorded = try Recording(context, options, signals, keyboard).run()
            inhibitor.release()
            if recorded.ending == .discarded {
                if let take = recorded.take { try context.makeStore().discard(take) }
                Console.note("Thrown away.")
                return (nil, .failed)
            }
            let memo: Memo?
            do {
                memo = try save(recorded)
            } catch {
                var failure = Failure(error)
                failure.advice = "The sound is safe; the next command makes a memo of it."
                throw failure
            }
            let status = try report(memo, recorded, options)
            guard let memo else { return (nil, status) }
            func encoded(_ memo: Memo) throws -> (Memo?, ExitStatus) {
                keyboard.end()
                let end = Encoding(context, signals, keyboard).encode(memo, as: options.format)
                // Another process may have deleted it meanwhile.
                guard let memo = try context.makeStore().current(end.memo) else { throw isGone(memo) }
                return (memo, status == .done ? end.status : status)
            }
            guard isReviewed(recorded.ending, keyboard) else { return try encoded(memo) }
            let review = Review(of: memo, after: recorded.outcome, context, signals, keyboard)
            let decision = review.run()
            if decision == .keep {
                guard let kept = try context.makeStore().current(review.memo) else { throw isGone(memo) }
                Console.note("Kept \(HumanText.name(kept)), \(HumanText.length(kept)).")
                return try encoded(kept)
            }
            try context.makeStore().delete(review.memo)
            Console.note("Thrown away.")
            if decision == .throwAway { return (nil, .failed) }
            // The next one is called what this one was called last.
            (options.title, options.category) = (review.memo.title, review.memo.category)
        }
    }

    private func isGone(_ memo: Memo) -> Failure {
        Failure(.noSuchMemo, "cannot keep memo \(memo.id): it was deleted meanwhile")
    }

    /// Whether the person is asked what to do with the take: somebody must sit there who has ended it.
    private func isReviewed(_ ending: Recording.Ending, _ keyboard: Keyboard) -> Bool {
        ending == .byPerson && keyboard.isInForeground && isatty(STDERR_FILENO) == 1
            && !context.invocation.has("yes")
    }

    /// Says what became of the take.
    private func report(
        _ memo: Memo?, _ recorded: Recording.Result, _ options: RecordOptions
    ) throws -> ExitStatus {
        let outcome = recorded.outcome
        if let memo { noteSaved(memo, recorded, options) }
        if let error = outcome.fileError ?? outcome.deviceError {
            return Failure(error).report(verbose: context.isVerbose)
        }
        if outcome.deviceHangs {
            return Failure(.noDevice, "cannot go on with \(options.device): it no longer answers")
                .report(verbose: context.isVerbose)
        }
        guard memo != nil else {
            throw Failure(.failed, "cannot keep the take: it ended before its first sound")
        }
        return .done
    }

    /// Makes a memo of what came, or gives nil when nothing did.
    private func save(_ recorded: Recording.Result) throws -> Memo? {
        guard let take = recorded.take else { return nil }
        let store = try context.makeStore()
        let outcome = recorded.outcome
        if outcome.fileError != nil {
            return try Salvager.salvage(take, in: store, after: outcome, markers: recorded.markers)
        }
        guard outcome.frames > 0 else {
            try store.discard(take)
            return nil
        }
        return try Salvager.finish(
            take, in: store, frames: outcome.frames, after: outcome, markers: recorded.markers,
            wasInterrupted: false)
    }

    private func noteSaved(_ memo: Memo, _ recorded: Recording.Result, _ options: RecordOptions) {
        let outcome = recorded.outcome
        Console.note("Saved \(HumanText.name(memo)), \(HumanText.length(memo)).")
        Console.note(HumanText.opening(of: memo, at: context.now))
        if let seconds = memo.sound?.gapSeconds, seconds > 0 {
            let rounded = max(0.01, (seconds * 100).rounded() / 100)
            Console.note(
                outcome.gapMarkers.isEmpty
                    ? "\(options.device) lost \(rounded) s of sound, which are silent in the memo."
                    : "\(options.device) lost \(rounded) s of sound. Where more than a minute is missing, the memo has a "
                        + "second of silence and a marker.")
        }
        guard let levels = outcome.levels else { return }
        if Decibels.ofPeak(levels.peak) < Decibels.silence {
            SilenceNote.print(about: options.device, mixer: recorded.mixer, subject: "It")
        } else if levels.clips > 0 {
            Console.note("\(HumanText.count(levels.clips, "clip")), samples at full scale: it was too loud.")
        }
    }
}
