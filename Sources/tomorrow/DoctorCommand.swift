import ALSA
import AudioFile
import CommandTable
import Desktop
import Glibc
import Linux
import Memos
import Terminal

/// `tomorrow doctor`: whether all is well, and with `--fix` what can be mended.
struct DoctorCommand {
    private let context: Context
    private let isFixing: Bool

    /// One thing that was looked at.
    struct Finding {
        /// What, in a word.
        let subject: String
        /// How it is, in a sentence without its full stop.
        let text: String
        /// nil where it is well, or mended; else how the program ends.
        var problem: ExitStatus?
        /// What a person can do.
        var advice: String?
        var isMended = false
    }

    /// Less room than this is for about ten minutes of the usual format.
    private static let leastBytes: Int64 = 50_000_000
    /// A schedule that has missed so many runs does not work, but for one that has not come for so few minutes.
    private static let missedRuns = 3
    private static let leastMinutes = 60

    init(_ context: Context) {
        self.context = context
        isFixing = context.invocation.has("fix")
    }

    func run() throws -> ExitStatus {
        let path = try context.places.store()
        var findings: [Finding] = []
        if Store.exists(path: path) {
            let store = checkStore(path, &findings)
            if let store { findings.append(schedule(store)) }
        } else {
            findings.append(Finding(subject: "store", text: "there is none yet at \(path)"))
            findings.append(schedule(nil))
        }
        findings.append(try devices())
        for mistake in context.configuration.mistakes {
            findings.append(Finding(subject: "configuration", text: mistake, problem: .failed))
        }
        if context.wantsJSON { try printJSON(findings) } else { printText(findings) }
        return findings.lazy.compactMap(\.problem).first ?? .done
    }

    /// Looks at the store, and mends it; gives it where it can be used.
    private func checkStore(_ path: String, _ findings: inout [Finding]) -> Store? {
        checkFolder(path, &findings)
        do {
            let store: Store
            do {
                store = try context.makeStore()
                let damages = try store.check().damages
                if let damage = damages.first {
                    throw StoreError(attempt: "trust \(path)/memos.db", reason: damage, code: 11)
                }
            } catch let error as StoreError where error.isDamage && isFixing {
                let (rebuilt, count) = try Store.rebuild(path: path, formats: Context.formats)
                findings.append(
                    Finding(
                        subject: "database",
                        text: "was damaged and is made anew; \(HumanText.returned(rebuilt.returnedCount)), "
                            + "\(count == 0 ? "none" : "\(count)") of them with title and category",
                        isMended: true))
                context.salvage(rebuilt)
                try checkFiles(rebuilt, &findings)
                return rebuilt
            }
            context.salvage(store)
            findings.append(Finding(subject: "database", text: "is whole"))
            try checkFiles(store, &findings)
            return store
        } catch {
            let failure = Failure(error)
            findings.append(
                Finding(
                    subject: "database", text: failure.message, problem: failure.status,
                    advice: failure.advice))
            return nil
        }
    }

    private func checkFolder(_ path: String, _ findings: inout [Finding]) {
        let loose = Store.loosePaths(ofStoreAt: path)
        let left = isFixing && !loose.isEmpty ? Store.loosePaths(ofStoreAt: path, mending: true) : loose
        if let first = loose.first {
            let others = loose.count == 1 ? "" : " and \(loose.count - 1) more"
            findings.append(
                Finding(
                    subject: "permissions", text: "\(first)\(others) is not its owner's alone",
                    problem: left.isEmpty ? nil : .storage, isMended: left.isEmpty))
        } else {
            findings.append(Finding(subject: "permissions", text: "everything is its owner's alone"))
        }
        if access(path, W_OK) != 0 {
            findings.append(
                Finding(
                    subject: "store", text: "cannot write to \(path): \(SystemError.last.reason)",
                    problem: .storage))
        }
        guard let free = try? FileSystem.freeBytes(at: path) else { return }
        findings.append(
            Finding(
                subject: "space", text: "\(HumanText.size(free)) are free",
                problem: free < Self.leastBytes ? .storage : nil))
    }

    /// Compares rows and files; what does not agree is what `expire` mends.
    private func checkFiles(_ store: Store, _ findings: inout [Finding]) throws {
        let found = try store.check()
        let sums = [
            (found.rowsWithoutFile, "memo", "without a file"),
            (found.filesWithoutRow, "file", "without a memo"),
            (found.leftovers, "file", "that nobody makes any more"),
        ].filter { $0.0 > 0 }
        if sums.isEmpty {
            findings.append(Finding(subject: "files", text: "agree with the database"))
        } else {
            let words = sums.map { HumanText.count($0.0, $0.1) + " " + $0.2 }.joined(separator: ", ")
            var isMended = false
            if isFixing {
                isMended = try store.expire(at: context.now, dryRun: false).failures.isEmpty
                context.salvage(store)
            }
            findings.append(
                Finding(
                    subject: "files", text: "there is \(words)", problem: isMended ? nil : .storage,
                    advice: isMended ? nil : "'tomorrow expire' puts that in order.", isMended: isMended))
        }
        for id in found.unmendable {
            findings.append(
                Finding(
                    subject: "takes",
                    text: "take \(id) was interrupted, and nothing can be heard in it",
                    problem: .storage,
                    advice: "'tomorrow delete \(id)' removes it; else it goes when its time is over."))
        }
    }

    /// Whether something runs `expire`: by what is installed, and by when it last ran.
    ///
    /// - Parameter store: nil where there is none yet.
    private func schedule(_ store: Store?) -> Finding {
        func problem(_ text: String, _ advice: String) -> Finding {
            Finding(subject: "schedule", text: text, problem: .failed, advice: advice)
        }
        let last = try? store?.lastExpiry
        let time = last.map { HumanText.time($0.at) } ?? ""
        guard let installed = ScheduleCommand(context).installed else {
            return problem(
                "nothing runs 'expire'" + (last == nil ? "" : "; it last ran \(time)"),
                "'tomorrow schedule install' has it run every few minutes.")
        }
        guard store != nil else {
            return Finding(subject: "schedule", text: "is installed; there is nothing yet for 'expire'")
        }
        let advice =
            "Is \(installed.isCron ? "cron" : "systemd") running? "
            + "'tomorrow schedule status' shows what is installed."
        guard let last else { return problem("'expire' has never run", advice) }
        if !last.worked {
            return problem("'expire' ran \(time) and could not do everything", "'tomorrow expire' says what.")
        }
        if last.at > context.now {
            return problem("'expire' last ran \(time), which is still to come", "Is the clock right?")
        }
        // Times of somebody's own are at least once a day.
        let minutes = max(Self.leastMinutes, Self.missedRuns * (installed.interval?.minutes ?? 1_440))
        let isLate = last.at.adding(milliseconds: Int64(minutes) * 60_000) < context.now
        return isLate
            ? problem("'expire' last ran \(time)", advice)
            : Finding(subject: "schedule", text: "'expire' last ran \(time)")
    }

    private func devices() throws -> Finding {
        guard let devices = try Bounded.run(milliseconds: 5_000, { DeviceList.all() }) else {
            return Finding(
                subject: "devices", text: "the sound server does not answer", problem: .noDevice,
                advice: "Starting it anew may help.")
        }
        let capture = devices.filter { $0.capture != nil }
        let playback = devices.filter { $0.playback != nil }
        var finding = Finding(
            subject: "devices", text: "\(capture.count) to record from, \(playback.count) to play to")
        if capture.isEmpty || playback.isEmpty {
            finding.problem = .noDevice
            finding.advice =
                "Is there a sound card, or a sound server that runs? 'tomorrow devices' lists what can be used."
        }
        if let muted = capture.first(where: {
            $0.name == context.configuration.captureDevice && $0.captureVolume?.isMuted == true
        }) {
            finding.advice = "\(muted.name) is muted."
        }
        return finding
    }

    private func printText(_ findings: [Finding]) {
        for finding in findings {
            let mark = finding.isMended ? "mended" : finding.problem == nil ? "ok" : "wrong"
            let pad = String(repeating: " ", count: 8 - mark.count)
            Console.show(mark + pad + VisibleText.of("\(finding.subject): \(finding.text)") + "\n")
            if let advice = finding.advice { Console.show("          " + VisibleText.of(advice) + "\n") }
        }
    }

    private func printJSON(_ findings: [Finding]) throws {
        let json = try MemoJSON()
        json.print([
            "now": json.time(context.now),
            "healthy": .boolean(findings.allSatisfy { $0.problem == nil }),
            "findings": .array(
                try findings.map { finding in
                    json.object([
                        "subject": .word(finding.subject),
                        "text": try json.text(finding.text),
                        "ok": .boolean(finding.problem == nil),
                        "mended": .boolean(finding.isMended),
                        "advice": try json.text(finding.advice),
                    ])
                }),
        ])
    }
}
