import Linux
import Sound
import Synchronization

/// The levels that a display asks for now and then: what one thread has moved since another one looked last.
final class LiveLevels: Sendable {
    private let levels = Guarded<ChannelLevels?>(nil)
    private let isWanted = Atomic<Bool>(false)

    /// Takes in whole frames, interleaved; for nothing as long as nobody looks.
    func measure(_ samples: UnsafeBufferPointer<Int32>, of stream: StreamFormat) {
        guard isWanted.load(ordering: .relaxed) else { return }
        levels.withLock { levels in
            if levels?.peaks.count != stream.channels {
                levels = ChannelLevels(channels: stream.channels, bits: stream.bits)
            }
            levels?.measure(samples)
        }
    }

    /// What came since the last time; nil where nothing did.
    func take() -> ChannelLevels? {
        isWanted.store(true, ordering: .relaxed)
        return levels.withLock { levels in
            guard let heard = levels, heard.frames > 0 else { return nil }
            levels?.reset()
            return heard
        }
    }
}
