import CommandTable
import Glibc
import Memos
import Sound
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
        try requireCategory(of: memos)
        memos.removeAll { !fits($0) }
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
        Console.show(table(memos, in: store, at: now))
        if !wantsAll, !wantsWaiting {
            if memos.isEmpty { Console.note("Nothing can be heard now.") }
            let isFiltered = context.invocation.has("category") || context.invocation.has("search")
            let count =
                isFiltered
                ? try store?.memos(at: now).count { $0.state(at: now) == .waiting && fits($0) } ?? 0
                : waitingCount
            if count > 0 {
                let verb = count == 1 ? "waits" : "wait"
                Console.note("\(HumanText.count(count, "memo")) \(verb) ('tomorrow list --waiting').")
            }
        } else if memos.isEmpty {
            Console.note("There is nothing.")
        }
        return .done
    }

    /// Refuses a category that nobody knows: one that the configuration has no more is one as long as a memo has it.
    private func requireCategory(of memos: [Memo]) throws {
        guard let option = context.invocation.option("category"), let name = option.value else { return }
        let configuration = context.configuration
        let categories = configuration.categories
        guard categories.contains(name) || memos.contains(where: { $0.category == name }) else {
            throw UsageError.noValue(
                name, of: option.typed, among: categories, command: "list", hint: configuration.categoryHint)
        }
    }

    /// Whether a memo is one of those that were asked for.
    private func fits(_ memo: Memo) -> Bool {
        let invocation = context.invocation
        if let name = invocation.option("category")?.value, memo.category != name { return false }
        guard let text = invocation.option("search")?.value?.lowercased() else { return true }
        let texts = [memo.title, memo.category] + memo.markers.map(\.text)
        return texts.contains { $0?.lowercased().contains(text) ?? false }
    }

    private func table(_ memos: [Memo], in store: Store?, at now: Timestamp) -> String {
        let table = MemoTable(
            columns: Console.columns, now: now, colours: Colours(context.invocation)
        ) { memo, columns in
            // What waits is sealed, its shape too.
            guard memo.state(at: now) == .available, let sound = memo.sound,
                let bytes = try? store?.waveform(of: memo), let whole = Waveform(bytes: bytes)
            else { return nil }
            return WaveformText.line(whole.part(sound.heard, of: sound.frames), columns: columns)
        }
        return table.text(memos)
    }
}
