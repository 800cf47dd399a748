import CommandTable
import Memos
import Terminal

/// `tomorrow list`: what can be heard, what waits, or both.
struct ListCommand {
    private let context: Context

    init(_ context: Context) {
        self.context = context
    }

    func run() throws -> ExitStatus {
        context.noteConfigurationMistakes()
        let store = try context.openStore()
        let now = context.now
        let wantsWaiting = context.invocation.has("waiting")
        let wantsAll = context.invocation.has("all")
        var memos: [Memo]
        if wantsAll || wantsWaiting {
            memos = try (store?.memos(at: now) ?? []).filter {
                let state = $0.state(at: now)
                return state == .waiting || (wantsAll && state == .available)
            }
        } else {
            memos = try store?.available(at: now) ?? []
        }
        try filter(&memos)
        memos.sort { ($0.times.showAt, $0.id) < ($1.times.showAt, $1.id) }
        let waitingCount = try store?.waitingCount(at: now) ?? 0
        if context.wantsJSON {
            let json = try MemoJSON()
            json.print([
                "now": json.time(now),
                "memos": .array(try memos.map { try json.memo($0, at: now) }),
                "waiting_count": .integer(Int64(waitingCount)),
            ])
            return .done
        }
        Console.output(Self.table(memos, at: now))
        if !wantsAll, !wantsWaiting {
            if memos.isEmpty { Console.note("Nothing can be heard now.") }
            if waitingCount > 0 {
                let verb = waitingCount == 1 ? "waits" : "wait"
                Console.note("\(HumanText.count(waitingCount, "memo")) \(verb) ('tomorrow list --waiting').")
            }
        } else if memos.isEmpty {
            Console.note("There is nothing.")
        }
        return .done
    }

    /// Leaves those that were asked for.
    private func filter(_ memos: inout [Memo]) throws {
        let invocation = context.invocation
        if let option = invocation.option("category"), let name = option.value {
            memos.removeAll { $0.category != name }
            // A category that the configuration has no more is one as long as a memo has it.
            let categories = context.configuration.categories
            guard !memos.isEmpty || categories.contains(name) else {
                throw UsageError.noValue(name, of: option.typed, among: categories, command: "list")
            }
        }
        if let text = invocation.option("search")?.value?.lowercased() {
            memos.removeAll { memo in
                let texts = [memo.title, memo.category] + memo.markers.map(\.text)
                return !texts.contains { $0?.lowercased().contains(text) ?? false }
            }
        }
    }

    /// A line a memo under a heading; nothing for no memo. The title comes last, where it can be long.
    private static func table(_ memos: [Memo], at now: Timestamp) -> String {
        guard !memos.isEmpty else { return "" }
        var rows = [["ID", "LENGTH", "CATEGORY", "WHEN", "TITLE"]]
        for memo in memos {
            let isWaiting = memo.state(at: now) == .waiting
            let instant = isWaiting ? memo.times.showAt : memo.times.expireAt
            rows.append([
                String(memo.id), HumanText.length(memo), VisibleText.of(memo.category ?? ""),
                "\(isWaiting ? "opens" : "leaves") \(HumanText.time(instant)), "
                    + HumanText.distance(from: now, to: instant),
                VisibleText.of(memo.title ?? ""),
            ])
        }
        let widths = (0..<4).map { column in rows.map { VisibleText.columns($0[column]) }.max() ?? 0 }
        return rows.map { row in
            let cells = widths.indices.map { VisibleText.fitted(row[$0], columns: widths[$0]) } + [row[4]]
            var line = cells.joined(separator: "  ")
            while line.utf8.last == UInt8(ascii: " ") { line.removeLast() }
            return line + "\n"
        }.joined()
    }
}
