import AudioFile
import Linux
import Sound

/// What the player's thread does: reads, plays, and obeys between two writes.
final class PlayerLoop {
    /// What comes after the item.
    enum Following {
        case unknown, nothing
        case item(PlayerItem)
    }

    enum Phase {
        /// Frames are read and given to the device.
        case reading
        /// All was read; the device plays the rest.
        case draining
        /// The item is over, and nobody has said yet what follows.
        case waiting
    }

    /// Something that the caller is told when it is heard.
    struct Change {
        /// When so many frames were heard of all that were given.
        let heardFrames: Int64
        let event: Player.Event
        /// Where what is heard stands until then, when the item changes.
        let before: Player.Position?
    }

    let player: Player
    let output: PlayerOutput
    var settings: PlayerSettings
    var item: PlayerItem
    var following = Following.unknown
    var phase = Phase.reading
    var passesLeft: Int?
    /// Whether any frame was given to the device, and whether one of this item was.
    var hasStarted = false
    var hasAnnounced = false
    var wasHeardToEnd = false
    var fileError: (any Error)?
    /// The frames that were read since the last pass began, or the last jump.
    var readFrames: Int64 = 0
    var isPaused: Bool
    var isOver = false
    var loss: (error: any Error, since: Int64)?
    /// Where and when it was lost the last time: one that comes back and plays nothing did not come back.
    var lastLoss: (place: Player.Position, since: Int64)?
    var chain: PlaybackChain?
    /// What the chain gave and the device did not take yet; valid until the chain is asked again.
    var pending = UnsafeBufferPointer<Int32>(start: nil, count: 0)
    var changes: [Change] = []
    /// What was ordered and not done yet.
    var orders: [PlayerCommand] = []
    var block: UnsafeMutableBufferPointer<Int32>

    /// Short enough to be decoded well within the device's buffer.
    static let blockFrames = 1_024
    /// For so long a device that went away is tried again, and so often.
    static let lossMilliseconds: Int64 = 10_000
    static let retryMilliseconds: Int32 = 300

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

    func step() throws {
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
    func install(_ next: PlayerItem) {
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
        do {
            try item.reader.restrict(to: item.range)
        } catch {
            fileError = error
        }
        go(to: next.start)
    }

    /// Goes on reading elsewhere.
    func go(to frame: Int64) {
        readFrames = 0
        do {
            try item.reader.seek(to: min(max(frame, item.range.lowerBound), item.range.upperBound))
        } catch {
            fileError = error
        }
    }

    func fill() {
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

    func give() throws {
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
    func endPass() {
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

    var end: PlayerItem.End {
        PlayerItem.End(
            number: item.number, wasHeardToEnd: wasHeardToEnd, position: item.reader.position,
            fileError: fileError)
    }

    func drain() throws {
        guard try output.drain() else { return publish() }
        flush()
        publish()
        // Of a file in which nothing could be heard no start was told, and who knows of none says not what follows.
        if !hasAnnounced { player.events.post(.started(item.number)) }
        hasAnnounced = true
        player.events.post(.itemEnded(end))
        phase = .waiting
        try goOn()
    }

    /// Plays what follows, once the item is over and it is known.
    func goOn() throws {
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
    func play(_ next: PlayerItem) throws {
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
}
