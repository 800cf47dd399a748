import AudioFile
import Engine
import Glibc
import Linux
import Memos

/// What tests need to have done in a process of its own.
///
/// `rule-of-time` answers questions about the rule of time in the zone of its environment, a line each, for
/// an independent oracle that asks them by the hundred thousand:
///
/// - `show DAY-START MILLISECONDS`: when a memo that begins then shows
/// - `deliver DAY-START MILLISECONDS DAYS`: the same with `--deliver +DAYSd`
/// - `clock HH:MM:SS MILLISECONDS`: when the clock reads that next
///
/// `salvage STORE` salvages without pause until it is killed or its parent is gone, and fails at the first
/// failure.
///
/// `rows STORE COUNT` opens that many takes one after the other, finishes and deletes each, and prints how many
/// milliseconds each waited for its row.
@main
enum Probe {
    static func main() throws {
        switch CommandLine.arguments[1] {
        case "salvage": try salvage(CommandLine.arguments[2])
        case "rows": try waitForRows(CommandLine.arguments[2], count: Int(CommandLine.arguments[3])!)
        default: answer()
        }
    }

    private static func salvage(_ path: String) throws {
        let store = try Store(path: path, formats: ["flac": "flac", "wav": "wav"])
        let parent = getppid()
        while getppid() == parent {
            if let failure = try Salvager.salvage(store).failures.first { throw failure }
        }
    }

    private static func waitForRows(_ path: String, count: Int) throws {
        let store = try Store(path: path, formats: ["flac": "flac", "wav": "wav"])
        for _ in 0..<count {
            let start = MonotonicClock.milliseconds
            let take = try store.openTake(
                title: "measured", category: nil, times: MemoTimes(start: .now(), dayStart: .midnight),
                format: "wav", fileExtension: "wav")
            print(MonotonicClock.milliseconds - start)
            let sound = MemoSound(
                rate: 8_000, channels: 1, bits: 16, frames: 1, bytes: 0, peakDecibels: nil, clips: nil,
                gapFrames: nil, wasInterrupted: false)
            try store.delete(try store.finish(take, with: sound, waveform: nil))
        }
    }

    private static func answer() {
        while let line = readLine() {
            let words = line.split(separator: " ").map(String.init)
            let instant = Timestamp(milliseconds: Int64(words[2])!)
            switch words[0] {
            case "show":
                let times = MemoTimes(start: instant, dayStart: DayStart(words[1])!)
                print(times.showAt.milliseconds, times.expireAt.milliseconds)
            case "deliver":
                let dayStart = DayStart(words[1])!
                let day = DeliveryDay("+\(words[3])d")!.resolved(from: dayStart.localDay(at: instant))
                let times = MemoTimes(start: instant, dayStart: dayStart, deliver: day)
                print(times.showAt.milliseconds, times.expireAt.milliseconds)
            default:
                print(ClockTime(words[1])!.next(after: instant).milliseconds)
            }
        }
    }
}
