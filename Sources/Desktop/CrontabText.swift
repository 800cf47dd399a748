/// A crontab as text: one marked line of ours among whatever else its owner keeps there, byte for byte.
public struct CrontabText: Equatable, Sendable {
    /// The whole text, in no particular encoding.
    public let bytes: [UInt8]

    /// What ends a line of ours: a comment to the shell that cron runs it with.
    static let marker = "# by tomorrow schedule"

    /// A crontab's contents; empty is the same as none.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Our line without its end, or nil; of several the first.
    public var line: String? {
        lines.first(where: Self.isOurs).map { String(decoding: Self.trimmed($0), as: UTF8.self) }
    }

    /// How often our line runs; nil without one, or when somebody has given it times of their own.
    public var interval: JobInterval? {
        guard let line else { return nil }
        return JobInterval(cronFields: line.split(separator: " ").prefix(5).joined(separator: " "))
    }

    /// The text with one line of ours: in the place of the one that was there, else before everything else. There
    /// its variables (`SHELL`, `HOME`, `CRON_TZ`) do not reach us, as a variable counts for the lines behind it,
    /// and taking the line away again gives back the same bytes, whether or not the last line has an end.
    ///
    /// - Throws: ``DesktopError`` for a job that no crontab line can hold.
    public func installing(_ job: Job, every interval: JobInterval) throws(DesktopError) -> CrontabText {
        let line = "\(interval.cronFields) \(try job.cronCommand(comment: Self.marker))\n"
        var isWritten = false
        var text: [UInt8] = []
        for old in lines {
            guard Self.isOurs(old) else {
                text += old
                continue
            }
            if !isWritten { text += line.utf8 }
            isWritten = true
        }
        return CrontabText(isWritten ? text : Array(line.utf8) + text)
    }

    /// The text without any line of ours.
    public func removing() -> CrontabText {
        CrontabText(lines.filter { !Self.isOurs($0) }.flatMap { $0 })
    }

    /// The lines with their ends.
    private var lines: [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var rest = bytes[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            lines.append(rest[...end])
            rest = rest[(end + 1)...]
        }
        return rest.isEmpty ? lines : lines + [rest]
    }

    /// Whether a line is ours. One that somebody has made a comment is theirs.
    private static func isOurs(_ line: ArraySlice<UInt8>) -> Bool {
        let text = trimmed(line)
        return text.first != UInt8(ascii: "#") && text.suffix(marker.utf8.count).elementsEqual(marker.utf8)
    }

    /// A line without the white space around it: an editor may have added some, and a carriage return.
    private static func trimmed(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isSpace = { (byte: UInt8) in byte == UInt8(ascii: " ") || (9...13).contains(byte) }
        let start = line.drop(while: isSpace)
        return start.lastIndex { !isSpace($0) }.map { start[...$0] } ?? []
    }
}
