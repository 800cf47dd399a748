import Engine
import Glibc
import Linux
import Memos
import Terminal

/// What the keys do while memos are played.
extension Playing {
    func handleKeys(isReady: Bool) {
        guard let keys = keyboard.keys(isReady: isReady) else {
            if !SignalDescriptor.isIgnored(SIGHUP) { isStopping = true }
            return
        }
        for key in keys where !isStopping { handle(key) }
        if !keys.isEmpty { display.hurry() }
    }

    func handle(_ key: Key) {
        switch key {
        case .character(" "): player.send(.pauseOrResume)
        case .left: move(by: -5)
        case .right: move(by: 5)
        case .down: move(by: -30)
        case .up: move(by: 30)
        case .home: seek { $0.range.lowerBound }
        case .character(","), .character("<"): toMarker(forward: false)
        case .character("."), .character(">"): toMarker(forward: true)
        case .character("n"): next()
        case .character("p"): previous()
        case .character("["): change(speed: ((settings.speed - 0.1) * 10).rounded() / 10)
        case .character("]"): change(speed: ((settings.speed + 0.1) * 10).rounded() / 10)
        case .backspace: change(speed: 1)
        case .character("-"), .character("_"): change(volume: settings.volumePercent - 5)
        case .character("+"), .character("="): change(volume: settings.volumePercent + 5)
        case .character("m"): mark()
        case .character("q"), .escape, .end: isStopping = true
        case .character(let digit):
            guard let tenths = digit.wholeNumberValue, digit.isASCII else { return }
            seek { $0.sound.heard.lowerBound + Int64($0.sound.heard.count) * Int64(tenths) / 10 }
        case .enter, .eraseLine, .other: break
        }
    }

    private func move(by seconds: Int64) {
        guard let current else { return }
        player.send(.move(by: seconds * Int64(current.entry.sound.rate)))
    }

    private func seek(to frame: (MemoQueue.Entry) -> Int64) {
        guard let current else { return }
        player.send(.seek(to: frame(current.entry)))
    }

    /// The next marker, or the one before: not the one that was heard a moment ago, or nobody could go back past
    /// it while it plays.
    private func toMarker(forward: Bool) {
        guard let (entry, frame) = current else { return }
        let moment = Int64(entry.sound.rate)
        let places = entry.memo.markers.map(\.frame)
        if let place = forward
            ? places.first(where: { $0 > frame }) : places.last(where: { $0 < frame - moment })
        {
            player.send(.seek(to: place))
        } else if !forward {
            player.send(.seek(to: entry.range.lowerBound))
        }
    }

    private func next() {
        if measurement != nil {
            wantsNext = true
        } else if let following {
            play(following)
        } else {
            isStopping = true
        }
    }

    /// The memo before; after its first seconds, the start of this one.
    private func previous() {
        guard let (entry, frame) = current else { return }
        let isAtStart = frame - entry.range.lowerBound < Self.startSeconds * Int64(entry.sound.rate)
        if isAtStart, let before = queue.entry(from: entry.number - 1, by: -1) {
            play(before)
        } else {
            player.send(.seek(to: entry.range.lowerBound))
        }
    }

    /// Plays a memo in place of the one that is heard.
    func play(_ entry: MemoQueue.Entry) {
        keepPlace()
        wantsNext = false
        following = nil
        measurement = nil
        entries[entry.number] = entry
        player.send(.play(queue.item(of: entry)))
        if isPaused { player.send(.resume) }
    }

    func change(speed: Double) {
        settings.speed = min(max(speed, PlayOptions.speeds.least), PlayOptions.speeds.most)
        player.send(.speed(settings.speed))
    }

    func change(volume percent: Double) {
        settings.volumePercent = min(
            max(percent.rounded(), PlayOptions.volumes.least), PlayOptions.volumes.most)
        player.send(.volume(percent: settings.volumePercent))
    }

    private func mark() {
        guard let (entry, frame) = current else { return }
        let place = "Marker at \(HumanText.position(seconds: entry.sound.seconds(at: frame)))."
        do {
            guard let memo = try store.edit(entry.memo, adding: [Marker(frame: frame, text: nil)]) else {
                return say("It is gone.")
            }
            entries[entry.number]?.memo.markers = memo.markers
            say(place)
        } catch {
            Failure(error).report(verbose: context.isVerbose)
        }
    }

    private func say(_ text: String) {
        if Console.canRedraw { display.show(text) } else { Console.note(text) }
    }

    func hints(columns: Int) -> [String] {
        guard keyboard.isThere else { return ["Ctrl-C stops"] }
        let others = queue.count > 1 ? ["n p next, previous"] : []
        return KeyHints.lines(
            [
                isPaused ? "space go on" : "space pause", "← → 5 s", "↓ ↑ 30 s", "0-9 tenths", ", . markers",
                "m mark",
            ]
                + others + ["[ ] speed", "- + volume", "q stop"], columns: columns)
    }

    /// In the first seconds of a memo the key for the previous one means that one, then the start of this one.
    private static let startSeconds: Int64 = 3
}
