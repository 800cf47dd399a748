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
        var rows = [heading + (hasShapes ? ["SHAPE"] : []) + ["TITLE"]]
        rows += memos.map { memo in
            let picture = hasShapes ? [shape(memo, Self.shapeColumns) ?? ""] : []
            return cells(memo) + picture + [VisibleText.of(memo.title ?? "")]
        }
        let title = rows[0].count - 1
        let widths = (0..<title).map { column in rows.map { VisibleText.columns($0[column]) }.max() ?? 0 }
        let used = widths.reduce(0) { $0 + $1 + 2 }
        let titleColumns = max(Self.leastTitleColumns, room - min(room, used))
        let lines = rows.map { row in
            let cells = widths.indices.map { VisibleText.fitted(row[$0], columns: widths[$0]) }
            var line = (cells + [VisibleText.cut(row[title], columns: titleColumns)]).joined(separator: "  ")
            while line.utf8.last == UInt8(ascii: " ") { line.removeLast() }
            return line
        }
        return zip(lines, [nil] + memos.map(Optional.some)).map { line, memo in
            guard let memo else { return colours.faint(line) + "\n" }
            switch Standing(memo, at: now) {
            case .new: return colours.strong(line) + "\n"
            case .heard: return line + "\n"
            case .waits: return colours.faint(line) + "\n"
            }
        }.joined()
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
