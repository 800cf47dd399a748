import Engine
import Glibc
import Linux
import Memos
import Sound
import Terminal

/// What stands on the terminal while a memo plays; nothing where standard error is no terminal that can redraw
/// a line.
struct PlayingDisplay {
    private var text = PlayingText()
    private var nextDraw: Int64 = 0
    private var number: Int?
    private var waveform: Waveform?
    private var lastFrame: Int64 = 0
    private var remark: (text: String, until: Int64)?

    /// Ten times a second is quick enough for an eye.
    private static let milliseconds: Int64 = 100
    /// For so long a marker that came by is shown.
    private static let remarkMilliseconds: Int64 = 4_000

    /// In how many milliseconds the next drawing is due; nil when there is nothing to draw.
    var patienceMilliseconds: Int32? {
        number != nil && Console.canRedraw ? Int32(max(0, nextDraw - MonotonicClock.milliseconds)) : nil
    }

    /// Begins with a memo.
    ///
    /// - Parameters:
    ///   - waveform: its shape, of what is heard, or nil.
    ///   - frame: where it begins.
    mutating func begin(_ entry: MemoQueue.Entry, waveform: Waveform?, at frame: Int64) {
        number = entry.number
        self.waveform = waveform
        // A marker at the very start comes by too.
        lastFrame = frame - 1
        remark = nil
        nextDraw = 0
    }

    /// Has the next look at it drawn at once: a key was pressed.
    mutating func hurry() {
        nextDraw = 0
    }

    /// Shows a line for a moment.
    mutating func show(_ text: String) {
        remark = (text, MonotonicClock.milliseconds + Self.remarkMilliseconds)
        hurry()
    }

    /// Notices the markers that have come by since the last time.
    mutating func pass(_ entry: MemoQueue.Entry, frame: Int64) {
        defer { lastFrame = frame }
        // A jump is no coming by.
        guard frame > lastFrame, frame - lastFrame < 2 * Int64(entry.sound.rate) else { return }
        let passed = entry.memo.markers.last { lastFrame < $0.frame && $0.frame <= frame && $0.text != nil }
        guard let passed, let text = passed.text else { return }
        if Console.canRedraw {
            show(text)
        } else {
            Console.note("\(HumanText.position(seconds: entry.sound.seconds(at: passed.frame)))  \(text)")
        }
    }

    /// Draws this moment when it is due.
    mutating func draw(
        _ entry: MemoQueue.Entry, _ player: Player, frame: Int64, state: String, settings: PlayerSettings,
        at now: Timestamp, hints: (_ columns: Int) -> [String]
    ) {
        let milliseconds = MonotonicClock.milliseconds
        guard number == entry.number, Console.canRedraw, milliseconds >= nextDraw else { return }
        nextDraw = milliseconds + Self.milliseconds
        if let levels = player.takeLevels() { text.add(levels, at: milliseconds) }
        let sound = entry.sound
        func place(_ frame: Int64) -> Double {
            sound.seconds > 0 ? sound.seconds(at: frame) / sound.seconds : 0
        }
        if let remark, milliseconds >= remark.until { self.remark = nil }
        let columns = TerminalSize.columns(of: STDERR_FILENO)
        Console.draw(
            text.lines(
                status: KeyHints.lines(
                    Self.status(entry, frame: frame, state: state, settings: settings, at: now),
                    columns: columns),
                waveform: waveform, playhead: place(frame),
                markers: entry.memo.markers.filter { sound.heard.contains($0.frame) }.map { place($0.frame) },
                remark: remark?.text, hints: hints(columns), at: milliseconds, columns: columns))
    }

    private static func status(
        _ entry: MemoQueue.Entry, frame: Int64, state: String, settings: PlayerSettings, at now: Timestamp
    ) -> [String] {
        let memo = entry.memo
        let time = HumanText.position(seconds: entry.sound.seconds(at: frame))
        let leaves = HumanText.distance(from: now, to: memo.times.expireAt)
        return ["\(state) \(time) of \(HumanText.length(memo))"]
            + (settings.speed == 1 ? [] : ["speed \(number(settings.speed))"])
            + (settings.volumePercent == 100 ? [] : ["volume \(number(settings.volumePercent)) %"])
            + [HumanText.name(memo)] + (memo.category.map { [VisibleText.of($0)] } ?? [])
            + [now < memo.times.expireAt ? "leaves \(leaves)" : "its time is over"]
    }

    /// A number without needless digits.
    private static func number(_ number: Double) -> String {
        number == number.rounded() ? String(Int(number)) : String((number * 100).rounded() / 100)
    }

    /// Takes it away.
    mutating func end() {
        Console.erase()
        number = nil
    }
}
