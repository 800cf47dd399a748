import Desktop
import Glibc
import Linux
import Memos

/// What `expire` has to tell: memos that have arrived, and with `remind-before` those that are about to leave
/// unheard; each once, and again with the next run as long as nobody has taken it.
struct Announcements {
    private let context: Context
    private let store: Store

    init(of store: Store, _ context: Context) {
        self.store = store
        self.context = context
    }

    /// Tells what there is to tell.
    ///
    /// - Returns: of how many memos somebody has been told.
    /// - Throws: `Failure` when the user's own command fails, `StoreError`. A desktop that is not there, or does
    ///   not answer, is no error: it may be there the next time.
    func run(at now: Timestamp) throws -> Int {
        let configuration = context.configuration
        if let from = configuration.announceFrom, LocalTime(at: now).secondOfDay < from.seconds { return 0 }
        let arrivals = try store.arrivals(at: now)
        let reminder = configuration.remindBeforeSeconds.map { Int64($0 * 1_000) }
        // Of what has only just been announced nobody needs to be reminded in the same breath.
        let new = Set(arrivals.map(\.id))
        let leaving = try reminder.map { try store.leaving(at: now, within: $0) }?.filter {
            !new.contains($0.id)
        }
        guard !arrivals.isEmpty || leaving?.isEmpty == false else { return 0 }
        // Of several runs at once one tells; the lock is the folder's, and goes with this process.
        let folder = try? FileDescriptor(
            opening: try context.places.store(), flags: O_RDONLY | O_DIRECTORY)
        if let folder, (try? folder.lock()) == false { return 0 }
        defer { withExtendedLifetime(folder) {} }
        var count = 0
        // Another run may have told them before the lock was ours.
        if try tell(store.arrivals(at: now).filter { new.contains($0.id) }, .arrived, at: now, &count) {
            try store.markAnnounced(ids: arrivals.map(\.id), at: now)
        }
        if let reminder, let leaving, !leaving.isEmpty {
            let ids = Set(leaving.map(\.id))
            let still = try store.leaving(at: now, within: reminder).filter { ids.contains($0.id) }
            if try tell(still, .leaving, at: now, &count) {
                try store.markReminded(ids: leaving.map(\.id), at: now)
            }
        }
        return count
    }

    private func tell(
        _ memos: [Memo], _ occasion: Announcer.Occasion, at now: Timestamp, _ count: inout Int
    ) throws -> Bool {
        guard !memos.isEmpty else { return false }
        let announcer = Announcer(
            command: context.configuration.announceWith, busAddress: context.places.busAddress)
        do {
            guard try announcer.announce(memos, occasion, at: now) else { return false }
        } catch let error as DesktopError where context.configuration.announceWith == nil {
            if context.isVerbose { Failure(error).report(verbose: true) }
            return false
        }
        count += memos.count
        return true
    }
}
