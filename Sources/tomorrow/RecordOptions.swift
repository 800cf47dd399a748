import AudioFile
import CommandTable
import Memos
import Sound

/// What `tomorrow record` was asked for: the command line, and the configuration where it is silent.
struct RecordOptions {
    var title: String?
    var category: String?
    let deliveryDay: CalendarDate?
    let format: AudioFileFormat
    let wanted: StreamFormat
    let seconds: Double?
    let silenceSeconds: Double?
    let startClock: ClockTime?
    let device: String

    /// - Throws: `UsageError` with the option as typed, the value in quotes, and what is allowed.
    init(_ context: Context) throws {
        let invocation = context.invocation
        let configuration = context.configuration

        func value<Value>(_ name: String, _ allowed: String, _ read: (String) -> Value?) throws -> Value? {
            guard let option = invocation.option(name), let text = option.value else { return nil }
            guard let value = read(text) else {
                throw UsageError("'\(option.typed)' takes \(allowed), not '\(text)'", command: "record")
            }
            return value
        }
        func number(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
            try value(name, "a number from \(range.lowerBound) to \(range.upperBound)") {
                Int($0).flatMap { range.contains($0) ? $0 : nil }
            }
        }

        title = invocation.option("title")?.value.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
        let categories = configuration.categories
        category = try value("category", "one of \(categories.joined(separator: ", "))") {
            categories.contains($0) ? $0 : nil
        }
        startClock = try value("at", "a clock time such as 07:30", ClockTime.init)
        let delivery = try value(
            "deliver", "a day such as 2026-12-24, fri, +3d or tomorrow", DeliveryDay.init)
        let (now, dayStart) = (context.now, configuration.dayStart)
        deliveryDay = delivery?.resolved(from: dayStart.localDay(at: now))
        // It must be later than the day on which the take begins, which may be the next one.
        let startDay = dayStart.localDay(at: startClock?.next(after: now) ?? now)
        if delivery != nil, deliveryDay.map({ $0 <= startDay }) ?? true {
            let option = invocation.option("deliver")!
            throw UsageError(
                "'\(option.typed)' takes a day after the one on which it is recorded, within a century, not '\(option.value!)'",
                command: "record")
        }
        let names = AudioFileFormat.all.map(\.name)
        format =
            try value("format", "one of \(names.joined(separator: ", "))", AudioFileFormat.named)
            ?? configuration.format
        wanted = StreamFormat(
            rate: try number("rate", in: Configuration.rates) ?? configuration.rate,
            channels: try number("channels", in: Configuration.channelCounts) ?? configuration.channels,
            bits: try value("bits", "16 or 24") { $0 == "16" ? 16 : $0 == "24" ? 24 : nil }
                ?? configuration.bits)
        func length(_ name: String) throws -> Double? {
            try value(name, "a length such as 90, 90s, 1m30s or 1:30") {
                DurationText.seconds($0).flatMap { $0 > 0 ? $0 : nil }
            }
        }
        seconds = try length("for")
        silenceSeconds = try length("stop-on-silence")
        if let option = invocation.option("device"), option.value?.isEmpty == true {
            throw UsageError("'\(option.typed)' takes the name of a device, not ''", command: "record")
        }
        device = invocation.option("device")?.value ?? configuration.captureDevice
    }
}
