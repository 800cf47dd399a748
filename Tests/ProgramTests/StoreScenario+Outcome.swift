import Foundation
import TestSupport
import Testing

/// What is found after a command, and whether that is right.
extension StoreScenario {
    /// How a store was found.
    struct Outcome {
        /// How the command ended.
        var ended: Child.Result
        /// How the `expire` that came after it ended.
        var expired: Child.Result
        /// What `doctor` says then.
        var diagnosis = ""
        /// Each memo in a line: number, title, state, seconds, whether it was interrupted.
        var memos: [String] = []
        /// What else an edit changes.
        var edited = ""
        /// The memos' files.
        var files: [String] = []
        /// Whether there is anything of a memo that is over.
        var hasTraces = false
        var exported = Data()
        /// Files in the making.
        var parts: [String] = []
        /// What is wrong with the sound of the new take, or nil.
        var soundFault: String?

        var wasKilled: Bool { ended.signal == SIGKILL }
    }

    /// Runs the command as it is.
    func outcomeOfAll() throws -> Outcome {
        try restore()
        return try outcome(of: try rig.start(command, at: Self.wednesday).finish())
    }

    /// Runs the command on the store as it was at the beginning, until it is struck, and then `expire`.
    ///
    /// - Parameter twice: whether the first `expire` is struck at the same point.
    func outcome(struckAt point: FaultPoint, twice: Bool = false) throws -> Outcome {
        try restore()
        let environment = rig.environment(at: Self.wednesday, struckAt: point)
        let ended = try Child([Rig.program] + command, environment: environment).finish()
        if twice { _ = try Child([Rig.program, "expire"], environment: environment).finish() }
        return try outcome(of: ended)
    }

    /// Has `expire` mend what a command has left, and looks at it.
    func outcome(of ended: Child.Result) throws -> Outcome {
        if case .rebuild = kind { try rig.run("doctor", "--fix", at: Self.wednesday) }
        var outcome = Outcome(ended: ended, expired: try rig.run("expire", at: Self.wednesday))
        outcome.diagnosis = try rig.run("doctor", at: Self.wednesday).output
        let memos = try rig.memos("--all", at: Self.wednesday)
        outcome.memos = memos.map(Self.description)
        outcome.edited = memos.map { "\($0["category"] ?? "") \(Self.text($0["markers"]))" }.joined()
        outcome.files = rig.folder.names(in: "store/audio")
        outcome.hasTraces = rig.folder.contents().contains {
            $0.path.hasPrefix("store/") && $0.data.range(of: Data("gone ".utf8)) != nil
        }
        outcome.exported = try ["flac", "wav"].reduce(Data()) {
            try $0 + Data(contentsOf: URL(fileURLWithPath: rig.folder.file("out." + $1)))
        }
        outcome.parts = (outcome.files + rig.folder.names()).filter { $0.hasSuffix(".part") }
        outcome.parts += rig.folder.names(in: "store/scratch")
        if case .record(let format) = kind, let memo = memos.first(where: { $0["title"] as? String == "new" })
        {
            outcome.soundFault = try soundFault(of: memo, format)
        }
        return outcome
    }

    private static func text(_ object: Any?) -> String {
        let data = object.flatMap { try? JSONSerialization.data(withJSONObject: $0, options: .sortedKeys) }
        return String(decoding: data ?? Data(), as: UTF8.self)
    }

    private static func description(_ memo: [String: Any]) -> String {
        ["id", "title", "state", "duration_seconds", "interrupted"].map { "\(memo[$0] ?? "")" }
            .joined(separator: " ")
    }

    /// Compares a take with what the microphone heard: of a format without losses each sample.
    private func soundFault(of memo: [String: Any], _ format: String) throws -> String? {
        let file = rig.folder.names(in: "store/audio").first { $0.hasPrefix("\(memo["id"] ?? "")-") } ?? ""
        let path = rig.folder.file("store/audio/" + file)
        if !(try IndependentProgram.isWhole(path)) { return "\(file) is not whole" }
        guard ["flac", "wav", "caf"].contains(where: file.hasSuffix) else { return nil }
        let raw = rig.folder.file("decoded.raw")
        _ = try rig.tool("ffmpeg", "-v", "error", "-y", "-i", path, "-f", "s16le", raw)
        let samples = try Data(contentsOf: URL(fileURLWithPath: raw))
        return microphone.starts(with: samples) ? nil : "\(file) is not what was heard"
    }

    /// What is wrong with an outcome.
    ///
    /// - Parameter expected: the outcome of a command that nothing has struck.
    func faults(in outcome: Outcome, expected: Outcome) -> [(fault: TortureCase.Fault, text: String)] {
        var faults: [(fault: TortureCase.Fault, text: String)] = []
        func check(_ isRight: Bool, _ fault: TortureCase.Fault, _ text: String) {
            if !isRight { faults.append((fault, text)) }
        }
        check(outcome.expired.status == 0, .wrongExit, "expire afterwards: \(outcome.expired.notes)")
        check(!outcome.hasTraces, .leftBehind, "something of a memo that is over")
        // Of a take's first block half may be there: nothing in it can be heard, and it is not swept away.
        let unheard = kind.isRecord ? 0...1 : 0...0
        check(
            unheard.contains(outcome.files.count - outcome.memos.count), .leftBehind,
            "\(outcome.files) for \(outcome.memos)")
        for words in ["database: is whole", "files: agree with the database"] {
            check(outcome.diagnosis.contains(words), .leftBehind, outcome.diagnosis)
        }
        let isReported = !outcome.ended.output.isEmpty && outcome.ended.status == 0
        let stays = "3 stays available 0.1 0"
        var allowed = [expected.memos]
        switch kind {
        case .expire, .expireOfASealedFolder, .migration, .mend, .rebuild, .play:
            check(outcome.files == expected.files, .lost, "\(outcome.files)")
        case .record:
            // The take is there or was not yet; once it was reported, it is there whole.
            check(outcome.memos.contains(stays) && outcome.memos.count <= 2, .lost, "\(outcome.memos)")
            if !isReported { allowed.append(outcome.memos) }
            if let fault = outcome.soundFault { faults.append((.lost, fault)) }
        case .importOfAFormatOfOurs, .importOfAnother:
            // The memo is there whole, or nothing is; once it was reported, it is there.
            if !isReported { allowed.append([stays]) }
        case .exportInItsFormat, .exportInAnother:
            check(outcome.files == expected.files, .lost, "\(outcome.files)")
            let isOld = outcome.ended.status != 0 && outcome.exported == Data("oldold".utf8)
            check(isOld || outcome.exported == expected.exported, .lost, "the export is neither old nor new")
        case .delete:
            // The memo is there, or nothing of it is.
            if outcome.ended.status != 0 { allowed.append([stays]) }
        case .edit:
            allowed.append([stays])
            if outcome.ended.status == 0 {
                check(
                    outcome.memos + [outcome.edited] == expected.memos + [expected.edited], .lost, "the edit")
            }
        }
        check(allowed.contains(outcome.memos), .lost, "\(outcome.memos), expected \(expected.memos)")
        return faults
    }
}
