import AudioFile
import CommandTable
import Engine
import Glibc
import Linux
import Memos
import Sound

/// `tomorrow import FILE`: a memo of somebody else's sound, as if it were recorded now.
struct ImportCommand {
    private let context: Context

    init(_ context: Context) {
        self.context = context
    }

    func run() throws -> ExitStatus {
        try context.requireTimes()
        let request = try request()
        // Blocked before there is a thread, so that only the descriptor sees them.
        let cancellation = try Cancellation()
        let memo: Memo
        do {
            let store = try context.makeStore()
            context.salvage(store)
            memo = try cancellation.run { try makeMemo(request, in: store, cancellation) }
        } catch {
            try printJSON(nil)
            throw error
        }
        try printJSON(memo)
        cancellation.dieIfRequested()
        return .done
    }

    private func printJSON(_ memo: Memo?) throws {
        guard context.wantsJSON else { return }
        let json = try MemoJSON()
        json.print(["memo": try memo.map { try json.memo($0, at: context.now) } ?? .null])
    }

    private func request() throws -> Importer.Request {
        let values = OptionValues(context.invocation)
        let (now, dayStart) = (context.now, context.configuration.dayStart)
        let today = dayStart.localDay(at: now)
        let times = MemoTimes(
            start: now, dayStart: dayStart,
            deliver: try values.deliveryDay(from: today, laterThan: today))
        return Importer.Request(
            name: context.invocation.operands[0],
            title: context.invocation.has("title") ? .given(values.title) : .own(else: nil),
            category: try values.category(of: context.configuration), times: times,
            format: try values.format())
    }

    private func makeMemo(
        _ request: Importer.Request, in store: Store, _ cancellation: Cancellation
    ) throws -> Memo {
        var request = request
        let source = try ImportSource(context.invocation)
        request.name = source.name
        if case .own = request.title { request.title = .own(else: source.title) }
        if request.format?.needsScratch == true { try context.keepScratchInStore() }
        do {
            let outcome = try makeMemo(request, of: source, in: store, cancellation)
            note(outcome, source.name)
            return outcome.memo
        } catch let error as AudioFileError {
            // What is wrong with the file is not the store's fault.
            let foreign = error.code == nil ? source.foreignFormat : nil
            throw Failure(
                error.code == nil ? .failed : .storage,
                "cannot import \(source.name): "
                    + (foreign.map { "it is \($0), which cannot be read" } ?? error.reason),
                advice: foreign.flatMap { _ in source.conversion })
        } catch let error as SystemError {
            throw Failure(.storage, "cannot import \(source.name): \(error.reason)")
        }
    }

    private func makeMemo(
        _ request: Importer.Request, of source: ImportSource, in store: Store, _ cancellation: Cancellation
    ) throws -> Importer.Outcome {
        var progress = ProgressLine("Importing \(source.name)")
        let file = try source.regularFile(in: store, cancellation) { progress.show(bytes: $0) }
        if let path = file.path, try store.keeps(file, at: path) {
            throw Failure(
                .failed, "cannot import \(source.name): it is the file of a memo that is kept already")
        }
        return try Importer.run(
            request, from: file, into: store, progress: { progress.show($0) },
            isCancelled: { cancellation.isRequested })
    }

    private func note(_ outcome: Importer.Outcome, _ name: String) {
        let memo = outcome.memo
        Console.note("Imported \(HumanText.name(memo)), \(HumanText.length(memo)).")
        Console.note(HumanText.opening(of: memo, at: context.now))
        if outcome.isDamaged {
            Console.note("\(name) is cut or damaged: this is what can be heard of it.")
        }
        if let objection = outcome.objection {
            Console.note("The memo is kept as \(memo.format): \(objection).")
        }
        if let peak = memo.sound?.peakDecibels, peak < Decibels.silence {
            Console.note("It is silent: there is no sound above −60 dBFS in it.")
        }
    }
}
