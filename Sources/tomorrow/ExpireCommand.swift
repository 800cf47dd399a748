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
        var report = Store.ExpiryReport()
        if Store.exists(path: try context.places.store()) {
            let store = try context.makeStore()
            // What is over goes first: on a full disk salvaging may need the space.
            report = try store.expire(at: context.now, dryRun: isDryRun)
            if !isDryRun { context.salvage(store) }
        }
        if context.wantsJSON {
            let json = try MemoJSON()
            json.print([
                "now": json.time(context.now),
                "dry_run": .boolean(isDryRun),
                "removed_count": .integer(Int64(report.removedCount)),
                "freed_bytes": .integer(report.freedBytes),
                "adopted_count": .integer(Int64(report.adoptedCount)),
                "dropped_count": .integer(Int64(report.droppedCount)),
            ])
        } else {
            note(report, isDryRun: isDryRun)
        }
        for failure in report.failures { Failure(failure).report(verbose: context.isVerbose) }
        return report.failures.isEmpty ? .done : .storage
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
