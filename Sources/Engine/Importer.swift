public import AudioFile
import Glibc
public import Linux
public import Memos
import Sound

/// Makes a memo of a file of sound.
public enum Importer {
    /// What the memo is to be.
    public struct Request: Sendable {
        /// What errors call the file.
        public var name: String
        /// What to call the memo.
        public var title: Title
        /// Its category's name, or nil.
        public var category: String?
        /// Its times, as it begins now.
        public var times: MemoTimes
        /// The format to keep it in; nil keeps what is in one of ours as it is, and makes FLAC of the rest.
        public var format: AudioFileFormat?

        /// All that there is to say.
        public init(
            name: String, title: Title, category: String?, times: MemoTimes, format: AudioFileFormat?
        ) {
            self.name = name
            self.title = title
            self.category = category
            self.times = times
            self.format = format
        }
    }

    /// What a memo is called.
    public enum Title: Sendable {
        /// This, or nothing.
        case given(String?)
        /// What its file says of itself, else this, or nothing.
        case own(else: String?)
    }

    /// What became of it.
    public struct Outcome: Sendable {
        /// The memo, on disk.
        public let memo: Memo
        /// Whether the file was damaged or cut, and the memo is what could be heard of it.
        public let isDamaged: Bool
        /// Why the memo is not in the format that it would have been in, or nil.
        public let objection: String?
    }

    /// Copying is faster than decoding: its part of the whole, for the progress.
    private static let copyShare = 0.2

    /// Copies the file, byte for byte, where it is whole and of the right format, and else encodes it anew. The
    /// memo is there when all of it is on disk, and before that nothing is.
    ///
    /// - Parameters:
    ///   - source: a regular file, open for reading; it is not changed.
    ///   - progress: is given how much is done, from 0 to 1, a few times a second.
    ///   - isCancelled: asked as often.
    /// - Throws: `AudioFileError`, `StoreError` or `SystemError`; nothing is left of the memo then.
    public static func run(
        _ request: Request, from source: FileDescriptor, into store: Store,
        progress: (Double) -> Void, isCancelled: () -> Bool
    ) throws -> Outcome {
        let reader = try AudioFileReader(descriptor: source, name: request.name)
        if reader.frames == 0 {
            throw AudioFileError(attempt: "import \(request.name)", reason: "there is no sound in it")
        }
        var asked = request.format
        var objection: String?
        if asked != reader.format {
            objection = asked?.objection(to: reader.stream)
            if objection != nil { asked = nil }
        }
        if asked?.needsScratch == true { try store.makeScratch() }
        let part = try store.beginImport(times: request.times)
        let made: Made
        do {
            var copied: Made?
            if let own = reader.format, asked ?? own == own {
                copied = try copy(source, to: part.file, request.name, progress, isCancelled)
                if copied == nil { try part.file.truncate(to: 0) }
            }
            if let copied {
                made = copied
            } else {
                let format = try asked ?? fallback(for: reader.stream, request.name, &objection)
                made = try encode(
                    source, to: part.file, reader.stream, format, request.name, progress, isCancelled)
            }
        } catch {
            store.cancel(part)
            throw error
        }
        let title =
            switch request.title {
            case .given(let title): title
            case .own(let other): reader.title ?? other
            }
        let memo = try store.finish(
            part, title: title, category: request.category, format: made.format.name,
            fileExtension: made.format.fileExtension, sound: made.sound(bytes: try part.file.status().bytes),
            waveform: made.measures.waveform.finish().bytes)
        return Outcome(memo: memo, isDamaged: made.isDamaged, objection: objection)
    }

    /// FLAC, or what else holds the layout without losses.
    private static func fallback(
        for stream: StreamFormat, _ name: String, _ objection: inout String?
    ) throws -> AudioFileFormat {
        let flac = AudioFileFormat.all[0]
        objection = objection ?? flac.objection(to: stream)
        guard let format = flac.live(for: stream) else {
            throw AudioFileError(attempt: "import \(name)", reason: objection ?? "no format holds it")
        }
        return format
    }

    /// Copies a file and listens to the copy.
    ///
    /// - Returns: nil where it is not whole; of what is in the copy nothing is of use then.
    private static func copy(
        _ source: FileDescriptor, to target: FileDescriptor, _ name: String,
        _ progress: (Double) -> Void, _ isCancelled: () -> Bool
    ) throws -> Made? {
        let bytes = Double(max(1, try source.status().bytes))
        try source.copy(to: target) { done in
            progress(min(1, Double(done) / bytes) * copyShare)
            return !isCancelled()
        }
        let reader = try AudioFileReader(descriptor: target, name: name)
        guard let format = reader.format, let frames = reader.frames else { return nil }
        var measures = Measures(reader.stream)
        try reader.eachBlock { samples in
            measures.measure(samples)
            progress(copyShare + Double(reader.position) / Double(max(1, frames)) * (1 - copyShare))
            if isCancelled() { throw SystemError(code: ECANCELED) }
        }
        guard !reader.isDamaged, reader.position == frames else { return nil }
        // Were the database lost, a file that can be mended would be taken for an interrupted take.
        guard let mended = try? Mending.mend(target, name: name, format: format), !mended.wasCut else {
            return nil
        }
        return Made(
            format: format, stream: reader.stream, frames: frames, isDamaged: false, measures: measures)
    }

    private static func encode(
        _ source: FileDescriptor, to target: FileDescriptor, _ stream: StreamFormat,
        _ format: AudioFileFormat, _ name: String, _ progress: (Double) -> Void, _ isCancelled: () -> Bool
    ) throws -> Made {
        var request = Transcoder.Request(format)
        request.takesDamaged = true
        var measures = Measures(stream)
        let result = try Transcoder.transcode(
            source, to: target, name: name, as: request, progress: progress, isCancelled: isCancelled,
            measure: { measures.measure($0) })
        return Made(
            format: format, stream: result.stream, frames: result.frames, isDamaged: result.isDamaged,
            measures: measures)
    }

    private struct Made {
        let format: AudioFileFormat
        let stream: StreamFormat
        let frames: Int64
        let isDamaged: Bool
        let measures: Measures

        func sound(bytes: Int64) -> MemoSound {
            MemoSound(
                rate: stream.rate, channels: stream.channels, bits: stream.bits, frames: frames, bytes: bytes,
                peakDecibels: Decibels.ofPeak(measures.levels.peak), clips: measures.levels.clips,
                gapFrames: nil, wasInterrupted: isDamaged)
        }
    }

    /// What is measured as the frames pass.
    private struct Measures {
        private(set) var levels: ChannelLevels
        private(set) var waveform: WaveformBuilder

        init(_ stream: StreamFormat) {
            levels = ChannelLevels(channels: stream.channels, bits: stream.bits)
            waveform = WaveformBuilder(channels: stream.channels)
        }

        mutating func measure(_ samples: UnsafeBufferPointer<Int32>) {
            waveform.measure(samples, into: &levels)
        }
    }
}
