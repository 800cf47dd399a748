import CommandTable
import Desktop
import Memos
import Terminal

/// Tells that memos have arrived: by the command that the settings name, else by a notification of the
/// desktop.
struct Announcer {
    /// A line of shell, or nil.
    let command: String?
    /// Where the session bus is, as far as the environment says.
    let busAddress: String?

    private static let mostTitles = 10
    private static let mostTitleColumns = 60

    /// Announces all of them at once.
    ///
    /// - Returns: whether somebody has taken it. Otherwise it may be tried again: nobody is logged in,
    ///   perhaps.
    /// - Throws: ``Failure`` when the command did not do its work, ``DesktopError`` when the desktop did not.
    func announce(_ memos: [(id: Int64, title: String?)]) throws -> Bool {
        if memos.isEmpty { return true }
        if let command {
            let status = try UserCommand.run(command, input: Array(try json(memos).utf8))
            if status == 0 { return true }
            throw Failure(.failed, "cannot announce memos: '\(command)' ended with status \(status)")
        }
        let answer = try Notification.send(
            summary: "\(HumanText.count(memos.count, "memo")) to hear", body: body(memos),
            busAddress: busAddress)
        return answer == .taken
    }

    /// A line for each, up to a number that a notification has room for.
    private func body(_ memos: [(id: Int64, title: String?)]) -> String {
        var lines = memos.prefix(Self.mostTitles).map { memo in
            let title = memo.title.map { VisibleText.cut(VisibleText.of($0), columns: Self.mostTitleColumns) }
            return title.map { "“\($0)”" } ?? "memo \(memo.id)"
        }
        if memos.count > lines.count { lines.append("and \(memos.count - lines.count) more") }
        return lines.joined(separator: "\n")
    }

    /// What the command reads: one object in a line.
    private func json(_ memos: [(id: Int64, title: String?)]) throws -> String {
        let json = try MemoJSON()
        let objects = try memos.map {
            json.object(["id": .integer($0.id), "title": try json.text($0.title)])
        }
        return json.line(["memos": .array(objects)])
    }
}
