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

        title = values.title
        category = try values.category(of: configuration)
        startClock = try values.value("at", "a clock time such as 07:30", ClockTime.init)
        // The take may begin on another day than this one.
        let (now, dayStart) = (context.now, configuration.dayStart)
        deliveryDay = try values.deliveryDay(
            from: dayStart.localDay(at: now),
            laterThan: dayStart.localDay(at: startClock?.next(after: now) ?? now))
        format = try values.format() ?? configuration.format
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
