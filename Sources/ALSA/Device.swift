/// A device that sound can be recorded from or played to, as libasound lists it.
public struct Device: Equatable, Sendable {
    /// What `--device` takes.
    public let name: String
    /// What its driver or configuration says of it, in a line.
    public let description: String
    /// What it can be recorded with; nil when it cannot.
    public let capture: DeviceRange?
    /// What can be played to it; nil when nothing can.
    public let playback: DeviceRange?
    /// The capture volume of its mixer; nil when it has none.
    public let captureVolume: CaptureVolume?
}

/// The layouts that a device takes.
public struct DeviceRange: Equatable, Sendable {
    /// From the lowest to the highest rate, in hertz.
    public let rates: ClosedRange<Int>
    /// From the fewest to the most channels.
    public let channels: ClosedRange<Int>
}

/// How loud a device hears.
public struct CaptureVolume: Equatable, Sendable {
    /// Per cent of its range, or nil when it has a switch alone.
    public let percent: Int?
    /// Whether it is switched off, or nil when it has no switch.
    public let isMuted: Bool?

    /// Both as a person reads them: `capture volume 42 %, muted`.
    public var text: String {
        let percent = percent.map { "capture volume \($0) %" }
        let mute = isMuted.map { $0 ? "muted" : "not muted" }
        return [percent, mute].compactMap { $0 }.joined(separator: ", ")
    }
}
