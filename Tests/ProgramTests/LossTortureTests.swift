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

    @Test(arguments: KillTortureTests.formats) func aKillCostsNoMoreThanAQuarterOfASecond(format: String)
        throws
    {
        try lose(format, by: .kill, mostSeconds: 0.25, share: 0.12 / Double(KillTortureTests.formats.count))
    }

    @Test(arguments: ["flac", "wav", "opus"]) func aPowerCutCostsNoMoreThanTwoSeconds(format: String) throws {
        try lose(format, by: .power, mostSeconds: 2, share: 0.06 / 3)
    }

    /// A take under way.
    private struct Take {
        let rig: FaultyCardRig
        let power: PowerCut
        let recording: Child

        init(_ format: String) throws {
            rig = try FaultyCardRig("rate 48000")
            try FileManager.default.createDirectory(
                atPath: rig.folder.file("store"), withIntermediateDirectories: true)
            power = try PowerCut(rig)
            let environment = rig.environment(at: nil, struckAt: FaultPoint(.killBefore, 0))
            recording = try Child(
                [Rig.program, "record", "-y", "-D", "mic", "-f", format],
                environment: environment.merging(power.shadow) { $1 })
            #expect(recording.waits(for: "Recording"))
        }
    }

    private func lose(_ format: String, by end: End, mostSeconds: Double, share: Double) throws {
        let torture = TortureCase("\(end.rawValue) in real time: \(format)", share: share)
        var chance = Noise.Generator(state: 1)
        var worst = -1.0
        while torture.goesOn {
            // Some at once, as each takes seconds.
            var takes = try (0..<3).map { _ in try Take(format) }
            while !takes.isEmpty {
                _ = waitForReading([], milliseconds: .random(in: 300...1_900, using: &chance))
                let take = takes.removeFirst()
                take.recording.send(SIGKILL)
                let captured = take.rig.capturedSeconds ?? 0
                _ = take.recording.finish()
                if end == .power { try take.power.cut() }
                torture.tried()
                let memos = try take.rig.memos("--waiting")
                let kept = memos.first?["duration_seconds"] as? Double ?? 0
                worst = max(worst, captured - kept)
                // A power cut may come before the first sync.
                let isThere = memos.count == 1 || captured < mostSeconds
                if !isThere || captured - kept > mostSeconds {
                    torture.found(.lost, "\(kept) of \(captured) s")
                }
                if let fault = try fault(in: take.rig, format) { torture.found(.lost, fault) }
            }
        }
        torture.remark("worst loss \((worst * 1_000).rounded() / 1_000) s")
        try torture.report()
    }

    /// What is wrong with the file.
    private func fault(in rig: FaultyCardRig, _ format: String) throws -> String? {
        guard let name = rig.folder.names(in: "store/audio").first else { return nil }
        let isEmpty = try rig.memos("--waiting").isEmpty
        if isEmpty { return nil }
        let path = rig.folder.file("store/audio/" + name)
        if !(try IndependentProgram.isWhole(path)) { return "\(name) is not whole" }
        guard format != "opus" else { return nil }
        let stretches = try rig.stretches(of: name)
        // Where a busy machine was too late for the card there is silence, and what follows is in its place.
        var frames = 0
        let isRight = stretches.allSatisfy { stretch in
            defer { frames += stretch.frames }
            return stretch.first == 0 || abs(frames % 32_767 + 1 - stretch.first) < Self.mostFramesOff
        }
        return isRight && stretches.first?.first == 1 ? nil : "\(name) has \(stretches.prefix(5))"
    }
}
