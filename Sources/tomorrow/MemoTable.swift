import Memos
import Terminal

/// Memos in a table, a line each, as wide as there is room.
///
/// With less room the day becomes a weekday, then the words of the state become signs and the category goes.
/// Where nobody looks, in a pipe or a file, nothing is cut.
struct MemoTable {
    /// The width of the terminal; nil where it is none.
    let columns: Int?
    let now: Timestamp
    let colours: Colours
    /// The shape of a memo in so many columns, or nil.
    let shape: (Memo, Int) -> String?

    private static let wideColumns = 100
    private static let middleColumns = 60
    /// With so much room there is some for the shape.
    private static let shapeTotalColumns = 120
    private static let shapeColumns = 16
    private static let leastTitleColumns = 8

    private var room: Int { columns ?? .max }

    /// The lines under a heading; nothing for no memo. The title comes last, where it can be long.
    func text(_ memos: [Memo]) -> String {
        if memos.isEmpty { return "" }
        let hasShapes = columns.map { $0 >= Self.shapeTotalColumns } ?? false
        var rows = [heading + (hasShapes ? ["SHAPE"] : [])]
        for memo in memos {
            rows.append(cells(memo) + (hasShapes ? [shape(memo, Self.shapeColumns) ?? ""] : []))
        }
        let widths = rows[0].indices.map { column in
            rows.lazy.map { VisibleText.columns($0[column]) }.max() ?? 0
        }
        let used = widths.reduce(0) { $0 + $1 + 2 }
        let titleColumns = max(Self.leastTitleColumns, room - min(room, used))
        func line(_ row: [String], _ title: String) -> String {
            var line = ""
            for (cell, width) in zip(row, widths) { line += VisibleText.fitted(cell, columns: width) + "  " }
            line += columns == nil ? title : VisibleText.cut(title, columns: titleColumns)
            while line.utf8.last == UInt8(ascii: " ") { line.removeLast() }
            return line
        }
        var text = colours.faint(line(rows[0], "TITLE")) + "\n"
        for (memo, row) in zip(memos, rows.dropFirst()) {
            let line = line(row, VisibleText.of(memo.title ?? ""))
            switch Standing(memo, at: now) {
            case .new: text += colours.strong(line)
            case .heard: text += line
            case .waits: text += colours.faint(line)
            }
            text += "\n"
        }
        return text
    }

    /// How a memo stands with its owner.
    private enum Standing: String {
        case new, heard, waits

        init(_ memo: Memo, at now: Timestamp) {
            self = memo.state(at: now) == .waiting ? .waits : memo.heardAt == nil ? .new : .heard
        }

        var sign: String {
            switch self {
            case .new: "●"
            case .heard: "○"
            case .waits: "◌"
            }
        }
    }

    private var heading: [String] {
        room < Self.middleColumns
            ? ["", "ID", "LEN", "WHEN"] : ["ID", "STATE", "LENGTH", "CATEGORY", "WHEN"]
    }

    /// What stands before the shape and the title.
    private func cells(_ memo: Memo) -> [String] {
        let standing = Standing(memo, at: now)
        let (id, length) = (String(memo.id), HumanText.length(memo))
        let instant = standing == .waits ? memo.times.showAt : memo.times.expireAt
        if room < Self.middleColumns {
            return [standing.sign, id, length, HumanText.nearTime(instant, from: now)]
        }
        let verb = standing == .waits ? "opens " : "leaves "
        let when =
            room < Self.wideColumns
            ? HumanText.nearTime(instant, from: now) + ", "
                + HumanText.distance(from: now, to: instant, units: 1)
            : HumanText.time(instant) + ", " + HumanText.distance(from: now, to: instant)
        return [id, standing.rawValue, length, VisibleText.of(memo.category ?? ""), verb + when]
    }
}
