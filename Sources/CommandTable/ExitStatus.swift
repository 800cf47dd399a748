/// How the program ends, for scripts.
public enum ExitStatus: Int32, CaseIterable, Sendable {
    case done = 0
    case failed = 1
    case wrongUsage = 2
    case noSuchMemo = 3
    case sealed = 4
    case noDevice = 5
    case storage = 6

    /// What it means, in a line of help.
    public var meaning: String {
        switch self {
        case .done: "done"
        case .failed: "failed, or a take thrown away"
        case .wrongUsage: "wrong usage"
        case .noSuchMemo: "no such memo, or nothing to play"
        case .sealed: "the memo is sealed: its day has not come"
        case .noDevice: "no usable sound device, or it went away; what was recorded is kept"
        case .storage: "disk full, or the store is damaged or newer; what was recorded is kept"
        }
    }
}
