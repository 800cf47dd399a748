import CommandTable
import Engine
import Memos

/// What `tomorrow play` was asked for: the command line, and the configuration where it is silent.
struct PlayOptions {
    let settings: PlayerSettings
    /// Whether every memo is brought to one loudness.
    let isEven: Bool
    /// How often each memo is played; nil is for ever.
    let passes: Int?
    /// The part of each memo, in seconds after its start.
    let from: Double?
    let to: Double?
    /// Whether a memo that was broken off begins at its start again.
    let restarts: Bool
    let startClock: ClockTime?
    let device: String

    static let speeds = DecimalRange(least: 0.5, most: 3)
    static let volumes = DecimalRange(least: 0, most: 200)
    private static let pans = DecimalRange(least: -1, most: 1)
    private static let loops = 0...1_000_000

    /// - Throws: `UsageError` with the option as typed, the value in quotes, and what is allowed.
    init(_ context: Context) throws {
        let values = OptionValues(context.invocation)
        let configuration = context.configuration
        var settings = PlayerSettings()
        settings.speed = try values.decimal("speed", in: Self.speeds) ?? configuration.speed
        settings.volumePercent = try values.decimal("volume", in: Self.volumes) ?? configuration.volumePercent
        settings.pan = try values.decimal("pan", in: Self.pans) ?? 0
        self.settings = settings
        isEven = context.invocation.has("even") || configuration.isEven
        let loop = try values.number("loop", in: Self.loops) ?? 1
        passes = loop == 0 ? nil : loop
        from = try values.position("from")
        to = try values.position("to")
        if let to, to <= from ?? 0 {
            let option = context.invocation.option("to")!
            throw UsageError(
                "'\(option.typed)' takes a position behind where it begins, not '\(option.value!)'",
                command: "play")
        }
        restarts = context.invocation.has("restart")
        startClock = try values.value("at", "a clock time such as 07:30", ClockTime.init)
        device = try values.device() ?? configuration.playbackDevice
    }

    /// The frames of a memo that are played, and where among them it begins.
    ///
    /// - Parameter goesOn: whether one that was broken off goes on where it was.
    /// - Throws: `Failure` when the memo is too short for what is wanted of it.
    func part(of memo: Memo, _ sound: MemoSound, goesOn: Bool) throws -> (range: Range<Int64>, start: Int64) {
        let heard = sound.heard
        func frame(_ seconds: Double) -> Int64 {
            heard.lowerBound + Int64((seconds * Double(sound.rate)).rounded())
        }
        let first = from.map(frame) ?? heard.lowerBound
        guard first < heard.upperBound || from == nil else {
            throw Failure(
                .wrongUsage,
                "cannot play memo \(memo.id) from \(HumanText.position(seconds: from ?? 0)): it is "
                    + "\(HumanText.length(memo)) long")
        }
        let range = first..<max(first, min(heard.upperBound, to.map(frame) ?? heard.upperBound))
        guard goesOn, !restarts, from == nil, let position = memo.position, range.contains(position) else {
            return (range, range.lowerBound)
        }
        return (range, position)
    }
}
