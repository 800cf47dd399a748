import Engine
import Linux

/// Calls that a hung sound server would never return from.
enum Bounded {
    /// Makes a call on a thread of its own, which is left behind when it takes too long.
    ///
    /// - Returns: what it gave, or nil when that did not come in time.
    static func run<Value: Sendable>(
        milliseconds: Int32, _ call: @escaping @Sendable () -> Value
    ) throws -> Value? {
        let answer = try EventQueue<Value>()
        try NativeThread(name: "bounded") { answer.post(call()) }.detach()
        answer.wakeUp.wait(milliseconds: milliseconds)
        return answer.take().first
    }
}
