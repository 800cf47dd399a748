import CommandTable
import Memos

/// `tomorrow expire`: what cron runs. Numbers, never titles: cron mails what it prints.
struct ExpireCommand {
    private let context: Context

    init(_ context: Context) {
        self.context = context
    }

    func run() throws -> ExitStatus {
        let isDryRun = context.invocation.has("dry-run")
        let now = context.now
        var report = Store.ExpiryReport()
        var announcedCount = 0
        var failure: Failure?
        if Store.exists(path: try context.places.store()) {
            let store = try context.makeStore()
            // What is over goes first: on a full disk salvaging may need the space.
            report = try store.expire(
                at: now, dryRun: isDryRun, force: context.invocation.has("force"))
            if !isDryRun {
                context.salvage(store)
                do {
                    announcedCount = try Announcements(of: store, context).run(at: now)
                } catch {
                    failure = Failure(error)
                }
            }
        }
        if context.wantsJSON {
            let json = try MemoJSON()
            json.print([
                "now": json.time(now),
                "dry_run": .boolean(isDryRun),
                "removed_count": .integer(Int64(report.removedCount)),
                "freed_bytes": .integer(report.freedBytes),
                "adopted_count": .integer(Int64(report.adoptedCount)),
                "dropped_count": .integer(Int64(report.droppedCount)),
                "held_back_count": .integer(Int64(report.heldBackCount)),
                "announced_count": .integer(Int64(announcedCount)),
            ])
        } else {
            note(report, isDryRun: isDryRun)
        }
        // Once, and not with every run of a day, as cron mails it.
        if report.heldBackCount > 0, report.clockLeapt == now || isDryRun { noteLeap(report) }
        for failure in report.failures { Failure(failure).report(verbose: context.isVerbose) }
        failure?.report(verbose: context.isVerbose)
        return report.failures.isEmpty ? failure?.status ?? .done : .storage
    }

    private func noteLeap(_ report: Store.ExpiryReport) {
        let memos = HumanText.count(report.heldBackCount, "memo")
        Console.note(
            "The clock has leapt more than 30 days, and nothing keeps it in step: \(memos) that would be over "
                + "can be heard no more, but will be removed only if it stays so for 24 hours.")
        Console.note("  'tomorrow expire --force' believes the clock now.")
    }

    private func note(_ report: Store.ExpiryReport, isDryRun: Bool) {
        let (removed, found, dropped) =
            isDryRun ? ("Would remove", "Would take in", "Would drop") : ("Removed", "Took in", "Dropped")
        if report.removedCount > 0 {
            let memos = HumanText.count(report.removedCount, "memo")
            Console.output("\(removed) \(memos), \(HumanText.size(report.freedBytes)).\n")
        }
        if report.adoptedCount > 0 {
            let files = HumanText.count(report.adoptedCount, "file")
            Console.output("\(found) \(files) that the database did not know.\n")
        }
        if report.droppedCount > 0 {
            let memos = HumanText.count(report.droppedCount, "memo")
            Console.output("\(dropped) \(memos) without a file.\n")
        }
    }
}
