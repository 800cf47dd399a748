import CommandTable
import Memos

/// `tomorrow edit ID`: another title or category, markers more or fewer. The sound is never touched.
struct EditCommand {
    private let context: Context

    init(_ context: Context) {
        self.context = context
    }

    func run() throws -> ExitStatus {
        let invocation = context.invocation
        let values = OptionValues(invocation)
        let changes = ["title", "category", "add-marker", "remove-marker"]
        guard changes.contains(where: invocation.has) else {
            throw UsageError("there is nothing to change", command: "edit")
        }
        let title = try values.value("title", "a title") { $0 }
        let category =
            invocation.option("category")?.value == ""
            ? "" : try values.category(of: context.configuration)
        let added = try invocation.options.filter { $0.name == "add-marker" }.map(place)
        let removed = try invocation.options.filter { $0.name == "remove-marker" }.map(number)

        context.noteConfigurationMistakes()
        let store = try context.openStore()
        let memo = try context.memo(invocation.operands[0], to: "edit", in: store) {
            try $0.memos(at: context.now).filter { $0.sound != nil }
        }
        guard let store, let sound = memo.sound else {
            throw Failure(
                .sealed, "cannot edit memo \(memo.id): it is being recorded",
                advice: "'tomorrow stop' ends it.")
        }
        // Where its markers are says something of what is in it.
        if !added.isEmpty || !removed.isEmpty { try context.requireAvailable(memo, to: "mark", in: store) }
        let markers = try added.map { try marker(at: $0.seconds, text: $0.text, in: memo, sound) }
        for number in removed where number > memo.markers.count {
            let count = HumanText.count(memo.markers.count, "marker")
            throw Failure(
                .wrongUsage, "cannot take marker \(number) of memo \(memo.id) away: it has \(count)")
        }
        var changed = memo
        if let title { changed.title = title.allSatisfy(\.isWhitespace) ? nil : title }
        if let category { changed.category = category.isEmpty ? nil : category }
        var isThere = true
        if title != nil || category != nil { isThere = try store.edit(changed) != nil }
        if !markers.isEmpty || !removed.isEmpty {
            isThere = try store.edit(memo, adding: markers, removing: Set(removed.map { $0 - 1 })) != nil
        }
        guard isThere else {
            throw Failure(.noSuchMemo, "cannot edit memo \(memo.id): there is no such memo")
        }
        return .done
    }

    /// The place and the text of a marker that is to be added.
    private func place(_ option: Invocation.Option) throws -> (seconds: Double, text: String?) {
        let parts = (option.value ?? "").split(
            separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard let seconds = parts.first.flatMap({ DurationText.seconds(String($0)) }) else {
            throw UsageError(
                "'\(option.typed)' takes a position such as 1:30 or 1:30=TEXT, not '\(option.value ?? "")'",
                command: "edit")
        }
        let text = parts.count > 1 ? String(parts[1]) : ""
        return (seconds, text.allSatisfy(\.isWhitespace) ? nil : text)
    }

    private func number(_ option: Invocation.Option) throws -> Int {
        guard let number = option.value.flatMap({ Int($0) }), number > 0 else {
            throw UsageError(
                "'\(option.typed)' takes the number of a marker, not '\(option.value ?? "")'",
                command: "edit")
        }
        return number
    }

    private func marker(at seconds: Double, text: String?, in memo: Memo, _ sound: MemoSound) throws
        -> Marker
    {
        guard seconds <= sound.seconds else {
            throw Failure(
                .wrongUsage,
                "cannot mark memo \(memo.id) at \(HumanText.position(seconds: seconds)): it is "
                    + "\(HumanText.length(memo)) long")
        }
        let frame = sound.heard.lowerBound + Int64((seconds * Double(sound.rate)).rounded())
        return Marker(frame: min(frame, sound.frames), text: text)
    }
}
