import CommandTable
import Glibc
import Memos
import Terminal

/// `tomorrow status`, and `tomorrow` alone.
struct StatusCommand {
    private let context: Context

    init(_ context: Context) {
        self.context = context
    }

    /// Whether nothing was asked for: then what is here is shown, and what makes sense next.
    private var isHome: Bool { context.invocation.command == nil }
    /// How wide a line may be.
    private var columns: Int { Console.columns ?? .max }
    /// More are told in a number.
    private static let mostShown = 5

    func run() throws -> ExitStatus {
        let isShort = context.invocation.has("short")
        if !isShort { context.noteConfigurationMistakes() }
        let now = context.now
        let overview = try isShort ? shortOverview(at: now) : fullOverview(at: now)
        if context.wantsJSON {
            try printJSON(overview, at: now)
        } else if isShort {
            printShort(overview)
        } else {
            printFull(overview, at: now)
        }
        return .done
    }

    /// What the store counts, and what only its files and its last `expire` can tell.
    private struct Overview {
        var counts = Store.Overview()
        var recording: [Memo] = []
        /// Those that are new, where they are shown one by one.
        var unheard: [Memo] = []
        var lastExpiry: (at: Timestamp, worked: Bool)?
    }

    private func fullOverview(at now: Timestamp) throws -> Overview {
        guard let store = try context.openStore() else { return Overview() }
        return try overview(store, at: now)
    }

    /// For a shell prompt: it reads, and neither makes a store nor salvages.
    private func shortOverview(at now: Timestamp) throws -> Overview {
        guard let store = try Store(readingOnly: try context.places.store()) else { return Overview() }
        return try overview(store, at: now)
    }

    private func overview(_ store: Store, at now: Timestamp) throws -> Overview {
        var overview = Overview(
            counts: try store.overview(at: now), recording: try store.running(),
            lastExpiry: try store.lastExpiry)
        if isHome, overview.counts.unheardCount > 0 {
            overview.unheard = try store.available(at: now).filter { $0.heardAt == nil }
        }
        return overview
    }

    private func printJSON(_ overview: Overview, at now: Timestamp) throws {
        let json = try MemoJSON()
        let counts = overview.counts
        json.print([
            "now": json.time(now),
            "available_count": .integer(Int64(counts.availableCount)),
            "unheard_count": .integer(Int64(counts.unheardCount)),
            "waiting_count": .integer(Int64(counts.waitingCount)),
            "recording": .array(try overview.recording.map { try json.memo($0, at: now) }),
            "next_arrival_at": json.time(counts.nextArrival),
            "next_departure_at": json.time(counts.nextDeparture),
            "bytes": .integer(counts.bytes),
            "last_expire_at": json.time(overview.lastExpiry?.at),
            "last_expire_worked": overview.lastExpiry.map { .boolean($0.worked) } ?? .null,
        ])
    }

    private func printShort(_ overview: Overview) {
        var parts: [String] = []
        if !overview.recording.isEmpty { parts.append("recording") }
        if overview.counts.availableCount > 0 { parts.append("\(overview.counts.availableCount) to hear") }
        if overview.counts.waitingCount > 0 { parts.append("\(overview.counts.waitingCount) waiting") }
        if !parts.isEmpty { Console.show(parts.joined(separator: ", ") + "\n") }
    }

    private func printFull(_ overview: Overview, at now: Timestamp) {
        let counts = overview.counts
        var lines: [String] = []
        for memo in overview.recording {
            lines.append("Recording \(HumanText.name(memo)) since \(HumanText.time(memo.times.startedAt)).")
        }
        if let departure = counts.nextDeparture {
            let (count, unheard) = (counts.availableCount, counts.unheardCount)
            let memos =
                unheard == count
                ? HumanText.count(count, "new memo") + " to hear"
                : HumanText.count(count, "memo")
                    + " to hear, \(unheard == 0 ? "none" : "\(unheard)") of them new"
            lines.append("\(memos); the next leaves \(moment(departure, now)).")
            lines += newMemos(overview.unheard)
        }
        if let arrival = counts.nextArrival {
            lines.append(
                "\(HumanText.count(counts.waitingCount, "memo")) waiting; "
                    + "the next opens \(moment(arrival, now)).")
        }
        if counts.availableCount + counts.waitingCount == 0 {
            lines.append("There is nothing to hear, and nothing waits.")
        } else {
            lines.append("They take \(HumanText.size(counts.bytes)).")
        }
        lines += expiryLine(overview.lastExpiry, at: now)
        if isHome { lines += [""] + next(overview) }
        // A line that is painted has been cut already.
        let text = lines.map { $0.contains("\u{1b}") ? $0 : VisibleText.wrapped($0, columns: columns) }
        Console.show(text.joined(separator: "\n") + "\n")
    }

    /// What is new, a line each as far as it fits.
    private func newMemos(_ memos: [Memo]) -> [String] {
        let colours = Colours(context.invocation)
        let shown = memos.prefix(Self.mostShown)
        let lengths = shown.map(HumanText.length)
        let width = lengths.map(\.utf8.count).max() ?? 0
        let idWidth = shown.map { String($0.id).utf8.count }.max() ?? 0
        let lines = zip(shown, lengths).map { memo, length in
            let start =
                "  " + VisibleText.fitted(String(memo.id), columns: idWidth) + "  "
                + VisibleText.fitted(length, columns: width) + "  "
            let title = VisibleText.of(memo.title ?? memo.category ?? "")
            return colours.strong(VisibleText.cut(start + title, columns: columns))
        }
        let more = memos.count - shown.count
        return lines + (more > 0 ? ["  and \(more) more ('tomorrow list')"] : [])
    }

    /// The commands that make sense now, three at most.
    private func next(_ overview: Overview) -> [String] {
        var commands: [(String, String)] = []
        if overview.counts.unheardCount > 0 {
            commands.append(("play", "plays what is new"))
        } else if overview.counts.availableCount > 0 {
            commands.append(("list", "shows what can still be heard"))
        }
        commands.append(
            overview.recording.isEmpty
                ? ("record", "records a memo for tomorrow") : ("stop", "ends the take, and keeps it"))
        commands.append(("help", "says what else there is"))
        return commands.map { "  tomorrow " + VisibleText.fitted($0.0, columns: 8) + $0.1 }
    }

    /// How the last `expire` went: with `status` always, without a command when something is wrong with it.
    private func expiryLine(_ last: (at: Timestamp, worked: Bool)?, at now: Timestamp) -> [String] {
        guard let last else { return isHome ? [] : ["'expire' has never run."] }
        let time = HumanText.time(last.at)
        if !last.worked { return ["'expire' last ran \(time), and could not do all that there was to do."] }
        return isHome ? [] : ["'expire' last ran \(time)."]
    }

    private func moment(_ instant: Timestamp, _ now: Timestamp) -> String {
        HumanText.time(instant) + ", " + HumanText.distance(from: now, to: instant)
    }
}
