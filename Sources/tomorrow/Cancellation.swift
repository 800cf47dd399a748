import Glibc
import Linux
import Terminal

/// The signals that break off what takes long: what there is of it is tidied up, and then the program dies of the
/// signal, so that a shell loop ends too.
final class Cancellation {
    /// Readable once a signal has come.
    var descriptor: FileDescriptor { signals.descriptor }
    private let signals: SignalDescriptor
    private var signal: Int32?

    /// From now on a signal waits until it is looked at. To be made before there is any thread.
    init() throws {
        signals = try SignalDescriptor([SIGINT, SIGTERM, SIGHUP, SIGQUIT])
    }

    /// Whether a signal has come.
    var isRequested: Bool {
        signal = signal ?? signals.next()
        return signal != nil
    }

    /// Dies of a signal that came too late to break anything off.
    func dieIfRequested() {
        if isRequested, let signal { signals.die(of: signal) }
    }

    /// Runs what takes long; where a signal has come by its end, it fails, has tidied up, and the program dies.
    ///
    /// - Parameter body: gives up where ``isRequested``.
    /// - Throws: what the body throws, where no signal has come.
    func run<Result>(_ body: () throws -> Result) throws -> Result {
        defer { Console.erase() }
        do {
            return try body()
        } catch {
            Console.erase()
            dieIfRequested()
            throw error
        }
    }
}
