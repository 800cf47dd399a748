import AudioFile
import CommandTable
import Memos

/// The values of the options that were typed, understood.
struct OptionValues {
    private let invocation: Invocation

    init(_ invocation: Invocation) {
        self.invocation = invocation
    }

    /// An option's value, or nil where it was not given.
    ///
    /// - Parameters:
    ///   - allowed: what it may be, as an error says it.
    ///   - read: gives nil for what it may not be.
    /// - Throws: `UsageError` with the option as typed, the value in quotes, and what is allowed.
    func value<Value>(_ name: String, _ allowed: String, _ read: (String) -> Value?) throws -> Value? {
        guard let option = invocation.option(name), let text = option.value else { return nil }
        guard let value = read(text) else {
            throw UsageError(
                "'\(option.typed)' takes \(allowed), not '\(text)'", command: invocation.command)
        }
        return value
    }

    /// One of some names.
    ///
    /// - Parameter hint: how there could be others.
    func choice(_ name: String, among names: [String], hint: String? = nil) throws -> String? {
        guard let option = invocation.option(name), let text = option.value else { return nil }
        guard names.contains(text) else {
            throw UsageError.noValue(
                text, of: option.typed, among: names, command: invocation.command, hint: hint)
        }
        return text
    }

    /// A whole number.
    func number(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
        try value(name, "a number from \(range.lowerBound) to \(range.upperBound)") {
            Int($0).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// A number with a fraction, perhaps.
    func decimal(_ name: String, in range: DecimalRange) throws -> Double? {
        try value(name, range.text, range.number)
    }

    /// A length of time above 0, in seconds.
    func length(_ name: String) throws -> Double? {
        try value(name, "a length such as 90, 90s, 1m30s or 1:30") {
            DurationText.seconds($0).flatMap { $0 > 0 ? $0 : nil }
        }
    }

    /// A place in a memo, in seconds after its start.
    func position(_ name: String) throws -> Double? {
        try value(name, "a position such as 90, 90s, 1m30s or 1:30", DurationText.seconds)
    }

    /// What a memo is to be called; what is blank is no title.
    var title: String? {
        invocation.option("title")?.value.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
    }

    /// The category of a memo.
    func category(of configuration: Configuration) throws -> String? {
        try choice("category", among: configuration.categories, hint: configuration.categoryHint)
    }

    /// The format that a memo is to be kept in.
    func format() throws -> AudioFileFormat? {
        try choice("format", among: AudioFileFormat.all.map(\.name)).flatMap(AudioFileFormat.named)
    }

    /// The day on which a memo is to show.
    ///
    /// - Parameters:
    ///   - today: from which the day is counted.
    ///   - first: the local day on which the memo begins; the day must be a later one.
    func deliveryDay(from today: CalendarDate, laterThan first: CalendarDate) throws -> CalendarDate? {
        let delivery = try value(
            "deliver", "a day such as 2026-12-24, fri, +3d or tomorrow", DeliveryDay.init)
        guard let delivery, let option = invocation.option("deliver") else { return nil }
        guard let day = delivery.resolved(from: today), day > first else {
            throw UsageError(
                "'\(option.typed)' takes a day after the one on which it is recorded, within a century, "
                    + "not '\(option.value ?? "")'",
                command: invocation.command)
        }
        return day
    }

    /// The name of a device.
    func device() throws -> String? {
        try value("device", "the name of a device") { $0.isEmpty ? nil : $0 }
    }
}

/// The numbers that an option or a setting takes, as a person types them: `1.25`.
struct DecimalRange {
    let least: Double
    let most: Double

    /// What is allowed, in words.
    var text: String { "a number from \(Self.text(least)) to \(Self.text(most))" }

    /// The number of a text; nil where it is none of these.
    func number(_ text: String) -> Double? {
        guard text.utf8.allSatisfy({ "+-.0123456789".utf8.contains($0) }), let number = Double(text),
            number >= least, number <= most
        else { return nil }
        return number
    }

    private static func text(_ number: Double) -> String {
        number == number.rounded() ? String(Int(number)) : String(number)
    }
}
