import CommandTable
import Memos

/// `tomorrow status`, and `tomorrow` alone.
struct StatusCommand {
    private let context: Context

    init(_ context: Context) {
        self.context = context
    }

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

    private struct Overview {
        var available: [Memo] = []
        var waiting: [Memo] = []
        var recording: [Memo] = []

        var memos: [Memo] { available + waiting }
        var unheardCount: Int { available.count { $0.heardAt == nil } }
        var nextArrival: Timestamp? { waiting.map(\.times.showAt).min() }
        var nextDeparture: Timestamp? { available.map(\.times.expireAt).min() }
        var bytes: Int64 { memos.reduce(0) { $0 + ($1.sound?.bytes ?? 0) } }
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
        let memos = Dictionary(grouping: try store.memos(at: now)) { $0.state(at: now) }
        return Overview(
            available: memos[.available] ?? [], waiting: memos[.waiting] ?? [],
            recording: memos[.recording] == nil ? [] : try store.running())
    }

    private func printJSON(_ overview: Overview, at now: Timestamp) throws {
        let json = try MemoJSON()
        json.print([
            "now": json.time(now),
            "available_count": .integer(Int64(overview.available.count)),
            "unheard_count": .integer(Int64(overview.unheardCount)),
            "waiting_count": .integer(Int64(overview.waiting.count)),
            "recording": .array(try overview.recording.map { try json.memo($0, at: now) }),
            "next_arrival_at": json.time(overview.nextArrival),
            "next_departure_at": json.time(overview.nextDeparture),
            "bytes": .integer(overview.bytes),
        ])
    }

    private func printShort(_ overview: Overview) {
        var parts: [String] = []
        if !overview.recording.isEmpty { parts.append("recording") }
        if !overview.available.isEmpty { parts.append("\(overview.available.count) to hear") }
        if !overview.waiting.isEmpty { parts.append("\(overview.waiting.count) waiting") }
        if !parts.isEmpty { Console.output(parts.joined(separator: ", ") + "\n") }
    }

    private func printFull(_ overview: Overview, at now: Timestamp) {
        var lines: [String] = []
        for memo in overview.recording {
            lines.append("Recording \(HumanText.name(memo)) since \(HumanText.time(memo.times.startedAt)).")
        }
        if let departure = overview.nextDeparture {
            let (count, unheard) = (overview.available.count, overview.unheardCount)
            let memos =
                unheard == count
                ? HumanText.count(count, "new memo") + " to hear"
                : HumanText.count(count, "memo")
                    + " to hear, \(unheard == 0 ? "none" : "\(unheard)") of them new"
            lines.append("\(memos); the next leaves \(moment(departure, now)).")
        }
        if let arrival = overview.nextArrival {
            lines.append(
                "\(HumanText.count(overview.waiting.count, "memo")) waiting; "
                    + "the next opens \(moment(arrival, now)).")
        }
        if overview.memos.isEmpty {
            lines.append("There is nothing to hear, and nothing waits.")
        } else {
            lines.append("They take \(HumanText.size(overview.bytes)).")
        }
        if context.invocation.command == nil {
            lines.append("")
            if overview.unheardCount > 0 { lines.append("  tomorrow play      plays what is new") }
            lines.append("  tomorrow record    records a memo for tomorrow")
            lines.append("  tomorrow help      says what else there is")
        }
        Console.output(lines.joined(separator: "\n") + "\n")
    }

    private func moment(_ instant: Timestamp, _ now: Timestamp) -> String {
        HumanText.time(instant) + ", " + HumanText.distance(from: now, to: instant)
    }
}
