import Sound

/// How the player obeys. All that anybody wants of it comes this way.
extension PlayerLoop {
    func obey() throws {
        orders = PlayerCommand.merged(orders + player.commands.take())
        // One by one: what comes behind an order that the device fails at is still to be obeyed.
        while !orders.isEmpty {
            switch orders.removeFirst() {
            case .pause: try pause()
            case .resume: resume()
            case .pauseOrResume: if isPaused { resume() } else { try pause() }
            case .seek(let frame): try jump(to: frame, isWanted: true)
            case .move(let frames): try jump(to: heardFrame + PlayerCommand.limited(frames), isWanted: true)
            case .passes(let count): passesLeft = count
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

    func pause() throws {
        guard !isPaused else { return }
        isPaused = true
        // Also when the device fails at it.
        defer { player.events.post(.paused) }
        // What the device was given and has not played comes again.
        if phase != .waiting { try jump(to: heardFrame) }
    }

    func resume() {
        if isPaused { player.events.post(.resumed) }
        isPaused = false
    }

    func jump(to frame: Int64, isWanted: Bool = false) throws {
        guard phase != .waiting else { return }
        try silence()
        phase = .reading
        (fileError, wasHeardToEnd) = (nil, false)
        go(to: frame)
        publish()
        if isWanted { player.events.post(.jumped) }
    }

    /// Forgets what is between the file and the ear.
    func silence() throws {
        pending = .init(start: nil, count: 0)
        chain?.reset()
        flush()
        if loss == nil { try output.drop() }
    }
}
