import Foundation
import Linux
import TestSupport
import Testing

/// A clock that jumps, within weeks from process to process and while they run: what goes is what is over by
/// the clock of whoever removes it, and nothing before.
@Suite(.serialized) struct ClockTortureTests {
    private static let noon = Rig.Clock("2026-11-30 12:00:00")
    private static let daySeconds = 86_400

    private struct Memo: Hashable {
        let id: Int
        let expireAt: Int
    }

    @Test func nothingGoesBeforeItsTime() throws {
        let torture = TortureCase("a clock that jumps between processes", share: 0.02)
        let rig = try FileRig()
        // Of a leap past 30 days the kernel does not vouch.
        rig.prepare(trouble: "UNSYNC")
        try rig.comes("UNSYNC")
        var chance = Noise.Generator(state: 1)
        var kept: Set<Memo> = []
        func jumped(_ days: ClosedRange<Int>) -> Rig.Clock {
            Self.noon.adding(
                seconds: .random(
                    in: days.lowerBound * Self.daySeconds...days.upperBound * Self.daySeconds, using: &chance)
            )
        }
        while torture.goesOn {
            torture.tried()
            // Each of these at another time of two weeks, all at once.
            let recordings = try (0..<3).map { _ in
                try rig.start(["record", "-y", "-D", "mic", "-d", "0.1", "--json"], at: jumped(-7...7))
            }
            let clocks = (0..<2).map { _ in jumped(-7...7) }
            let others = try clocks.map { try rig.start(["list", "--all", "--json"], at: $0) }
            let playing = try rig.start(["play", "-D", "null"], at: jumped(-7...7))
            for recording in recordings {
                let ended = recording.finish(within: 30)
                let memo = Rig.object(ended.output)["memo"] as? [String: Any] ?? [:]
                guard ended.status == 0, let id = memo["id"] as? Int else {
                    torture.found(.wrongExit, "record: \(ended.status ?? -1): \(ended.notes)")
                    continue
                }
                kept.insert(Memo(id: id, expireAt: Rig.seconds(memo["expire_at"] as? String ?? "")))
            }
            for (child, clock) in zip(others, clocks) { check(child.finish(within: 30), at: clock, torture) }
            let played = playing.finish(within: 30)
            if ![0, 3].contains(played.status) { torture.found(.wrongExit, "play: \(played.notes)") }

            // A clock within that time removes what is over by it, and one years ahead nothing.
            let clock = Bool.random(using: &chance) ? jumped(-7...7) : jumped(60...4_000)
            let expired = try rig.run("expire", at: clock)
            if expired.status != 0 { torture.found(.wrongExit, "expire: \(expired.notes)") }
            if clock.seconds < Self.noon.seconds + 30 * Self.daySeconds {
                kept = kept.filter { $0.expireAt > clock.seconds + 1 }
            }
            let files = Set(
                rig.folder.names(in: "store/audio").compactMap { Int($0.prefix { $0 != "-" }) })
            let missing = Set(kept.map(\.id)).subtracting(files)
            if !missing.isEmpty { torture.found(.lost, "\(missing) by an expire at \(clock.seconds)") }
            let more = files.subtracting(kept.map(\.id))
            if !more.isEmpty { torture.found(.leftBehind, "\(more) by an expire at \(clock.seconds)") }
        }
        try torture.report()
    }

    /// What a list shows is not over by its clock.
    private func check(_ ended: Child.Result, at clock: Rig.Clock, _ torture: TortureCase) {
        guard ended.status == 0, let memos = Rig.object(ended.output)["memos"] as? [[String: Any]] else {
            return torture.found(.wrongExit, "list: \(ended.status ?? -1): \(ended.notes)")
        }
        for memo in memos {
            let (show, end) = (seconds(memo, "show_at"), seconds(memo, "expire_at"))
            // The program read its clock up to some seconds after it was started.
            let isRight =
                switch memo["state"] as? String {
                case "available": show <= clock.seconds + 30 && end > clock.seconds
                case "waiting": show > clock.seconds
                default: true
                }
            if !isRight { torture.found(.leftBehind, "at \(clock.seconds) the list has \(memo)") }
        }
    }

    private func seconds(_ memo: [String: Any], _ key: String) -> Int {
        Rig.seconds(memo[key] as? String ?? "")
    }

    @Test func aTakeIsWholeUnderAClockThatJumps() throws {
        let torture = TortureCase("a clock that jumps while they run", share: 0.02)
        var chance = Noise.Generator(state: 2)
        while torture.goesOn {
            let rig = try FaultyCardRig("rate 48000")
            var environment = rig.environment(at: Self.noon)
            environment["FAKETIME"] = nil
            environment["FAKETIME_TIMESTAMP_FILE"] = rig.folder.file("clock")
            environment["FAKETIME_NO_CACHE"] = "1"
            environment["FAKETIME_FMT"] = nil
            func jump() throws {
                let days = Int.random(in: -9...9, using: &chance)
                try rig.folder.write("clock", "\(days < 0 ? "" : "+")\(days)d")
            }
            func start(_ words: String...) throws -> Child {
                try Child([Rig.program] + words, environment: environment)
            }
            try jump()
            let recordings = try (0..<3).map { _ in
                try start("record", "-y", "-D", "mic", "-d", "1.5", "--json")
            }
            for recording in recordings where !recording.waits(for: "Recording") {
                torture.found(.hung, "a take does not begin")
            }
            let deadline = MonotonicClock.milliseconds + 20_000
            while !recordings.allSatisfy({ $0.ends(within: 0) }), MonotonicClock.milliseconds < deadline {
                try jump()
                let others = [try start("list", "--json"), try start("expire"), try start("status")]
                for other in others {
                    torture.tried()
                    let ended = other.finish(within: 20)
                    if ended.status != 0 { torture.found(.wrongExit, "\(ended.notes)") }
                }
            }
            for recording in recordings {
                let ended = recording.finish(within: 20)
                // By the clock at its end it was over, which was told: an `expire` may have been there first.
                if ended.notes.contains("Its time was over") { continue }
                let memo = Rig.object(ended.output)["memo"] as? [String: Any] ?? [:]
                let isWhole =
                    memo["duration_seconds"] as? Double == 1.5 && memo["gap_seconds"] as? Double == 0
                if ended.status != 0 || !isWhole { torture.found(.lost, "\(memo): \(ended.notes)") }
            }
        }
        try torture.report()
    }
}
