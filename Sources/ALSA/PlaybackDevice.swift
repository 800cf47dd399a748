import CALSA
import Glibc
public import Linux
public import Sound

/// A device that is played to.
///
/// `@unchecked Sendable`: made, used and closed on the player's thread; only references to it travel.
public final class PlaybackDevice: @unchecked Sendable {
    /// What the device really granted.
    public let stream: StreamFormat
    private var pcm: PCM?
    private let scratch: UnsafeMutableRawBufferPointer
    /// Since when the device has taken nothing.
    private var idleSince: Int64?
    /// A device that takes nothing for so long, without an error, has gone.
    private static let mostIdleMilliseconds: Int64 = 5_000

    /// Opens a device.
    ///
    /// - Parameters:
    ///   - name: a PCM of libasound, such as `default` or `hw:1`.
    ///   - wanted: the layout to ask for. Where the device has it not, ``stream`` is the nearest it has: whoever
    ///     plays another rate than that plays it at a wrong pitch.
    /// - Throws: ``DeviceError``.
    public init(name: String, wanted: StreamFormat) throws {
        let pcm = try PCM(device: name, direction: .playback, wanted: wanted)
        self.pcm = pcm
        stream = StreamFormat(rate: pcm.rate, channels: pcm.channels, bits: pcm.sampleFormat.bits)
        scratch = .allocate(
            byteCount: pcm.bufferFrames * pcm.channels * pcm.sampleFormat.bytes, alignment: 16)
    }

    deinit {
        scratch.deallocate()
    }

    /// Waits for room and gives what fits (`snd_pcm_writei`). An underrun or a suspended machine is
    /// recovered from. The device starts when its buffer is full.
    ///
    /// - Parameters:
    ///   - samples: whole frames, interleaved, 32 bits a sample, in the layout of ``stream``.
    ///   - wakeUp: ends the wait.
    /// - Returns: how many frames were taken; 0 when the wake-up was raised first.
    /// - Throws: ``DeviceError`` when the device is gone, or takes nothing any more.
    public func write(_ samples: UnsafeBufferPointer<Int32>, waking wakeUp: WakeUp) throws -> Int {
        guard let pcm else { return 0 }
        let most = min(samples.count / pcm.channels, pcm.bufferFrames)
        pcm.sampleFormat.pack(.init(rebasing: samples[..<(most * pcm.channels)]), into: scratch.baseAddress!)
        while true {
            let count = snd_pcm_writei(pcm.handle, scratch.baseAddress, snd_pcm_uframes_t(most))
            if count > 0 {
                pcm.succeeded()
                idleSince = nil
                return count
            }
            if count == 0 || count == -Int(EAGAIN) {
                if !pcm.wait(waking: wakeUp, milliseconds: 500) { return 0 }
                let now = MonotonicClock.milliseconds
                idleSince = idleSince ?? now
                if now - (idleSince ?? now) > Self.mostIdleMilliseconds {
                    throw DeviceError(attempt: pcm.attempt, reason: "it takes no sound any more")
                }
            } else {
                try pcm.recover(from: Int32(count), waking: wakeUp)
                if wakeUp.wait(milliseconds: 0) { return 0 }
            }
        }
    }

    /// The frames that were taken and not heard yet (`snd_pcm_delay`).
    public var delayFrames: Int {
        var delay: snd_pcm_sframes_t = 0
        guard let pcm, snd_pcm_delay(pcm.handle, &delay) == 0 else { return 0 }
        return max(0, delay)
    }

    /// Waits until the last frame was heard: until `snd_pcm_delay` is down to 0, at most for the buffer's
    /// length and a second. Never `snd_pcm_drain`, which with some plugins does not return.
    ///
    /// - Parameter wakeUp: ends the wait.
    /// - Returns: whether it was heard; false when the wake-up was raised first.
    /// - Throws: ``DeviceError`` when the device is gone.
    public func drain(waking wakeUp: WakeUp) throws -> Bool {
        guard let pcm else { return true }
        // Less than a buffer has not started it.
        if snd_pcm_state(pcm.handle) == SND_PCM_STATE_PREPARED { try pcm.check(snd_pcm_start(pcm.handle)) }
        let deadline = MonotonicClock.milliseconds + Int64(pcm.bufferFrames * 1000 / pcm.rate) + 1_000
        while MonotonicClock.milliseconds < deadline {
            var delay: snd_pcm_sframes_t = 0
            let code = snd_pcm_delay(pcm.handle, &delay)
            // An underrun here is the end of the sound.
            if code == -EPIPE || delay <= 0 || snd_pcm_state(pcm.handle) == SND_PCM_STATE_XRUN { return true }
            try pcm.check(code)
            let milliseconds = min(10, max(1, delay * 1000 / pcm.rate))
            if wakeUp.wait(milliseconds: Int32(milliseconds)) { return false }
        }
        return true
    }

    /// Forgets what was taken and not heard yet (`snd_pcm_drop`, `snd_pcm_prepare`).
    ///
    /// - Throws: ``DeviceError`` when the device is gone.
    public func drop() throws {
        guard let pcm else { return }
        snd_pcm_drop(pcm.handle)
        idleSince = nil
        try pcm.check(snd_pcm_prepare(pcm.handle))
    }

    /// Lets go of the device; what it has not played is dropped (`snd_pcm_drop`, `snd_pcm_close`).
    public func close() {
        if let pcm { snd_pcm_drop(pcm.handle) }
        pcm = nil
    }
}
