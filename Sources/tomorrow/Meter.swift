import Engine
import Glibc
import Linux
import Sound
import Terminal

/// The line under a recording that shows what it hears; nothing where standard error is no terminal that can
/// redraw a line.
struct Meter {
    private let recorder: Recorder
    private var text = MeterText()
    private var rate: Int?

    /// Ten lines a second are quick enough for an eye.
    static let milliseconds: Int32 = 100

    init(of recorder: Recorder) {
        self.recorder = recorder
    }

    /// Whether there is a line to be drawn, from now on every ``milliseconds``.
    var isDrawn: Bool { rate != nil }

    /// Begins to draw.
    mutating func begin(rate: Int) {
        if Console.canRedraw { self.rate = rate }
    }

    /// Draws the line of this moment.
    mutating func draw() {
        guard let rate else { return }
        let reading = recorder.takeReading()
        Console.redraw(
            text.line(
                time: HumanText.length(seconds: (Double(reading.frames) / Double(rate)).rounded(.down)),
                decibels: PeakLevel.decibels(of: reading.peak),
                hint: isatty(STDIN_FILENO) == 1 ? "Enter stops" : "Ctrl-C stops",
                at: MonotonicClock.milliseconds, columns: TerminalSize.columns(of: STDERR_FILENO)))
    }

    /// Takes the line away.
    mutating func end() {
        if isDrawn { Console.redraw("") }
        rate = nil
    }
}
