import AudioFile
import Linux
import Sound

/// What the player's thread does: reads, plays, and obeys between two writes.
final class PlayerLoop {
    /// What comes after the item.
    private enum Following {
        case unknown, nothing
        case item(PlayerItem)
    }

    private enum Phase {
        /// Frames are read and given to the device.
        case reading
        /// All was read; the device plays the rest.
        case draining
        /// The item is over, and nobody has said yet what follows.
        case waiting
    }

    /// Something that the caller is told when it is heard.
    private struct Change {
        /// When so many frames were heard of all that were given.
        let heardFrames: Int64
        let event: Player.Event
        /// Where what is heard stands until then, when the item changes.
        let before: Player.Position?
    }

    private let player: Player
    private let output: PlayerOutput
    private var settings: PlayerSettings
    private var item: PlayerItem
    private var following = Following.unknown
    private var phase = Phase.reading
    private var passesLeft: Int?
    /// Whether any frame was given to the device, and whether one of this item was.
    private var hasStarted = false
    private var hasAnnounced = false
    private var wasHeardToEnd = false
    private var fileError: (any Error)?
    /// The frames that were read since the last pass began, or the last jump.
    private var readFrames: Int64 = 0
    private var isPaused: Bool
    private var isOver = false
    private var loss: (error: any Error, since: Int64)?
    /// Where and when it was lost the last time: one that comes back and plays nothing did not come back.
    private var lastLoss: (place: Player.Position, since: Int64)?
    private var chain: PlaybackChain?
    /// What the chain gave and the device did not take yet; valid until the chain is asked again.
    private var pending = UnsafeBufferPointer<Int32>(start: nil, count: 0)
    private var changes: [Change] = []
    private var block: UnsafeMutableBufferPointer<Int32>

    /// Short enough to be decoded well within the device's buffer.
    private static let blockFrames = 1_024
    /// For so long a device that went away is tried again, and so often.
    private static let lossMilliseconds: Int64 = 10_000
    private static let retryMilliseconds: Int32 = 300

    init(
        _ player: Player, _ first: PlayerItem, _ settings: PlayerSettings, isPaused: Bool,
        _ output: PlayerOutput
    ) {
        self.player = player
        self.output = output
        self.settings = settings
        self.isPaused = isPaused
        item = first
        passesLeft = first.passes
        block = .allocate(capacity: Self.blockFrames * first.reader.stream.channels)
    }

    deinit {
        block.deallocate()
    }

    /// Plays until it is over.
    func run() {
        var end: (any Error)?
        do {
            try open()
            install(item)
            while !isOver {
                do {
                    try obey()
                    if isOver { break }
                    try step()
                } catch {
                    guard hasStarted, loss == nil else { throw error }
                    try lose(error)
                }
            }
        } catch {
            end = error
        }
        output.end()
        player.events.post(.ended(end))
    }

    private func step() throws {
        if let loss {
            try reopen(after: loss)
        } else if isPaused || phase == .waiting {
            player.commands.wakeUp.wait(milliseconds: -1)
        } else if !pending.isEmpty {
            try give()
        } else if phase == .reading {
            fill()
        } else {
            try drain()
        }
    }

    // MARK: Sound

    /// Makes an item the one that is played.
    private func install(_ next: PlayerItem) {
        if next.reader.stream.channels != item.reader.stream.channels {
            block.deallocate()
            block = .allocate(capacity: Self.blockFrames * next.reader.stream.channels)
        }
        item = next
        following = .unknown
        passesLeft = next.passes
        (wasHeardToEnd, hasAnnounced) = (false, false)
        chain?.evenDecibels = next.evenDecibels
        phase = .reading
        fileError = nil
        go(to: next.start)
    }

    /// Goes on reading elsewhere.
    private func go(to frame: Int64) {
        readFrames = 0
        do {
            try item.reader.restrict(to: item.range)
            try item.reader.seek(to: min(max(frame, item.range.lowerBound), item.range.upperBound))
        } catch {
            fileError = error
        }
    }

    private func fill() {
        var count = 0
        if fileError == nil {
            do {
                count = try item.reader.read(into: block)
            } catch {
                fileError = error
            }
        }
        guard count > 0, let chain else { return endPass() }
        readFrames += Int64(count)
        pending = chain.process(.init(rebasing: block[..<(count * item.reader.stream.channels)]))
    }

    private func give() throws {
        let first = output.givenFrames
        let count = try output.write(pending)
        if count > 0, !hasAnnounced {
            (hasStarted, hasAnnounced) = (true, true)
            // Behind the end of what was before it, when that was not heard yet.
            if changes.isEmpty {
                player.events.post(.started(item.number))
            } else {
                changes.append(Change(heardFrames: first, event: .started(item.number), before: nil))
            }
        }
        pending = .init(rebasing: pending[(count * (output.stream?.channels ?? 1))...])
        publish()
    }

    /// The file has no more for this pass.
    private func endPass() {
        let isWhole = fileError == nil && item.reader.position >= item.range.upperBound && readFrames > 0
        if isWhole { wasHeardToEnd = true }
        if isWhole, passesLeft.map({ $0 > 1 }) ?? true, item.mayBegin() {
            passesLeft = passesLeft.map { $0 - 1 }
            note(.repeated(item.number))
            go(to: item.range.lowerBound)
        } else if case .item(let next) = following, next.reader.stream == item.reader.stream, next.mayBegin()
        {
            note(.itemEnded(end), before: Player.Position(number: item.number, frame: item.reader.position))
            install(next)
        } else {
            pending = chain?.finish() ?? .init(start: nil, count: 0)
            phase = .draining
        }
    }

    private var end: PlayerItem.End {
        PlayerItem.End(
            number: item.number, wasHeardToEnd: wasHeardToEnd, position: item.reader.position,
            fileError: fileError)
    }

    private func drain() throws {
        guard try output.drain() else { return publish() }
        flush()
        publish()
        player.events.post(.itemEnded(end))
        phase = .waiting
        try goOn()
    }

    /// Plays what follows, once the item is over and it is known.
    private func goOn() throws {
        guard phase == .waiting else { return }
        switch following {
        case .unknown: return
        case .nothing: isOver = true
        case .item(let next):
            following = .unknown
            if next.mayBegin() { try play(next) } else { player.events.post(.skipped(next.number)) }
        }
    }

    /// Plays another item now. A device in another layout is opened anew.
    private func play(_ next: PlayerItem) throws {
        let isSame = next.reader.stream == item.reader.stream
        install(next)
        if isSame || loss != nil {
            chain?.reset()
        } else {
            output.end()
            try open()
        }
        publish()
    }

    // MARK: Orders

    private func obey() throws {
        for command in player.commands.take() {
            switch command {
            case .pause: try pause()
            case .resume:
                if isPaused { player.events.post(.resumed) }
                isPaused = false
            case .seek(let frame): try jump(to: frame)
            case .move(let frames): try jump(to: heardFrame + frames)
            case .play(let next):
                try silence()
                try play(next)
            case .follow(let next):
                following = next.map { .item($0) } ?? .nothing
                try goOn()
            case .speed(let speed):
                settings.speed = speed
                chain?.speed = speed
            case .volume(let percent):
                settings.volumePercent = percent
                chain?.volumePercent = percent
            case .stop:
                publish()
                isOver = true
            }
        }
    }

    private func pause() throws {
        guard !isPaused else { return }
        isPaused = true
        // What the device was given and has not played comes again.
        if phase != .waiting { try jump(to: heardFrame) }
        player.events.post(.paused)
    }

    private func jump(to frame: Int64) throws {
        guard phase != .waiting else { return }
        try silence()
        phase = .reading
        fileError = nil
        go(to: frame)
        publish()
    }

    /// Forgets what is between the file and the ear.
    private func silence() throws {
        pending = .init(start: nil, count: 0)
        chain?.reset()
        flush()
        if loss == nil { try output.drop() }
    }

    // MARK: The device

    /// Opens the device as the item wants it.
    private func open() throws {
        try output.begin(item.reader.stream)
        guard let stream = output.stream else { return }
        let chain = PlaybackChain(from: item.reader.stream, to: stream)
        chain.speed = settings.speed
        chain.volumePercent = settings.volumePercent
        chain.pan = settings.pan
        chain.evenDecibels = item.evenDecibels
        self.chain = chain
    }

    private func lose(_ error: any Error) throws {
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

    private func reopen(after loss: (error: any Error, since: Int64)) throws {
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

    // MARK: What is heard

    /// The frames of the device that are between the file and the ear.
    private var framesAhead: Double {
        guard let chain, let stream = output.stream else { return 0 }
        return chain.insideFrames / framesPerDeviceFrame
            + Double(pending.count / stream.channels + output.delayFrames)
    }

    /// How many frames of the file make one of the device's.
    private var framesPerDeviceFrame: Double {
        guard let stream = output.stream else { return 1 }
        return settings.speed * Double(item.reader.stream.rate) / Double(stream.rate)
    }

    /// The frame of the file that is heard next.
    private var heardFrame: Int64 {
        let behind = Int64((framesAhead * framesPerDeviceFrame).rounded())
        return min(max(item.reader.position - behind, item.range.lowerBound), item.range.upperBound)
    }

    /// Has the caller told of something when what was read up to now is heard.
    private func note(_ event: Player.Event, before: Player.Position? = nil) {
        let ahead = Int64(framesAhead.rounded()) - Int64(output.delayFrames)
        changes.append(Change(heardFrames: output.givenFrames + ahead, event: event, before: before))
    }

    /// Tells what was noted; the rest of it will not be heard any more.
    private func flush() {
        for change in changes { player.events.post(change.event) }
        changes = []
    }

    private func publish() {
        if !changes.isEmpty {
            let heard = output.givenFrames - Int64(output.delayFrames)
            while let change = changes.first, change.heardFrames <= heard {
                player.events.post(change.event)
                changes.removeFirst()
            }
        }
        player.publish(
            changes.lazy.compactMap(\.before).first
                ?? Player.Position(number: item.number, frame: heardFrame))
    }
}
