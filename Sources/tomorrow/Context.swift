import AudioFile
import CommandTable
import Desktop
import Engine
import Glibc
import Memos

/// What every command works with: what was typed, the settings, the store's place, the clock.
struct Context {
    let invocation: Invocation
    let configuration: Configuration
    let places: Places

    init(_ invocation: Invocation) {
        self.invocation = invocation
        places = Places()
        configuration = Configuration(path: places.configuration)
    }

    var isVerbose: Bool { invocation.has("verbose") }
    var wantsJSON: Bool { invocation.has("json") }
    var now: Timestamp { .now() }

    /// What keeps the machine awake, once it is asked to.
    func sleepInhibitor(_ reason: String) -> SleepInhibitor {
        SleepInhibitor(reason: reason, busAddress: places.systemBusAddress)
    }

    /// Opens the store and makes it where it is missing. Says so where its database was lost.
    func makeStore() throws -> Store {
        let store = try Store(path: try places.store(), formats: Self.formats)
        if store.returnedCount > 0 {
            Console.note(
                "The database was lost; \(HumanText.returned(store.returnedCount)), "
                    + "without titles and categories.")
        }
        return store
    }

    /// The endings of the memos' files, and the names of their formats.
    static var formats: [String: String] {
        Dictionary(uniqueKeysWithValues: AudioFileFormat.all.map { ($0.fileExtension, $0.name) })
    }

    /// Opens the store and salvages what was interrupted, or gives nil where there is no store yet.
    func openStore() throws -> Store? {
        guard Store.exists(path: try places.store()) else { return nil }
        let store = try makeStore()
        salvage(store)
        return store
    }

    /// Makes memos of interrupted takes and says so. What cannot be salvaged now, on a full or a read-only
    /// disk perhaps, is no reason not to go on.
    func salvage(_ store: Store) {
        do {
            let report = try Salvager.salvage(store)
            for memo in report.saved
            where memo.sound?.wasInterrupted == true && memo.state(at: now) != .over {
                Console.note("Memo \(memo.id) was interrupted; \(HumanText.length(memo)) of it was kept.")
            }
            for id in report.empty { Console.note("Take \(id) was interrupted before its first sound.") }
            // What cannot be mended is told where somebody asks how things stand, not with every command.
            for error in report.failures where isVerbose || invocation.command == "status" {
                Failure(error).report(verbose: isVerbose)
            }
        } catch {
            if isVerbose { Failure(error).report(verbose: true) }
        }
    }

    /// Says what is wrong in the configuration, a line each.
    func noteConfigurationMistakes() {
        for mistake in configuration.mistakes { Console.note("tomorrow: \(mistake)") }
    }

    /// Refuses to make a memo when it is not understood what its times are to be. What else is wrong is told: a
    /// thought is not lost to a slip of the finger.
    func requireTimes() throws {
        if let mistake = configuration.mistakeInTimes {
            throw Failure(
                .wrongUsage, mistake,
                advice: "Mend it first: the times of a memo cannot be changed afterwards.")
        }
        noteConfigurationMistakes()
    }

    /// Has libsndfile keep its temporary file in the store.
    ///
    /// Not before a take: libpulse, too, would put things there. The one `setenv` of a process leaves the old
    /// environment where it is (glibc), so a thread that is still letting go of the device may read it.
    func keepScratchInStore() throws {
        setenv("TMPDIR", Store.scratchPath(ofStoreAt: try places.store()), 1)
    }

    /// The memo that an operand means.
    ///
    /// - Parameters:
    ///   - attempt: what is tried, such as “play”.
    ///   - candidates: among which `latest` is the newest.
    func memo(
        _ operand: String, to attempt: String, in store: Store?, latestOf candidates: (Store) throws -> [Memo]
    ) throws -> Memo {
        if operand == "latest" {
            guard let store, let memo = try candidates(store).last else {
                throw Failure(.noSuchMemo, "cannot \(attempt) latest: there is none")
            }
            return memo
        }
        guard let id = Int64(operand), id > 0 else {
            throw UsageError(
                "'\(operand)' is not the number of a memo, nor 'latest'", command: invocation.command)
        }
        guard let memo = try store?.memo(id: id, at: now) else {
            throw Failure(.noSuchMemo, "cannot \(attempt) memo \(id): there is no such memo")
        }
        return memo
    }

    /// Refuses a memo that cannot be heard now.
    func requireAvailable(_ memo: Memo, to attempt: String, in store: Store?) throws {
        switch memo.state(at: now) {
        case .available: return
        case .over: throw Failure(.noSuchMemo, "cannot \(attempt) memo \(memo.id): there is no such memo")
        case .recording:
            guard try store?.running().contains(where: { $0.id == memo.id }) ?? false else {
                throw Failure(
                    .storage, "cannot \(attempt) memo \(memo.id): nothing can be heard in its file",
                    advice: "'tomorrow delete \(memo.id)' removes it; else it goes when its time is over.")
            }
            throw Failure(
                .sealed, "cannot \(attempt) memo \(memo.id): it is being recorded",
                advice: "'tomorrow stop' ends it.")
        case .waiting:
            throw Failure(
                .sealed,
                "cannot \(attempt) memo \(memo.id): it is sealed until \(HumanText.time(memo.times.showAt))",
                advice: "It opens \(HumanText.distance(from: now, to: memo.times.showAt)).")
        }
    }
}
