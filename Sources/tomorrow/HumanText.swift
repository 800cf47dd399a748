import Glibc
import Memos
import Terminal

/// Times, lengths and titles as a person reads them.
enum HumanText {
    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

    /// `Tue 2026-12-01 00:00`, on the clocks of whoever looks; with seconds where there are any.
    static func time(_ instant: Timestamp) -> String {
        let local = LocalTime(at: instant)
        let second = local.secondOfDay % 60
        let clock = padded(local.secondOfDay / 3600) + ":" + padded(local.secondOfDay / 60 % 60)
        return weekdays[local.date.weekday] + " " + date(local.date) + " " + clock
            + (second == 0 ? "" : ":" + padded(second))
    }

    /// `Tue 00:00` within the coming week, else `2026-12-24`: a moment that is to come, with less room.
    static func nearTime(_ instant: Timestamp, from now: Timestamp) -> String {
        let (local, today) = (LocalTime(at: instant), LocalTime(at: now).date)
        guard local.date < today.adding(days: 7) else { return date(local.date) }
        return weekdays[local.date.weekday] + " " + padded(local.secondOfDay / 3600) + ":"
            + padded(local.secondOfDay / 60 % 60)
    }

    /// ISO 8601 with the offset of the clocks of whoever looks; milliseconds where there are any.
    static func iso8601(_ instant: Timestamp) -> String {
        // The format has no place for an offset's seconds, so the clock is shown without them too.
        let utcOffset = LocalTime(at: instant).utcOffset / 60 * 60
        let local = LocalTime(at: instant, utcOffset: utcOffset)
        let second = local.secondOfDay
        let clock = [second / 3600, second / 60 % 60, second % 60].map(padded).joined(separator: ":")
        let milliseconds = instant.milliseconds - instant.seconds * 1000
        let fraction = milliseconds == 0 ? "" : "." + padded(Int(milliseconds), to: 3)
        let offset = abs(local.utcOffset)
        return date(local.date) + "T" + clock + fraction + (local.utcOffset < 0 ? "-" : "+")
            + padded(offset / 3600) + ":" + padded(offset / 60 % 60)
    }

    /// `in 8 h 12 min`, `in 3 d 4 h`, `in 20 s`: the two largest units, or fewer.
    static func distance(from now: Timestamp, to instant: Timestamp, units: Int = 2) -> String {
        let seconds = max(0, (instant.milliseconds - now.milliseconds + 999) / 1000)
        if seconds < 60 { return "in \(seconds) s" }
        // Minutes are rounded up, so that "in 1 min" is never already over.
        let minutes = (seconds + 59) / 60
        let parts = [(minutes / 1440, "d"), (minutes / 60 % 24, "h"), (minutes % 60, "min")]
        let shown = parts.drop { $0.0 == 0 }.prefix(units).filter { $0.0 > 0 }
        return "in " + shown.map { "\($0.0) \($0.1)" }.joined(separator: " ")
    }

    /// `0:42`, `1:02:03`: the length of a memo, in whole seconds.
    static func length(_ memo: Memo) -> String {
        memo.sound.map { length(seconds: $0.seconds) } ?? "?"
    }

    /// `0:42`, `1:02:03`, in whole seconds.
    static func length(seconds exact: Double) -> String {
        let seconds = Int(exact.rounded())
        let end = padded(seconds % 60)
        return seconds < 3600
            ? "\(seconds / 60):\(end)" : "\(seconds / 3600):\(padded(seconds / 60 % 60)):\(end)"
    }

    /// `0:42`, `1:02:03`: the last whole second before a moment, as a clock shows it.
    static func position(seconds: Double) -> String {
        length(seconds: seconds.rounded(.down))
    }

    /// `824 bytes`, `1.2 MB`.
    static func size(_ bytes: Int64) -> String {
        var value = Double(bytes)
        if value < 1000 { return bytes == 1 ? "1 byte" : "\(bytes) bytes" }
        for unit in ["kB", "MB", "GB"] {
            value /= 1000
            if value < 999.95 { return "\((value * 10).rounded() / 10) \(unit)" }
        }
        return "\((value / 100).rounded() / 10) TB"
    }

    /// When a new memo can be heard, in a sentence.
    static func opening(of memo: Memo, at now: Timestamp) -> String {
        let (show, expire) = (memo.times.showAt, memo.times.expireAt)
        return switch memo.state(at: now) {
        case .waiting:
            "It opens \(time(show)), \(distance(from: now, to: show)), and leaves \(time(expire))."
        case .over: "Its time was over at \(time(expire))."
        default: "It can be heard now, and leaves \(time(expire))."
        }
    }

    /// `1 memo`, `2 memos`.
    static func count(_ count: Int, _ noun: String) -> String {
        count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
    }

    /// `1 memo is back from its file`, `2 memos are back from their files`.
    static func returned(_ count: Int) -> String {
        self.count(count, "memo") + (count == 1 ? " is back from its file" : " are back from their files")
    }

    /// `memo 3`, with its title where it has one.
    static func name(_ memo: Memo) -> String {
        "memo \(memo.id)"
            + (memo.title.map { " “\(VisibleText.cut(VisibleText.of($0), columns: mostTitleColumns))”" } ?? "")
    }

    /// A title that is longer is cut in a sentence.
    private static let mostTitleColumns = 60

    private static func date(_ date: CalendarDate) -> String {
        let parts = date.parts
        return padded(parts.year, to: 4) + "-" + padded(parts.month) + "-" + padded(parts.day)
    }

    private static func padded(_ number: Int) -> String { padded(number, to: 2) }

    private static func padded(_ number: Int, to width: Int) -> String {
        var text = String(number)
        while text.utf8.count < width { text = "0" + text }
        return text
    }
}
