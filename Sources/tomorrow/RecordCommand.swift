import ALSA
import AudioFile
import CommandTable
import Engine
import Glibc
import Linux
import Memos
import Sound

/// `tomorrow record`: one take, from the first frame to the saved memo.
final class RecordCommand {
    private let context: Context
    private var take: Take?

    /// How long a device that does not even open may hold up the way out.
    private static let hangMilliseconds: Int64 = 3_000
    /// After so long without a device a person is told what is waited for.
    private static let patienceMilliseconds: Int32 = 2_000
    /// How long after `fg` a key may have to wait.
    private static let backgroundMilliseconds: Int32 = 250

    init(_ context: Context) {
        self.context = context
    }

    func run() throws -> ExitStatus {
        if let mistake = context.configuration.mistakes.first {
            throw Failure(
                .wrongUsage, mistake,
                advice: "Mend it first: the times of a memo cannot be changed afterwards.")
        }
        let options = try RecordOptions(context)
        // Blocked before there is a thread, so that only the descriptor sees them.
        let signals = try SignalDescriptor([SIGINT, SIGTERM, SIGHUP, SIGQUIT])
        let outcome: Recorder.Outcome
        let memo: Memo?
        do {
            context.salvage(try context.makeStore())
            if let clock = options.startClock {
                Countdown(to: clock.next(after: context.now)).wait(signals, at: { context.now })
            }
            let recorder = try Recorder {
                try CaptureDevice(name: options.device, wanted: options.wanted)
            }
            outcome = try wait(for: recorder, signals, options)
            memo = try save(outcome)
        } catch {
            try printJSON(nil)
            throw error
        }
        try printJSON(memo)
        return try report(memo, outcome, options)
    }

    /// Prints the memo as JSON, or that there is none, once.
    private func printJSON(_ memo: Memo?) throws {
        guard context.wantsJSON else { return }
        let json = try MemoJSON()
        json.print(["memo": try memo.map { try json.memo($0, at: context.now) } ?? .null])
    }

    /// Waits for events, keys and signals until the recorder has ended.
    private func wait(
        for recorder: Recorder, _ signals: SignalDescriptor, _ options: RecordOptions
    ) throws -> Recorder.Outcome {
        var terminal: Int32 = isatty(STDIN_FILENO) == 1 ? STDIN_FILENO : -1
        var saysItWaits = false
        var meter = Meter(of: recorder)
        defer { meter.end() }
        var deadline: Int64?
        var isStopping = false
        var rate = 0
        func stop() {
            isStopping = true
            recorder.stop()
            // With a take under way the recorder ends by itself, whatever the device does.
            if take == nil { deadline = deadline ?? MonotonicClock.milliseconds + Self.hangMilliseconds }
        }
        while true {
            // A terminal in whose background we are is another's to read; it is looked at again later.
            let isForeground = terminal >= 0 && tcgetpgrp(terminal) == getpgrp()
            var left = deadline.map { Int32(max(0, $0 - MonotonicClock.milliseconds)) } ?? -1
            if left < 0, !isForeground, terminal >= 0 { left = Self.backgroundMilliseconds }
            if left < 0, take == nil, !saysItWaits { left = Self.patienceMilliseconds }
            if left < 0, meter.isDrawn { left = Meter.milliseconds }
            let ready = waitForReading(
                [
                    recorder.events.wakeUp.descriptor.number, signals.descriptor.number,
                    isForeground ? terminal : -1,
                ], milliseconds: left)
            if !ready.contains(true), take == nil, !saysItWaits {
                saysItWaits = true
                Console.note("Waiting for \(options.device) …")
            }
            for event in ready[0] ? recorder.events.take() : [] {
                switch event {
                case .opened(let stream):
                    if isStopping { continue }
                    rate = stream.rate
                    do {
                        try begin(recorder, stream, options)
                    } catch {
                        // Nothing was recorded yet, so nothing is to be kept.
                        if let take { try? context.makeStore().discard(take) }
                        throw error
                    }
                case .started:
                    noteStart(options)
                    meter.begin(rate: rate)
                case .ended(let outcome):
                    return outcome
                }
            }
            meter.draw()
            while ready[1], signals.next() != nil { stop() }
            if ready[2] {
                switch Self.key(terminal) {
                case .stop: stop()
                case .gone: terminal = -1
                case .none: break
                }
            }
            if let deadline, MonotonicClock.milliseconds >= deadline {
                throw Failure(.noDevice, "cannot record from \(options.device): it does not answer")
            }
        }
    }

    private enum Key { case stop, gone, none }

    /// Reads a line from the terminal, which stays as it is: any line ends the take.
    private static func key(_ terminal: Int32) -> Key {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(terminal, &bytes, bytes.count)
        if count < 0, errno == EINTR || errno == EAGAIN { return .none }
        // The end of input is a stop, unless the process was told not to mind the terminal's going.
        if count <= 0, isHangUpIgnored { return .gone }
        return .stop
    }

    private static var isHangUpIgnored: Bool {
        SignalDescriptor.isIgnored(SIGHUP)
    }

    /// Opens the take for what the device has granted, and lets the sound begin.
    private func begin(_ recorder: Recorder, _ stream: StreamFormat, _ options: RecordOptions) throws {
        var format = options.format
        if let objection = format.objection(to: stream) {
            // Rather another format than no memo.
            format = AudioFileFormat.all[0]
            if let objection = format.objection(to: stream) {
                throw Failure(.wrongUsage, "cannot record from \(options.device): \(objection)")
            }
            Console.note("The take is kept as \(format.name): \(objection).")
        }
        // The store is closed again while the take runs: at its end the database may be another one.
        let store = try context.makeStore()
        let now = context.now
        let dayStart = context.configuration.dayStart
        let take = try store.openTake(
            title: options.title, category: options.category,
            times: MemoTimes(
                start: now, dayStart: dayStart,
                deliver: options.delivery?.resolved(from: dayStart.localDay(at: now))),
            format: format.name, fileExtension: format.fileExtension)
        self.take = take
        let writer = try AudioFileWriter(
            descriptor: take.file, name: take.memo.file, format: format, stream: stream)
        let limit = options.seconds.map { max(1, Int64(($0 * Double(stream.rate)).rounded())) }
        try recorder.begin(
            writer: writer, file: take.file, frameLimit: limit, silenceSeconds: options.silenceSeconds)
    }

    private func noteStart(_ options: RecordOptions) {
        let end = isatty(STDIN_FILENO) == 1 ? "Enter stops." : "'tomorrow stop' or Ctrl-C stops."
        Console.note("Recording from \(options.device). \(end)")
    }

    /// Says what became of the take.
    private func report(
        _ memo: Memo?, _ outcome: Recorder.Outcome, _ options: RecordOptions
    ) throws -> ExitStatus {
        if let memo { noteSaved(memo, outcome, options) }
        if let error = outcome.fileError ?? outcome.deviceError {
            return Failure(error).report(verbose: context.isVerbose)
        }
        if outcome.deviceHangs {
            throw Failure(.noDevice, "cannot go on with \(options.device): it no longer answers")
        }
        guard memo != nil else {
            throw Failure(.failed, "cannot keep the take: it ended before its first sound")
        }
        return .done
    }

    /// Makes a memo of what came, or gives nil when nothing did.
    private func save(_ outcome: Recorder.Outcome) throws -> Memo? {
        guard let take else { return nil }
        let store = try context.makeStore()
        if outcome.fileError != nil { return try Salvager.salvage(take, in: store, after: outcome) }
        guard outcome.frames > 0 else {
            try store.discard(take)
            return nil
        }
        return try Salvager.finish(
            take, in: store, frames: outcome.frames, after: outcome, wasInterrupted: false)
    }

    private func noteSaved(_ memo: Memo, _ outcome: Recorder.Outcome, _ options: RecordOptions) {
        Console.note("Saved \(HumanText.name(memo)), \(HumanText.length(memo)).")
        let (show, expire) = (memo.times.showAt, memo.times.expireAt)
        let now = context.now
        switch memo.state(at: now) {
        case .waiting:
            let distance = HumanText.distance(from: now, to: show)
            Console.note(
                "It opens \(HumanText.time(show)), \(distance), and leaves \(HumanText.time(expire)).")
        case .over: Console.note("Its time was over at \(HumanText.time(expire)).")
        default: Console.note("It can be heard now, and leaves \(HumanText.time(expire)).")
        }
        if let seconds = memo.sound?.gapSeconds, seconds > 0 {
            let rounded = max(0.01, (seconds * 100).rounded() / 100)
            Console.note("\(options.device) lost \(rounded) s of sound, which are silent in the memo.")
        }
        guard let level = outcome.level else { return }
        if level.decibels < PeakLevel.silenceDecibels {
            noteSilence(of: options.device)
        } else if level.clips > 0 {
            Console.note("\(HumanText.count(level.clips, "sample")) at full scale: it was too loud.")
        }
    }

    /// Says that nothing was heard, and what the mixer says to that.
    private func noteSilence(of device: String) {
        Console.note("It is silent: \(device) gave no sound above −60 dBFS.")
        let answer = try? Bounded.run(milliseconds: 1_000) { DeviceList.captureVolume(of: device) }
        guard case let volume?? = answer else {
            return Console.note(
                "  Is it muted, or another one meant? 'tomorrow devices' lists what there is.")
        }
        Console.note("  Its mixer says: \(volume.text). 'alsamixer -V capture' changes that.")
    }
}
