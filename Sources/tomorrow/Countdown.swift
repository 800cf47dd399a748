import CommandTable
import Linux
import Memos
import Terminal

/// Waits for a moment, and shows on a terminal how long that is. A signal ends the wait and the program.
struct Countdown {
    private let moment: Timestamp
    private let what: String

    /// - Parameters:
    ///   - moment: by the wall's clock, which may be set meanwhile.
    ///   - what: what begins then, as a sentence begins.
    init(to moment: Timestamp, of what: String) {
        self.moment = moment
        self.what = what
    }

    /// Returns when the moment has come, or Enter was pressed; dies of a signal that comes first.
    ///
    /// - Throws: ``Failure`` when the person has changed his mind.
    func wait(_ signals: SignalDescriptor, _ keyboard: Keyboard, at now: () -> Timestamp) throws {
        let isDrawn = Console.canRedraw
        if !isDrawn { Console.note("Waiting until \(HumanText.time(moment)).") }
        defer { Console.erase() }
        while now() < moment {
            let terminal = keyboard.descriptor()
            if isDrawn {
                let distance = HumanText.distance(from: now(), to: moment)
                let hints = keyboard.isThere ? ["Enter starts now · q gives up"] : []
                Console.draw(["\(what) starts at \(HumanText.time(moment)), \(distance)."] + hints)
            }
            // In steps, as the clock may be set.
            let left = Int32(max(1, min(moment.milliseconds - now().milliseconds, 1_000)))
            let ready = waitForReading(
                [signals.descriptor.number, terminal],
                milliseconds: min(left, keyboard.patienceMilliseconds ?? left))
            if ready[0], let signal = signals.next(), !keyboard.handles(signal, signals) {
                Console.erase()
                keyboard.end()
                signals.die(of: signal)
            }
            guard ready[1] || !ready.contains(true) else { continue }
            // A terminal that is gone is told by its signal.
            for key in keyboard.keys(isReady: ready[1]) ?? [] {
                switch key {
                case .enter: return
                case .escape, .end, .character("q"): throw Failure(.failed, "\(what) was given up")
                default: break
                }
            }
        }
    }
}
