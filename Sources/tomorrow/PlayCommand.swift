import CommandTable
import Desktop
import Glibc
import Linux
import Memos

/// `tomorrow play`: one memo, several, or all that were not heard yet.
struct PlayCommand {
    private let context: Context

    init(_ context: Context) {
        self.context = context
    }

    func run() throws -> ExitStatus {
        let options = try PlayOptions(context)
        context.noteConfigurationMistakes()
        // Blocked before there is a thread, so that only the descriptor sees them.
        let signals = try SignalDescriptor([SIGINT, SIGTERM, SIGHUP, SIGQUIT] + Keyboard.signals)
        let keyboard = Keyboard()
        defer { keyboard.end() }
        if let clock = options.startClock {
            let inhibitor = context.sleepInhibitor("Waiting to play a memo")
            inhibitor.acquire()
            defer { inhibitor.release() }
            try Countdown(to: clock.next(after: context.now), of: "Playing").wait(signals, keyboard) {
                context.now
            }
        }
        let store = try context.openStore()
        var failure: Failure?
        let memos = try chosen(in: store, &failure)
        if let failure, memos.isEmpty { return failure.status }
        guard let store, !memos.isEmpty else { throw nothingToPlay(store) }
        let queue = MemoQueue(memos, in: store, context, options)
        if var first = queue.entry(from: 0) {
            if let measurement = queue.measurement(of: first) {
                wait(for: measurement, of: first.memo, signals, keyboard)
                queue.take(measurement, into: &first)
            }
            try Playing(first, of: queue, in: store, context, options, signals, keyboard).run()
        }
        return (failure ?? queue.failure)?.status ?? .done
    }

    /// The memos that were asked for. One that cannot be had is told, and the others are played.
    ///
    /// - Parameter failure: the first of those.
    /// - Throws: `UsageError` where an operand means no memo at all.
    private func chosen(in store: Store?, _ failure: inout Failure?) throws -> [Memo] {
        let operands = context.invocation.operands
        guard !operands.isEmpty else {
            let available = try store?.available(at: context.now) ?? []
            let unheard = available.filter { $0.heardAt == nil }
            return unheard.isEmpty ? available.suffix(1) : unheard
        }
        var memos: [Memo] = []
        for operand in operands {
            do {
                let memo = try context.memo(operand, to: "play", in: store) {
                    try $0.available(at: context.now)
                }
                try context.requireAvailable(memo, to: "play", in: store)
                memos.append(memo)
            } catch let error as UsageError {
                throw error
            } catch {
                let reported = Failure(error)
                reported.report(verbose: context.isVerbose)
                failure = failure ?? reported
            }
        }
        return memos
    }

    private func nothingToPlay(_ store: Store?) -> Failure {
        let now = context.now
        let next = try? store?.overview(at: now).nextArrival
        return Failure(
            .noSuchMemo, "cannot play: nothing can be heard now",
            advice: next.map {
                "The next memo opens \(HumanText.time($0)), \(HumanText.distance(from: now, to: $0))."
            })
    }

    /// Waits until it is known how loud the first memo is; dies of a signal that comes first.
    private func wait(
        for measurement: LoudnessMeasurement, of memo: Memo, _ signals: SignalDescriptor, _ keyboard: Keyboard
    ) {
        var isTold = false
        while true {
            let ready = waitForReading(
                [measurement.wakeUp.descriptor.number, signals.descriptor.number],
                milliseconds: isTold ? -1 : Self.patienceMilliseconds)
            if ready[0] { return }
            while ready[1], let signal = signals.next() {
                if !keyboard.handles(signal, signals) {
                    keyboard.end()
                    signals.die(of: signal)
                }
            }
            if !isTold { Console.note("Measuring how loud \(HumanText.name(memo)) is …") }
            isTold = true
        }
    }

    /// After so long a person is told what is waited for.
    private static let patienceMilliseconds: Int32 = 500
}
