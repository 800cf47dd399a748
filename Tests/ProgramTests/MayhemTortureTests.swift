import Foundation
import Linux
import TestSupport
import Testing

/// Many processes at once do all that can be done on one store, and are killed at any moment.
@Suite(.serialized) struct MayhemTortureTests {
    private static let monday = Rig.Clock("2026-11-30 12:00:00")
    private static let tuesday = monday.adding(seconds: 86_400)

    /// What was promised so far.
    private struct Ledger {
        var saved: Set<Int> = []
        var deleted: Set<Int> = []
        var chance = Noise.Generator(state: 1)
    }

    @Test func whatWasSavedIsThereOnce() throws {
        let torture = TortureCase("many processes, killed at random", share: 0.06)
        let rig = try FileRig()
        try rig.folder.write("take.wav", Data())
        _ = try rig.tool(
            "ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "anoisesrc=d=0.1:r=48000",
            rig.folder.file("take.wav"))
        var ledger = Ledger()
        var running: [(child: Child, command: [String], killAt: Int64?, began: Int64)] = []
        func end(_ process: (child: Child, command: [String], killAt: Int64?, began: Int64)) {
            torture.tried()
            check(process.child.finish(within: 1), process.command, &ledger, torture)
        }
        while torture.goesOn {
            while running.count < 6 {
                let command = command(rig, &ledger)
                let atTuesday = command[0] != "record" || Bool.random(using: &ledger.chance)
                let child = try rig.start(command, at: atTuesday ? Self.tuesday : Self.monday)
                let isKilled = Int.random(in: 0..<4, using: &ledger.chance) == 0
                let moment = MonotonicClock.milliseconds
                let after = isKilled ? Int64.random(in: 0...200, using: &ledger.chance) : nil
                running.append((child, command, after.map { moment + $0 }, moment))
            }
            _ = waitForReading([], milliseconds: 3)
            let now = MonotonicClock.milliseconds
            for process in running where process.killAt.map({ $0 <= now }) ?? false {
                process.child.send(SIGKILL)
            }
            for process in running where now - process.began > 60_000 {
                torture.found(.hung, "\(process.command)")
                process.child.send(SIGKILL)
            }
            for process in running where process.child.ends(within: 0) { end(process) }
            running.removeAll { $0.child.ends(within: 0) }
        }
        for process in running {
            if !process.child.ends(within: 60) { torture.found(.hung, "\(process.command)") }
            end(process)
        }
        try judge(rig, ledger, torture)
        torture.remark("\(ledger.saved.count) saved, \(ledger.deleted.count) deleted")
        try torture.report()
    }

    /// Something to do.
    private func command(_ rig: Rig, _ ledger: inout Ledger) -> [String] {
        let format = KillTortureTests.formats.randomElement(using: &ledger.chance)!
        let id = Int.random(in: 1...max(1, ledger.saved.max() ?? 1), using: &ledger.chance)
        switch Int.random(in: 0..<12, using: &ledger.chance) {
        case 0...3:
            let seconds = Double.random(in: 0.1...0.6, using: &ledger.chance)
            return ["record", "-y", "-D", "mic", "-d", "\(seconds)", "-f", format, "--json"]
        case 4: return ["import", rig.folder.file("take.wav"), "--json"]
        case 5: return ["import", rig.folder.file("take.wav"), "-f", format, "--json"]
        case 6:
            ledger.deleted.insert(id)
            return ["delete", "\(id)", "-y"]
        case 7: return ["play", "latest", "-D", "null"]
        case 8: return ["edit", "\(id)", "-t", "another title", "-c", "fun"]
        case 9: return ["export", "\(id)", rig.folder.file("out.wav"), "--force"]
        case 10: return ["list", "--all", "--json"]
        default: return ["expire"]
        }
    }

    private func check(
        _ ended: Child.Result, _ command: [String], _ ledger: inout Ledger, _ torture: TortureCase
    ) {
        if ended.status == 0 || ended.signal == SIGKILL {
            if ["record", "import"].contains(command[0]),
                let id = (Rig.object(ended.output)["memo"] as? [String: Any])?["id"] as? Int
            {
                if !ledger.saved.insert(id).inserted { torture.found(.lost, "two memos of number \(id)") }
            }
            return
        }
        // No such memo, one that is sealed or that is being recorded: those are answers.
        let allowed: [String: [Int32]] = [
            "delete": [1, 3], "edit": [3, 4], "export": [3, 4], "play": [3, 4],
        ]
        let isAnswer = ended.status.map { allowed[command[0]]?.contains($0) ?? false } ?? false
        if !isAnswer || ended.notes.contains("locked") {
            torture.found(
                .wrongExit, "\(command): \(ended.status ?? -1) \(ended.signal ?? 0): \(ended.notes)")
        }
    }

    /// Looks at what is there in the end.
    private func judge(_ rig: Rig, _ ledger: Ledger, _ torture: TortureCase) throws {
        let expired = try rig.run("expire", at: Self.tuesday)
        if expired.status != 0 { torture.found(.wrongExit, expired.notes) }
        let memos = try rig.memos("--all", at: Self.tuesday).compactMap { $0["id"] as? Int }
        if Set(memos).count != memos.count { torture.found(.lost, "a number twice in \(memos)") }
        let missing = ledger.saved.subtracting(ledger.deleted).subtracting(memos)
        if !missing.isEmpty { torture.found(.lost, "\(missing)") }
        let diagnosis = try rig.run("doctor", at: Self.tuesday).output
        for words in ["database: is whole", "files: agree with the database"]
        where !diagnosis.contains(words) {
            torture.found(.leftBehind, diagnosis)
        }
        let parts = rig.folder.names(in: "store/audio").filter { $0.hasSuffix(".part") }
        let scratch = rig.folder.names(in: "store/scratch")
        if !(parts + scratch).isEmpty { torture.found(.leftBehind, "\(parts + scratch)") }
    }
}
