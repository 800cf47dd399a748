import Linux
import Memos

/// Waits for a moment, and shows on a terminal how long that is. A signal ends the wait and the program.
struct Countdown {
    private let moment: Timestamp

    /// - Parameter moment: by the wall's clock, which may be set meanwhile.
    init(to moment: Timestamp) {
        self.moment = moment
    }

    /// Returns when the moment has come; dies of a signal that comes first.
    func wait(_ signals: SignalDescriptor, _ keyboard: Keyboard, at now: () -> Timestamp) {
        let isDrawn = Console.canRedraw
        if !isDrawn { Console.note("Waiting until \(HumanText.time(moment)).") }
        while now() < moment {
            if isDrawn {
                let distance = HumanText.distance(from: now(), to: moment)
                Console.draw(["Recording starts at \(HumanText.time(moment)), \(distance)."])
            }
            // In steps, as the clock may be set.
            let left = moment.milliseconds - now().milliseconds
            if waitForReading([signals.descriptor.number], milliseconds: Int32(max(1, min(left, 1_000))))[0],
                let signal = signals.next(), !keyboard.handles(signal, signals)
            {
                Console.erase()
                signals.die(of: signal)
            }
        }
        Console.erase()
    }
}
