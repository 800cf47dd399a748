/// How sound is played.
public struct PlayerSettings: Equatable, Sendable {
    /// How fast, from 0.5 to 3; the pitch stays.
    public var speed = 1.0
    /// How loud, from 0 to 200, where 100 is as recorded.
    public var volumePercent = 100.0
    /// Where between the left, −1, and the right, 1.
    public var pan = 0.0

    /// As recorded: bit for bit, where the device takes the file's layout.
    public init() {}
}
