import Engine
import Glibc
import Linux
import Terminal

/// What stands on the terminal while a take runs; nothing where standard error is no terminal that can redraw
/// a line.
struct RecordingDisplay {
    private let recorder: Recorder
    private var text = RecordingText()
    private var rate: Int?
    private var nextDraw: Int64 = 0

    /// Ten times a second is quick enough for an eye.
    private static let milliseconds: Int64 = 100

    init(of recorder: Recorder) {
        self.recorder = recorder
    }

    /// In how many milliseconds the next drawing is due; nil when there is nothing to draw.
    var patienceMilliseconds: Int32? {
        rate == nil ? nil : Int32(max(0, nextDraw - MonotonicClock.milliseconds))
    }

    /// Begins to draw.
    mutating func begin(rate: Int) {
        if Console.canRedraw { self.rate = rate }
    }

    /// Draws this moment when it is due.
    ///
    /// - Parameters:
    ///   - isPaused: whether the device is closed, and not heard.
    ///   - whole: how long the take is to be, in seconds; nil where that is open.
    ///   - hints: what the keys do, or a question; made for this width.
    mutating func draw(isPaused: Bool, of whole: Double?, hints: (_ columns: Int) -> [String]) {
        let now = MonotonicClock.milliseconds
        guard let rate, now >= nextDraw else { return }
        nextDraw = now + Self.milliseconds
        if let levels = recorder.takeLevels() { text.add(levels) }
        let columns = TerminalSize.columns(of: STDERR_FILENO)
        let time = HumanText.position(seconds: Double(recorder.frames) / Double(rate))
        let end = whole.map { " of " + HumanText.length(seconds: $0) } ?? ""
        Console.draw(
            text.lines(
                time: time + end, isPaused: isPaused, hints: hints(columns), at: now,
                columns: columns))
    }

    /// Takes it away.
    mutating func end() {
        Console.erase()
        rate = nil
    }
}
