import AudioFile
import CommandTable
import Glibc
import Linux
import Memos

/// The settings of the configuration file, `key = value` a line. A line that is wrong is a mistake to be
/// told, and leaves the setting as it was.
struct Configuration {
    var dayStart = DayStart.midnight
    var format = AudioFileFormat.all[0]
    var rate = 48_000
    var bits = 16
    var channels = 1
    var captureDevice = "default"
    var playbackDevice = "default"
    var volumePercent = 100.0
    var speed = 1.0
    var isEven = false
    var categories = ["focus", "presence", "courage", "fun", "ambition", "imagination"]
    /// A line of shell that is run instead of showing a notification.
    var announceWith: String?
    /// Before this time of the day nothing is announced.
    var announceFrom: ClockTime?
    /// How long before a memo leaves it is announced again.
    var remindBeforeSeconds: Double?
    /// Where the file is, or would be; nil without a home.
    private let path: String?
    /// What is wrong in the file, a line each.
    private(set) var mistakes: [String] = []
    /// What is wrong with `day-start`, or nil. It makes the times of a memo, and these are for good.
    private(set) var mistakeInTimes: String?
    /// What was set already.
    private var keys: Set<String> = []

    /// A file with more of them, or with longer ones, is none of ours: nobody wants to read on.
    private static let mostMistakes = 20
    private static let mostCharacters = 200

    static let rates = 8_000...192_000
    static let channelCounts = 1...8

    /// Reads the file; none is no mistake.
    init(path: String?) {
        self.path = path
        guard let path else { return }
        do {
            guard let text = try Self.contents(path) else { return }
            for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
                .enumerated()
            {
                guard let mistake = take(line) else { continue }
                let told = "\(path):\(index + 1): \(mistake.prefix(Self.mostCharacters))"
                if mistakes.count < Self.mostMistakes { mistakes.append(told) }
                if mistakeInTimes == nil, Self.isAboutTimes(line) { mistakeInTimes = told }
            }
        } catch {
            mistakes.append("cannot read \(path): \(error.reason)")
        }
    }

    /// How there could be another category.
    var categoryHint: String? { path.map { "Others are named by 'categories' in \($0)." } }

    /// Takes one line in, and says what is wrong with it, or nil.
    private mutating func take(_ line: Substring) -> String? {
        let text = Self.trimmed(line)
        if text.isEmpty || text.hasPrefix("#") { return nil }
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return "'\(text)' is not 'key = value'" }
        let (key, value) = (String(Self.trimmed(parts[0])), String(Self.trimmed(parts[1])))
        if let mistake = set(key, to: value) {
            return mistake + (value.contains(" #") ? "; a comment is a line of its own" : "")
        }
        // Categories add up.
        let isNew = keys.insert(key).inserted || key == "categories"
        return isNew ? nil : "'\(key)' is there twice; this one counts"
    }

    /// Whether a line is meant to say when a day starts, by what stands before the `=`, or by its first word.
    private static func isAboutTimes(_ line: Substring) -> Bool {
        let text = trimmed(line)
        let keys = [trimmed(text.prefix { $0 != "=" }), text.prefix { !$0.isWhitespace }]
        return keys.contains {
            Spelling.nearest(to: String($0), among: CommandTable.settings.map(\.key)) == "day-start"
        }
    }

    /// Gives a setting its value, and says what is wrong with them, or nil.
    private mutating func set(_ key: String, to value: String) -> String? {
        switch key {
        case "day-start":
            guard let start = DayStart(value) else { return "'\(value)' is not a clock time such as 04:00" }
            dayStart = start
        case "format":
            guard let format = AudioFileFormat.named(value) else {
                return "'\(value)' is not a format" + Self.meant(value, AudioFileFormat.all.map(\.name))
            }
            self.format = format
        case "rate":
            guard let number = Int(value), Self.rates.contains(number) else {
                return Self.no(value, Self.rates)
            }
            rate = number
        case "bits":
            guard value == "16" || value == "24" else { return "'\(value)' is not 16 or 24" }
            bits = value == "16" ? 16 : 24
        case "channels":
            guard let number = Int(value), Self.channelCounts.contains(number) else {
                return Self.no(value, Self.channelCounts)
            }
            channels = number
        case "capture-device": captureDevice = value
        case "playback-device": playbackDevice = value
        case "volume":
            guard let number = PlayOptions.volumes.number(value) else {
                return "'\(value)' is not \(PlayOptions.volumes.text)"
            }
            volumePercent = number
        case "speed":
            guard let number = PlayOptions.speeds.number(value) else {
                return "'\(value)' is not \(PlayOptions.speeds.text)"
            }
            speed = number
        case "even":
            guard value == "yes" || value == "no" else { return "'\(value)' is not yes or no" }
            isEven = value == "yes"
        case "announce-with": announceWith = value.isEmpty ? nil : value
        case "announce-from":
            guard let time = ClockTime(value) else { return "'\(value)' is not a clock time such as 08:00" }
            announceFrom = time
        case "remind-before":
            guard let seconds = DurationText.seconds(value), seconds > 0, seconds < 86_400 else {
                return "'\(value)' is not a length of time below 24 hours, such as 2h"
            }
            remindBeforeSeconds = seconds
        case "categories":
            categories += value.split(separator: ",").map { String(Self.trimmed($0)) }.filter { !$0.isEmpty }
        default:
            return "there is no setting '\(key)'" + Self.meant(key, CommandTable.settings.map(\.key))
        }
        return nil
    }

    private static func meant(_ word: String, _ names: [String]) -> String {
        Spelling.nearest(to: word, among: names).map { "; did you mean '\($0)'?" } ?? ""
    }

    private static func no(_ value: String, _ range: ClosedRange<Int>) -> String {
        "'\(value)' is not a number from \(range.lowerBound) to \(range.upperBound)"
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let isSpace = { (character: Character) in character.isWhitespace }
        let start = text.drop(while: isSpace)
        guard let end = start.lastIndex(where: { !isSpace($0) }) else { return "" }
        return start[...end]
    }

    /// The text of a file, 64 KiB of it at most, or nil where there is none.
    private static func contents(_ path: String) throws(SystemError) -> String? {
        let file: FileDescriptor
        do {
            file = try FileDescriptor(opening: path, flags: O_RDONLY | O_NONBLOCK)
        } catch {
            if error.code == ENOENT || error.code == ENOTDIR { return nil }
            throw error
        }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = try retryingInterrupts { read(file.number, &bytes, bytes.count) }
        let text = String(decoding: bytes[..<count], as: UTF8.self)
        return text.hasPrefix("\u{feff}") ? String(text.unicodeScalars.dropFirst()) : text
    }
}
