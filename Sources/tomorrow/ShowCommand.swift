import AudioFile
import CommandTable
import Glibc
import Memos
import Sound
import Terminal

/// `tomorrow show ID`: the details of a memo that can be heard.
struct ShowCommand {
    private let context: Context

    init(_ context: Context) {
        self.context = context
    }

    func run() throws -> ExitStatus {
        context.noteConfigurationMistakes()
        let store = try context.openStore()
        let memo = try context.memo(context.invocation.operands[0], to: "show", in: store) {
            try $0.available(at: context.now)
        }
        try context.requireAvailable(memo, to: "show", in: store)
        let now = context.now
        if context.wantsJSON {
            let json = try MemoJSON()
            json.print(["memo": try json.memo(memo, at: now)])
            return .done
        }
        let columns = TerminalSize.columns(of: STDOUT_FILENO)
        let picture = waveform(of: memo, in: store).map { whole in
            let heard = memo.sound.map { whole.part($0.heard, of: $0.frames) } ?? whole
            return WaveformText.line(heard, columns: columns) + "\n"
        }
        Console.show((picture ?? "") + Self.details(memo, at: now, columns: Console.columns ?? .max))
        return .done
    }

    /// The shape as it was measured while recording, else from the file; nil where neither can be had.
    private func waveform(of memo: Memo, in store: Store?) -> Waveform? {
        if let bytes = try? store?.waveform(of: memo) { return Waveform(bytes: bytes) }
        guard let file = try? store?.openFile(of: memo) else { return nil }
        return try? AudioFileReader(descriptor: file, name: memo.file).waveform()
    }

    /// What is known of a memo, a line each, wrapped behind its name where it is wider than that many columns.
    static func details(_ memo: Memo, at now: Timestamp, columns: Int = .max) -> String {
        let times = memo.times
        var rows = [
            ("Memo", String(memo.id)),
            ("Title", memo.title.map(VisibleText.of) ?? "none"),
            ("Category", memo.category.map(VisibleText.of) ?? "none"),
            ("Recorded", HumanText.time(times.startedAt)),
            ("Opened", HumanText.time(times.showAt)),
            (
                "Leaves",
                HumanText.time(times.expireAt) + ", " + HumanText.distance(from: now, to: times.expireAt)
            ),
            ("Heard", memo.heardAt.map(HumanText.time) ?? "not yet"),
        ]
        if let sound = memo.sound {
            let channels = HumanText.count(sound.channels, "channel")
            rows += [
                ("Length", HumanText.length(memo)),
                ("Format", "\(memo.format), \(sound.rate) Hz, \(channels), \(sound.bits) bits"),
                ("Size", HumanText.size(sound.bytes)),
                ("Peak", sound.peakDecibels.map { "\(($0 * 10).rounded() / 10) dBFS" } ?? "not measured"),
            ]
            if let clips = sound.clips, clips > 0 {
                rows.append(("Clips", "\(HumanText.count(clips, "sample")) at full scale"))
            }
            if let gap = sound.gapSeconds, gap > 0 {
                rows.append(("Gaps", "\((gap * 100).rounded() / 100) s that the device lost"))
            }
            if sound.trim != nil {
                let whole = HumanText.length(seconds: Double(sound.frames) / Double(sound.rate))
                rows.append(("Trim", "silence at the ends is left out; with it \(whole)"))
            }
            if let position = memo.position {
                rows.append(("Goes on", "at " + HumanText.position(seconds: sound.seconds(at: position))))
            }
            for (number, marker) in zip(1..., memo.markers) {
                let text = marker.text.map { "  " + VisibleText.of($0) } ?? ""
                rows.append(
                    ("Marker \(number)", HumanText.position(seconds: sound.seconds(at: marker.frame)) + text))
            }
            if sound.wasInterrupted { rows.append(("Note", "the take was interrupted; this much was kept")) }
        }
        let indent = String(repeating: " ", count: 10)
        return rows.map { name, value in
            let text = VisibleText.wrapped(indent + value, columns: columns)
            return VisibleText.fitted(name, columns: indent.utf8.count) + text.dropFirst(indent.utf8.count)
                + "\n"
        }.joined()
    }
}
