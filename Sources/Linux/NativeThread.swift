import CLinux
import Glibc

/// A POSIX thread that runs one closure.
///
/// Threads of our own, because the device's thread must be able to hang in a library without taking
/// anything along: it is then left behind when the process exits.
public struct NativeThread: ~Copyable {
    private let handle: pthread_t

    /// Starts the thread (`pthread_create`).
    ///
    /// - Parameter name: shown by `ps` and debuggers; 15 bytes at most.
    /// - Throws: ``SystemError`` when the system has no thread left.
    public init(name: String, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
        let start = Unmanaged.passRetained(ThreadStart(name: name, body: body))
        var handle = pthread_t()
        let code = pthread_create(&handle, nil, runThread, start.toOpaque())
        guard code == 0 else {
            start.release()
            throw SystemError(code: code)
        }
        self.handle = handle
    }

    /// Waits until the closure has returned (`pthread_join`).
    public consuming func join() {
        pthread_join(handle, nil)
    }

    /// Lets the thread go on by itself (`pthread_detach`).
    public consuming func detach() {
        pthread_detach(handle)
    }
}

private final class ThreadStart: Sendable {
    let name: String
    let body: @Sendable () -> Void

    init(name: String, body: @escaping @Sendable () -> Void) {
        self.name = name
        self.body = body
    }
}

private func runThread(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    let start = Unmanaged<ThreadStart>.fromOpaque(argument!).takeRetainedValue()
    tomorrow_name_thread(start.name)
    let signalStack = UnsafeMutableRawPointer.allocate(byteCount: signalStackBytes, alignment: 16)
    tomorrow_use_signal_stack(signalStack, signalStackBytes)
    start.body()
    tomorrow_use_signal_stack(nil, 0)
    signalStack.deallocate()
    return nil
}

/// Enough for a handler that calls next to nothing, with the registers of the widest processors.
private let signalStackBytes = 64 << 10
