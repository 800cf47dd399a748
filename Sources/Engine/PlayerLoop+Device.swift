import AudioFile
import Linux
import Sound

/// How the player opens its device, and what becomes of it when that goes away.
extension PlayerLoop {
    /// Opens the device as the item wants it.
    func open() throws {
        try output.begin(item.reader.stream)
        guard let stream = output.stream else { return }
        let chain = PlaybackChain(from: item.reader.stream, to: stream)
        chain.speed = settings.speed
        chain.volumePercent = settings.volumePercent
        chain.pan = settings.pan
        chain.evenDecibels = item.evenDecibels
        self.chain = chain
    }

    func lose(_ error: any Error) throws {
        // A device that is gone knows no delay any more: what was published last is at most a period old.
        let place = player.position
        let frame = place.number == item.number ? place.frame : item.start
        let now = MonotonicClock.milliseconds
        let since = lastLoss.flatMap { $0.place == place ? $0.since : nil } ?? now
        if now - since >= Self.lossMilliseconds { throw error }
        lastLoss = (place, since)
        pending = .init(start: nil, count: 0)
        flush()
        output.abandon()
        chain = nil
        if phase != .waiting {
            phase = .reading
            go(to: frame)
        }
        loss = (error, since)
        publish()
        player.events.post(.deviceLost(error))
    }

    func reopen(after loss: (error: any Error, since: Int64)) throws {
        if player.commands.wakeUp.wait(milliseconds: Self.retryMilliseconds) { return }
        do {
            try open()
        } catch {
            if MonotonicClock.milliseconds - loss.since >= Self.lossMilliseconds { throw loss.error }
            return
        }
        self.loss = nil
        player.events.post(.deviceBack)
    }
}
