import CALSA
import Glibc
public import Linux
public import Sound

/// A device that is recorded from.
///
/// `@unchecked Sendable`: made, used and closed on the capture thread; only references to it travel.
public final class CaptureDevice: @unchecked Sendable {
    /// What the device really granted.
    public let stream: StreamFormat
    /// How often the device has overrun or been suspended, each time with a loss of frames.
    public private(set) var lossCount = 0
    /// How many channels of the device make the one that is recorded; 1 where nothing is mixed.
    public let mixedChannels: Int
    /// The mixer that has its volume, if there is one, for ``DeviceList/captureVolume(of:)``: the device itself
    /// may be open only once.
    public let mixer: String
    private var pcm: PCM?
    private let scratch: UnsafeMutableRawBufferPointer
    private let mixing: UnsafeMutableBufferPointer<Int32>
    private var idleSince: Int64?
    /// A sound server gives its sound in pieces of up to two seconds. Whoever gives none for much longer,
    /// without an error, has gone.
    private static let mostIdleMilliseconds: Int64 = 8_000

    /// Opens a device.
    ///
    /// - Parameters:
    ///   - name: a PCM of libasound, such as `default` or `hw:1`.
    ///   - wanted: the layout to ask for. The rate may be granted otherwise, and the depth may be less. One
    ///     channel of a device that has only more is the mean of all of them.
    /// - Throws: ``DeviceError``.
    public init(name: String, wanted: StreamFormat) throws {
        let pcm = try PCM(device: name, direction: .capture, wanted: wanted)
        self.pcm = pcm
        stream = StreamFormat(
            rate: pcm.rate, channels: wanted.channels, bits: min(wanted.bits, pcm.sampleFormat.bits))
        mixer = CaptureMixer.name(ofDevice: name, card: PCM.card(of: pcm.handle))
        mixedChannels = pcm.channels / wanted.channels
        mixing = .allocate(capacity: mixedChannels > 1 ? pcm.bufferFrames * pcm.channels : 0)
        scratch = .allocate(
            byteCount: pcm.bufferFrames * pcm.channels * pcm.sampleFormat.bytes, alignment: 16)
        // A device that says it has given something and has not, as ALSA's null, must not give old memory.
        scratch.initializeMemory(as: UInt8.self, repeating: 0)
    }

    deinit {
        scratch.deallocate()
        mixing.deallocate()
    }

    /// Lets the sound begin (`snd_pcm_start`).
    ///
    /// - Throws: ``DeviceError``.
    public func start() throws {
        guard let pcm else { return }
        try pcm.check(snd_pcm_start(pcm.handle))
    }

    /// Waits for frames and takes what is there (`snd_pcm_readi`). An overrun or a suspended machine is
    /// recovered from.
    ///
    /// - Parameters:
    ///   - samples: room for whole frames, interleaved, 32 bits a sample.
    ///   - wakeUp: ends the wait.
    /// - Returns: how many frames were taken; 0 when the wake-up was raised first.
    /// - Throws: ``DeviceError`` when the device is gone.
    public func read(into samples: UnsafeMutableBufferPointer<Int32>, waking wakeUp: WakeUp) throws -> Int {
        guard let pcm else { return 0 }
        let most = min(samples.count / stream.channels, pcm.bufferFrames)
        while true {
            let count = snd_pcm_readi(pcm.handle, scratch.baseAddress, snd_pcm_uframes_t(most))
            if count > 0 {
                pcm.succeeded()
                idleSince = nil
                if mixedChannels == 1 {
                    pcm.sampleFormat.unpack(
                        scratch.baseAddress!, into: .init(rebasing: samples[..<(count * pcm.channels)]))
                } else {
                    pcm.sampleFormat.unpack(
                        scratch.baseAddress!, into: .init(rebasing: mixing[..<(count * pcm.channels)]))
                    mix(frames: count, into: samples)
                }
                return count
            }
            if count == 0 || count == -Int(EAGAIN) {
                if !pcm.wait(waking: wakeUp, milliseconds: 500) { return 0 }
                let now = MonotonicClock.milliseconds
                idleSince = idleSince ?? now
                if now - (idleSince ?? now) > Self.mostIdleMilliseconds {
                    throw DeviceError(attempt: pcm.attempt, reason: "it gives no sound any more")
                }
            } else {
                lossCount += 1
                try pcm.recover(from: Int32(count), waking: wakeUp)
                if snd_pcm_state(pcm.handle) == SND_PCM_STATE_PREPARED { try start() }
                if wakeUp.wait(milliseconds: 0) { return 0 }
            }
        }
    }

    /// The mean of the device's channels: nothing that only one of them hears is lost, and nothing can be louder
    /// than full scale. What is finer than the depth of the sound is rounded.
    private func mix(frames: Int, into samples: UnsafeMutableBufferPointer<Int32>) {
        let step = Int64(1) << (32 - stream.bits)
        for frame in 0..<frames {
            var sum: Int64 = 0
            for channel in 0..<mixedChannels { sum += Int64(mixing[frame * mixedChannels + channel]) }
            let mean = Double(sum) / Double(mixedChannels)
            samples[frame] = Int32(clamping: Int64((mean / Double(step)).rounded()) * step)
        }
    }

    /// The frames that the device has and nobody has read (`snd_pcm_avail`).
    public var availableFrames: Int {
        guard let pcm else { return 0 }
        return max(0, min(snd_pcm_avail(pcm.handle), pcm.bufferFrames))
    }

    /// Lets go of the device (`snd_pcm_close`). It may hang with a sound server that hangs.
    public func close() {
        if let pcm { snd_pcm_drop(pcm.handle) }
        pcm = nil
    }
}
