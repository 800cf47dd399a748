/// A place in a memo that somebody, or a long gap, has marked.
public struct Marker: Equatable, Sendable {
    /// The place, in frames from the file's first.
    public var frame: Int64
    /// What it says, or nil.
    public var text: String?

    /// A marker.
    public init(frame: Int64, text: String?) {
        self.frame = frame
        self.text = text
    }
}
