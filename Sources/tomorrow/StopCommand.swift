import CommandTable
import Glibc
import Linux
import Memos

/// `tomorrow stop`: ends the takes that are running, and waits until they are saved.
struct StopCommand {
    private let context: Context
    private static let waitMilliseconds: Int64 = 15_000
    private static let lookMilliseconds: Int32 = 50

    init(_ context: Context) {
        self.context = context
    }

    func run() throws -> ExitStatus {
        guard let store = try context.openStore() else { throw nothingRuns }
        let takes = try store.running()
        guard !takes.isEmpty else { throw nothingRuns }
        for take in takes { try stop(take, in: store) }
        return .done
    }

    private var nothingRuns: Failure {
        Failure(.noSuchMemo, "cannot stop: no take is running")
    }

    private func stop(_ take: Memo, in store: Store) throws {
        guard let recorder = take.recorder else {
            throw Failure(.failed, "cannot stop memo \(take.id): its recorder is not known")
        }
        do {
            let process = try ProcessHandle(identifier: recorder)
            // The number may long be another's. The recorder is who has the take's file open, and from here
            // on the handle keeps the number from being given away.
            guard store.isOpen(take, in: recorder) else {
                throw Failure(.failed, "cannot stop memo \(take.id): its recorder is not known")
            }
            try process.send(signal: SIGTERM)
            // One that was suspended ends only when it goes on.
            try process.send(signal: SIGCONT)
            guard try waitUntilSaved(take, by: process, in: store) else {
                throw Failure(.failed, "cannot stop memo \(take.id): its recorder does not end")
            }
        } catch let error as SystemError {
            if error.code == ESRCH { return }
            throw Failure(.failed, "cannot stop memo \(take.id): \(error.reason)")
        }
        Console.note("Stopped memo \(take.id).")
    }

    /// Waits until the recorder has ended, or has saved the take: it may then have it to encode, which takes time.
    private func waitUntilSaved(_ take: Memo, by process: ProcessHandle, in store: Store) throws -> Bool {
        let deadline = MonotonicClock.milliseconds + Self.waitMilliseconds
        while !process.waitForEnd(milliseconds: Self.lookMilliseconds) {
            if try !store.running().contains(where: { $0.id == take.id }) { return true }
            if MonotonicClock.milliseconds >= deadline { return false }
        }
        return true
    }
}
