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
        let values = OptionValues(invocation)

        title = invocation.option("title")?.value.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
        let categories = configuration.categories
        category = try values.value("category", "one of \(categories.joined(separator: ", "))") {
            categories.contains($0) ? $0 : nil
        }
        startClock = try values.value("at", "a clock time such as 07:30", ClockTime.init)
        let delivery = try values.value(
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
            try values.value("format", "one of \(names.joined(separator: ", "))", AudioFileFormat.named)
            ?? configuration.format
        wanted = StreamFormat(
            rate: try values.number("rate", in: Configuration.rates) ?? configuration.rate,
            channels: try values.number("channels", in: Configuration.channelCounts)
                ?? configuration.channels,
            bits: try values.value("bits", "16 or 24") { $0 == "16" ? 16 : $0 == "24" ? 24 : nil }
                ?? configuration.bits)
        seconds = try values.length("for")
        silenceSeconds = try values.length("stop-on-silence")
        device = try values.device() ?? configuration.captureDevice
    }
}
