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
        Console.show(table(memos, in: store, at: now))
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
            let configuration = context.configuration
            guard !memos.isEmpty || configuration.categories.contains(name) else {
                throw UsageError.noValue(
                    name, of: option.typed, among: configuration.categories, command: "list",
                    hint: configuration.categoryHint)
            }
        }
        if let text = invocation.option("search")?.value?.lowercased() {
            memos.removeAll { memo in
                let texts = [memo.title, memo.category] + memo.markers.map(\.text)
                return !texts.contains { $0?.lowercased().contains(text) ?? false }
            }
        }
    }

    private func table(_ memos: [Memo], in store: Store?, at now: Timestamp) -> String {
        let isTerminal = isatty(STDOUT_FILENO) == 1
        let table = MemoTable(
            columns: isTerminal ? TerminalSize.columns(of: STDOUT_FILENO) : nil, now: now,
            colours: Colours(context.invocation)
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
