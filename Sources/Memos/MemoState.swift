/// Where a memo stands, by the clock alone.
public enum MemoState: String, Sendable {
    /// The take is still running, or was interrupted and not yet salvaged.
    case recording
    /// Sealed until its day comes.
    case waiting
    /// To be heard.
    case available
    /// Past its time: for every command it does not exist, whether or not its file is still there.
    case over
}
