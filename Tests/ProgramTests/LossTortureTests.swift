import Foundation
import Linux
import TestSupport
import Testing

/// Takes in real time that end at a random moment by `kill -9` or a power cut, and how much of what the card had
/// captured by then is missing. The card numbers its frames.
@Suite(.serialized) struct LossTortureTests {
    /// So exactly is the length of a gap known.
    private static let mostFramesOff = 960

    private enum End: String {
        case kill = "kill -9"
        case power = "power cut"
    }

    @Test func aKillCostsNoMoreThanAQuarterOfASecond() throws {
        try lose(KillTortureTests.formats, by: .kill, mostSeconds: 0.25, share: 0.09)
    }

    @Test func aPowerCutCostsNoMoreThanTwoSeconds() throws {
        try lose(["flac", "wav", "opus"], by: .power, mostSeconds: 2, share: 0.04)
    }

    private func lose(_ formats: [String], by end: End, mostSeconds: Double, share: Double) throws {
        let torture = TortureCase("\(end.rawValue) in real time", share: share)
        var chance = Noise.Generator(state: 1)
        var worst: [String: Double] = [:]
        while torture.goesOn {
            // All formats at once, as each take needs seconds.
            let takes = try formats.shuffled(using: &chance).map { (format: $0, take: try ShadowedTake($0)) }
            for (format, take) in takes {
                let before = take.recording.waitedSeconds
                _ = waitForReading([], milliseconds: .random(in: 300...1_900, using: &chance))
                let waited = take.recording.waitedSeconds - before
                take.recording.send(SIGKILL)
                let captured = take.rig.capturedSeconds ?? 0
                _ = take.recording.finish()
                if end == .power { try take.power.cut() }
                torture.tried()
                let memos = try take.rig.memos("--waiting")
                let kept = memos.first?["duration_seconds"] as? Double ?? 0
                // A machine that gives a program no processor is not the program's fault.
                let loss = captured - kept - waited
                worst[format] = max(worst[format] ?? 0, loss)
                // A power cut may come before the first sync.
                let isThere = memos.count == 1 || captured < mostSeconds
                if !isThere || loss > mostSeconds {
                    torture.found(
                        .lost, "\(format): \(kept) of \(captured) s, \(waited) s without a processor")
                }
                if !memos.isEmpty, let fault = try fault(in: take.rig, format) { torture.found(.lost, fault) }
            }
        }
        let words = formats.map { "\($0) \(Int(((worst[$0] ?? 0) * 1_000).rounded()))" }
        torture.remark("at most " + words.joined(separator: ", ") + " ms")
        try torture.report()
    }

    /// What is wrong with the file.
    private func fault(in rig: FaultyCardRig, _ format: String) throws -> String? {
        guard let name = rig.folder.names(in: "store/audio").first else { return nil }
        let path = rig.folder.file("store/audio/" + name)
        if !(try IndependentProgram.isWhole(path)) { return "\(name) is not whole" }
        guard format != "opus" else { return nil }
        let stretches = try rig.stretches(of: name)
        // Where a busy machine was too late for the card there is silence, and what follows is in its place.
        var frames = 0
        let isRight = stretches.allSatisfy { stretch in
            defer { frames += stretch.frames }
            let off = abs(frames % 32_767 + 1 - stretch.first)
            return stretch.first == 0 || min(off, 32_767 - off) < Self.mostFramesOff
        }
        return isRight && stretches.first?.first == 1 ? nil : "\(name) has \(stretches.prefix(5))"
    }
}
