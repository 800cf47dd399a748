import ALSA
import CommandTable
import Memos
import Terminal

/// `tomorrow devices`: the names that `--device` takes, and what is behind them.
struct DevicesCommand {
    private let context: Context

    init(_ context: Context) {
        self.context = context
    }

    func run() throws -> ExitStatus {
        context.noteConfigurationMistakes()
        guard let devices = try Bounded.run(milliseconds: 5_000, { DeviceList.all() }) else {
            throw Failure(.noDevice, "cannot list the devices: the sound server does not answer")
        }
        if context.wantsJSON {
            let json = try MemoJSON()
            json.print(["devices": .array(try devices.map { try object($0, json) })])
            return .done
        }
        if devices.isEmpty { Console.note("There is no sound device.") }
        Console.show(devices.map(text).joined())
        return .done
    }

    private func object(_ device: Device, _ json: MemoJSON) throws -> JSONText {
        func range(_ range: DeviceRange?) -> JSONText {
            guard let range else { return .null }
            return json.object([
                "rate_min": .integer(Int64(range.rates.lowerBound)),
                "rate_max": .integer(Int64(range.rates.upperBound)),
                "channels_min": .integer(Int64(range.channels.lowerBound)),
                "channels_max": .integer(Int64(range.channels.upperBound)),
            ])
        }
        let volume = device.captureVolume
        return json.object([
            "name": try json.text(device.name),
            "description": try json.text(device.description),
            "default_capture": .boolean(isDefault(device, capture: true)),
            "default_playback": .boolean(isDefault(device, capture: false)),
            "capture": range(device.capture),
            "playback": range(device.playback),
            "capture_volume_percent": .integer(volume?.percent.map { Int64($0) }),
            "capture_muted": volume?.isMuted.map { .boolean($0) } ?? .null,
        ])
    }

    private func isDefault(_ device: Device, capture: Bool) -> Bool {
        let configuration = context.configuration
        return capture
            ? device.capture != nil && device.name == configuration.captureDevice
            : device.playback != nil && device.name == configuration.playbackDevice
    }

    /// A device in a few lines, its name first.
    private func text(_ device: Device) -> String {
        var lines = [VisibleText.of(device.name)]
        if !device.description.isEmpty { lines.append(VisibleText.of(device.description)) }
        if let range = device.capture {
            let mark = isDefault(device, capture: true) ? " by default" : ""
            lines.append("records\(mark), \(text(range))")
        }
        if let range = device.playback {
            let mark = isDefault(device, capture: false) ? " by default" : ""
            lines.append("plays\(mark), \(text(range))")
        }
        if let volume = device.captureVolume { lines.append(volume.text) }
        let columns = Console.columns ?? .max
        return lines.enumerated().map { index, line in
            VisibleText.wrapped((index == 0 ? "" : "    ") + line, columns: columns) + "\n"
        }.joined()
    }

    private func text(_ range: DeviceRange) -> String {
        func text(_ range: ClosedRange<Int>, _ unit: String) -> String {
            range.lowerBound == range.upperBound
                ? "\(range.lowerBound) \(unit)" : "\(range.lowerBound) to \(range.upperBound) \(unit)"
        }
        return text(range.rates, "Hz") + ", "
            + text(range.channels, range.channels == 1...1 ? "channel" : "channels")
    }
}
