import ALSA
import CommandTable
import Memos
import Terminal

/// `tomorrow completion SHELL`, and what such a script asks: it reads, and is quiet about whatever fails.
struct CompletionCommand {
    private let context: Context

    init(_ context: Context) {
        self.context = context
    }

    func run() throws -> ExitStatus {
        let word = context.invocation.operands[0]
        if let shell = Completion.Shell(rawValue: word) {
            Console.output(Completion.script(for: shell))
            return .done
        }
        guard let query = ValueKind.Query(rawValue: word) else {
            throw UsageError.noValue(
                word, of: "completion", among: Completion.Shell.allCases.map(\.rawValue),
                command: "completion")
        }
        Console.output((try? offers(query))?.map { $0 + "\n" }.joined() ?? "")
        return .done
    }

    /// The offers, each perhaps with a tab and a title.
    private func offers(_ query: ValueKind.Query) throws -> [String] {
        switch query {
        case .categories: context.configuration.categories.map(VisibleText.of)
        case .recordingDevices: devices { $0.capture != nil }
        case .playingDevices: devices { $0.playback != nil }
        case .available: try memos { try $0.available(at: context.now) }
        case .memos: try memos { try $0.memos(at: context.now).filter { $0.sound != nil } }
        }
    }

    /// A person waits: a sound server that does not answer has no devices.
    private func devices(_ isWanted: (Device) -> Bool) -> [String] {
        let devices = (try? Bounded.run(milliseconds: 1_000) { DeviceList.all() }) ?? []
        return devices.filter(isWanted).map { VisibleText.of($0.name) }
    }

    /// The newest first.
    private func memos(_ all: (Store) throws -> [Memo]) throws -> [String] {
        guard let store = try Store(readingOnly: try context.places.store()) else { return [] }
        return try all(store).reversed().map { memo in
            let title = memo.title.map { VisibleText.cut(VisibleText.of($0), columns: Self.titleColumns) }
            return String(memo.id) + (title.map { "\t" + $0 } ?? "")
        }
    }

    private static let titleColumns = 40
}
