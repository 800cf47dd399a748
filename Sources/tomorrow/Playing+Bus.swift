import Desktop
import Engine
import Glibc
import Memos
import Terminal

/// What others on the session bus see of the memos that are played, and may do: media keys do what keys do.
extension Playing {
    /// Where others find it, or nil where there is no session bus.
    static func mediaPlayer(_ context: Context) -> MediaPlayer? {
        MediaPlayer(
            busAddress: context.places.busAddress, processIdentifier: getpid(),
            rates: PlayOptions.speeds.least...PlayOptions.speeds.most)
    }

    /// Tells how things stand, and does what others want.
    func handleBus() {
        guard let mediaPlayer, mediaPlayer.descriptor >= 0 else { return }
        mediaPlayer.update(changed(mediaPlayer.state))
        if hasJumped { mediaPlayer.seeked() }
        hasJumped = false
        // Keys and signals have their turn, too.
        for _ in 0..<Self.commandsAtOnce where !isStopping {
            guard let command = mediaPlayer.process() else { break }
            handle(command)
            mediaPlayer.update(changed(mediaPlayer.state))
            display.hurry()
        }
    }

    private func handle(_ command: MediaPlayerCommand) {
        switch command {
        case .play: player.send(.resume)
        case .pause: player.send(.pause)
        case .playPause: handle(.character(" "))
        case .stop: handle(.end)
        case .next: handle(.character("n"))
        case .previous: handle(.character("p"))
        case .move(let microseconds):
            guard let current else { return }
            player.send(.move(by: current.entry.sound.frames(microseconds: microseconds)))
        case .seek(let microseconds):
            guard let sound = current?.entry.sound else { return }
            player.send(.seek(to: sound.heard.lowerBound + sound.frames(microseconds: microseconds)))
        case .repeats(let isOn):
            queue.passes = isOn ? nil : 1
            player.send(.passes(queue.passes))
            followOn()
        case .rate(let rate): change(speed: rate)
        case .volume(let volume): change(volume: volume * 100)
        }
    }

    /// How things stand now. Between two memos the one before counts.
    private func changed(_ state: MediaPlayerState) -> MediaPlayerState {
        var state = state
        state.isPaused = isPaused
        state.repeats = queue.passes != 1
        state.rate = settings.speed
        // By its specification 1 is as loud as is sensible, and more is allowed: it is our 100 %.
        state.volume = settings.volumePercent / 100
        guard let (entry, frame) = current else { return state }
        state.track = track(entry)
        state.microseconds = entry.sound.microseconds(at: frame)
        // One that was gone to already is not following any more.
        state.canGoNext = following != nil || entries.keys.contains { $0 > entry.number }
        state.canGoPrevious = entry.number > 0
        return state
    }

    private func track(_ entry: MemoQueue.Entry) -> MediaPlayerState.Track {
        let memo = entry.memo
        return MediaPlayerState.Track(
            // One memo may stand in the queue twice.
            path: "/tomorrow/\(entry.number)/memo/\(memo.id)", title: memo.title ?? "Memo \(memo.id)",
            genres: memo.category.map { [$0] } ?? [], created: HumanText.iso8601(memo.times.startedAt),
            microseconds: entry.sound.microseconds(at: entry.sound.heard.upperBound))
    }

    private static let commandsAtOnce = 64
}

extension MemoSound {
    /// The place of a frame after the first that is heard, in microseconds.
    fileprivate func microseconds(at frame: Int64) -> Int64 {
        Int64((seconds(at: frame) * 1_000_000).rounded())
    }

    /// So many microseconds, in frames.
    fileprivate func frames(microseconds: Int64) -> Int64 {
        let frames = (Double(microseconds) * Double(rate) / 1_000_000).rounded()
        return Int64(max(-0x1p60, min(frames, 0x1p60)))
    }
}
