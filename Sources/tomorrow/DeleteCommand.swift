import CommandTable
import Glibc
import Memos

/// `tomorrow delete ID…`: now rather than tomorrow.
struct DeleteCommand {
    private let context: Context

    init(_ context: Context) {
        self.context = context
    }

    func run() throws -> ExitStatus {
        context.noteConfigurationMistakes()
        let store = try context.openStore()
        // All are checked before the first goes.
        let memos = try context.invocation.operands.map { try memo($0, in: store) }
        guard let store, try confirm(memos) else { return .failed }
        for memo in Set(memos.map(\.id)).sorted().compactMap({ id in memos.first { $0.id == id } }) {
            try store.delete(memo)
            Console.note("Deleted \(HumanText.name(memo)).")
        }
        return .done
    }

    private func memo(_ operand: String, in store: Store?) throws -> Memo {
        let now = context.now
        let memo = try context.memo(operand, to: "delete", in: store) {
            try $0.memos(at: now).filter { $0.state(at: now) != .recording }
        }
        // One that was interrupted and could not be salvaged can be deleted.
        if memo.state(at: now) == .recording,
            try store?.running().contains(where: { $0.id == memo.id }) == true
        {
            throw Failure(
                .failed, "cannot delete memo \(memo.id): it is being recorded",
                advice: "'tomorrow stop' ends it."
            )
        }
        return memo
    }

    /// Asks on a terminal; without one, or with `--yes`, the command is the answer.
    private func confirm(_ memos: [Memo]) throws -> Bool {
        guard isatty(STDIN_FILENO) == 1, !context.invocation.has("yes") else { return true }
        let names = memos.map(HumanText.name).joined(separator: ", ")
        Console.note("Delete \(names) for good? [y/N]")
        let answer = readLine()?.lowercased()
        if answer == "y" || answer == "yes" { return true }
        Console.note("Nothing was deleted.")
        return false
    }
}
