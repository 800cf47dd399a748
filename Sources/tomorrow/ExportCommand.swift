import AudioFile
import CommandTable
import Glibc
import Linux
import Memos
import Sound

/// `tomorrow export ID FILE`: the sound of a memo that can be heard, for whoever wants to keep it.
struct ExportCommand {
    private let context: Context

    init(_ context: Context) {
        self.context = context
    }

    func run() throws -> ExitStatus {
        context.noteConfigurationMistakes()
        let path = FilePath(argument: context.invocation.operandPlaces[1])
        let format = try format(of: path)
        // Blocked before there is a thread, so that only the descriptor sees them.
        let cancellation = try Cancellation()
        let store = try context.openStore()
        let memo = try context.memo(context.invocation.operands[0], to: "export", in: store) {
            try $0.available(at: context.now)
        }
        try context.requireAvailable(memo, to: "export", in: store)
        guard let store, let source = try store.openFile(of: memo) else {
            throw Failure(.storage, "cannot export memo \(memo.id): its file is missing")
        }
        if format.needsScratch {
            try store.makeScratch()
            try context.keepScratchInStore()
        }
        try cancellation.run { try export(memo, source, to: path, as: format, cancellation) }
        Console.note("Exported \(HumanText.name(memo)), \(HumanText.length(memo)), to \(path.text).")
        cancellation.dieIfRequested()
        return .done
    }

    /// The format of a file's ending.
    private func format(of path: FilePath) throws -> AudioFileFormat {
        let name = path.name.text.lowercased()
        guard let format = AudioFileFormat.all.first(where: { name.hasSuffix("." + $0.fileExtension) }) else {
            let endings = AudioFileFormat.all.map { "." + $0.fileExtension }.joined(separator: ", ")
            throw UsageError("'\(path.text)' does not end in one of \(endings)", command: "export")
        }
        return format
    }

    private func export(
        _ memo: Memo, _ source: FileDescriptor, to path: FilePath, as format: AudioFileFormat,
        _ cancellation: Cancellation
    ) throws {
        let attempt = "cannot export memo \(memo.id) to \(path.text)"
        do {
            let target = try NewFile(at: path, replacing: context.invocation.has("force"))
            do {
                try write(memo, source, to: target.file, path.text, as: format, cancellation)
            } catch {
                target.cancel()
                throw error
            }
            try target.finish()
        } catch let error as AudioFileError {
            throw Failure(error.code == nil ? .failed : .storage, "\(attempt): \(error.reason)")
        } catch let error as SystemError {
            switch error.code {
            case EEXIST:
                throw Failure(.failed, "\(attempt): it is there already", advice: "--force replaces it.")
            case EINVAL: throw Failure(.failed, "\(attempt): what is there is no regular file")
            case ENOSPC, EDQUOT, EFBIG: throw Failure(.storage, "\(attempt): \(error.reason)")
            default: throw Failure(.failed, "\(attempt): \(error.reason)")
            }
        }
    }

    private func write(
        _ memo: Memo, _ source: FileDescriptor, to target: FileDescriptor, _ name: String,
        as format: AudioFileFormat, _ cancellation: Cancellation
    ) throws {
        var progress = ProgressLine("Exporting \(HumanText.name(memo))")
        if memo.format == format.name, memo.sound?.trim == nil {
            let bytes = Double(max(1, try source.status().bytes))
            return try source.copy(to: target) { done in
                progress.show(min(1, Double(done) / bytes))
                return !cancellation.isRequested
            }
        }
        var request = Transcoder.Request(format)
        request.range = memo.sound?.trim
        request.tags = SoundTags(
            title: memo.title, date: String(HumanText.iso8601(memo.times.startedAt).prefix { $0 != "T" }),
            genre: memo.category)
        request.resamples = true
        request.takesDamaged = true
        let result = try Transcoder.transcode(
            source, to: target, name: name, as: request, progress: { progress.show($0) },
            isCancelled: { cancellation.isRequested })
        if let rate = memo.sound?.rate, result.stream.rate != rate {
            Console.note("\(format.name) does not hold \(rate) Hz: the file has \(result.stream.rate).")
        }
        if result.isDamaged { Console.note("The memo's file is damaged: this is what can be heard of it.") }
    }
}
