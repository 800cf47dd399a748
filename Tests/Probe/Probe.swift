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
///
/// `month STORE SEED DAY-START SECONDS` lives a month from then on, in the zone of its environment, with takes,
/// looks and runs of `expire` at random moments, or without any (an even seed); it prints each take and what each
/// look has shown.
@main
enum Probe {
    static func main() throws {
        switch CommandLine.arguments[1] {
        case "salvage": try salvage(CommandLine.arguments[2])
        case "rows": try waitForRows(CommandLine.arguments[2], count: Int(CommandLine.arguments[3])!)
        case "month": try liveAMonth(Array(CommandLine.arguments.dropFirst(2)))
        default: answer()
        }
    }

    private static func liveAMonth(_ words: [String]) throws {
        var store = try Store(path: words[0], formats: ["wav": "wav"])
        var chance = Chance(state: UInt64(words[1])!)
        let isCleaned = Int(words[1])! % 2 == 1
        let dayStart = DayStart(words[2])!
        var now = Timestamp(milliseconds: Int64(words[3])! * 1_000)
        let end = now.adding(milliseconds: 31 * 86_400_000)
        while now < end {
            now = now.adding(milliseconds: .random(in: 1...6 * 3_600_000, using: &chance))
            switch Int.random(in: 0..<4, using: &chance) {
            case 0:
                let take = try store.openTake(
                    title: nil, category: nil, times: MemoTimes(start: now, dayStart: dayStart),
                    format: "wav",
                    fileExtension: "wav")
                let sound = MemoSound(
                    rate: 8_000, channels: 1, bits: 16, frames: 1, bytes: 0, peakDecibels: nil, clips: nil,
                    gapFrames: nil, wasInterrupted: false)
                print("take", try store.finish(take, with: sound, waveform: nil).id, now.milliseconds)
            case 1 where isCleaned:
                let report = try store.expire(at: now, dryRun: false)
                if let failure = report.failures.first { throw failure }
                // The next process.
                store = try Store(path: words[0], formats: ["wav": "wav"])
            default:
                // What `list`, `list --all`, `status` and a number show.
                let all = try store.memos(at: now)
                let overview = try store.overview(at: now)
                let shown: [[Int64]] = [
                    try store.available(at: now).map(\.id),
                    all.filter { $0.state(at: now) == .waiting }.map(\.id),
                    all.map(\.id),
                    try (1...128).filter { try store.memo(id: $0, at: now) != nil },
                ]
                let text = shown.map { ids in ids.map { "\($0)" }.joined(separator: ",") }
                print(
                    "look", now.milliseconds, text.joined(separator: " ; "), ";",
                    overview.availableCount, overview.waitingCount)
            }
        }
    }

    /// A small generator of random numbers (SplitMix64), the same on every run.
    private struct Chance: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9e37_79b9_7f4a_7c15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
            return mixed ^ (mixed >> 31)
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
