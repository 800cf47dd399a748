import CommandTable
import Desktop
import Memos
import Terminal

/// Tells of memos: by the command that the settings name, else by a notification of the desktop.
struct Announcer {
    /// What there is to tell.
    enum Occasion: String {
        /// They can be heard since a moment ago.
        case arrived
        /// They were not heard, and leave soon.
        case leaving
    }

    /// A line of shell, or nil.
    let command: String?
    /// Where the session bus is, as far as the environment says.
    let busAddress: String?

    private static let mostTitles = 10
    private static let mostTitleColumns = 60
    /// For so long a desktop is waited for.
    private static let milliseconds: Int64 = 2_000

    /// Tells of all of them at once.
    ///
    /// - Returns: whether somebody has taken it. Otherwise it may be tried again: nobody is logged in,
    ///   perhaps.
    /// - Throws: ``Failure`` when the command did not do its work, ``DesktopError`` when the desktop did not.
    func announce(_ memos: [Memo], _ occasion: Occasion, at now: Timestamp) throws -> Bool {
        guard let first = memos.map(\.times.expireAt).min() else { return true }
        if let command {
            let status = try UserCommand.run(command, input: Array(try json(memos, occasion, at: now).utf8))
            if status == 0 { return true }
            throw Failure(.failed, "cannot announce memos: '\(command)' ended with status \(status)")
        }
        let count = HumanText.count(memos.count, "memo")
        let leaves = "\(memos.count == 1 ? "leaves" : "leave") \(HumanText.distance(from: now, to: first))"
        let answer = try Notification.send(
            summary: occasion == .arrived ? "\(count) to hear" : "\(count) not heard \(leaves)",
            body: body(memos), busAddress: busAddress, milliseconds: Self.milliseconds)
        return answer == .taken
    }

    /// A line for each, up to a number that a notification has room for.
    private func body(_ memos: [Memo]) -> String {
        var lines = memos.prefix(Self.mostTitles).map { memo in
            let title = memo.title.map { VisibleText.cut(VisibleText.of($0), columns: Self.mostTitleColumns) }
            return title.map { "“\($0)”" } ?? "memo \(memo.id)"
        }
        if memos.count > lines.count { lines.append("and \(memos.count - lines.count) more") }
        return lines.joined(separator: "\n")
    }

    /// What the command reads: one object in a line, the memos as everywhere else.
    private func json(_ memos: [Memo], _ occasion: Occasion, at now: Timestamp) throws -> String {
        let json = try MemoJSON()
        return json.line([
            "event": .word(occasion.rawValue),
            "now": json.time(now),
            "memos": .array(try memos.map { try json.memo($0, at: now) }),
        ])
    }
}
