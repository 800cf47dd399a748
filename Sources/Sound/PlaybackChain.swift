/// Makes of a file's sound what a device is given: its layout, at the speed, volume and side that were asked
/// for. For one thread.
///
/// Channels are mixed first, then comes the speed, the device's rate, the volume, and a limiter, so that
/// nothing is cut however loud it is made. Where nothing is asked for and the layout is the same, samples pass
/// bit for bit and are not copied. Memory grows with the longest block, and then no more.
public final class PlaybackChain {
    /// What goes in.
    public let source: StreamFormat
    /// What comes out.
    public let target: StreamFormat

    private let mixer: ChannelMixer
    private let tempo: Tempo
    private let resampler: Resampler?
    private var ramp: GainRamp
    private let limiter: Limiter
    private let rounding: SampleRounding
    private let isSameLayout: Bool
    private var hasBegun = false

    /// A chain that changes nothing but the layout.
    public init(from source: StreamFormat, to target: StreamFormat) {
        self.source = source
        self.target = target
        mixer = ChannelMixer(from: source.channels, to: target.channels)
        tempo = Tempo(rate: source.rate, channels: target.channels)
        resampler =
            source.rate == target.rate
            ? nil : Resampler(from: source.rate, to: target.rate, channels: target.channels)
        ramp = GainRamp(channels: target.channels, rate: target.rate)
        limiter = Limiter(rate: target.rate, channels: target.channels)
        rounding = SampleRounding(bits: target.bits)
        isSameLayout =
            source.rate == target.rate && source.channels == target.channels && source.bits <= target.bits
    }

    /// How much faster than it was recorded, with the pitch kept: from 0.5 to 3, in thousandths; 1 at first.
    public var speed: Double {
        get { tempo.speed }
        set { tempo.speed = max(0.5, min(3, (newValue * 1_000).rounded() / 1_000)) }
    }

    /// From 0, silence, to 200, +12 dB: amplitudes are multiplied by the square of a hundredth of it. 100 at
    /// first. Like side and lift, it changes within 10 ms, and at once where nothing has been played yet.
    public var volumePercent = 100.0 {
        didSet {
            volumePercent = max(0, min(200, volumePercent))
            aim()
        }
    }

    /// From −1, left, to 1, right, with constant power: in the middle both sides stay as they are, at an end
    /// one is silent and the other at +3 dB. 0 at first. A device of one channel has no sides.
    public var pan = 0.0 {
        didSet {
            pan = max(-1, min(1, pan))
            aim()
        }
    }

    /// What makes memos equally loud, in decibels, from −60 to 24: see ``Loudness``. 0 at first.
    public var evenDecibels = 0.0 {
        didSet {
            evenDecibels = max(-60, min(24, evenDecibels))
            aim()
        }
    }

    /// Whether samples pass as they are.
    public var isNeutral: Bool {
        isSameLayout && speed == 1 && !tempo.isActive && ramp.isUnity && limiter.insideFrames == 0
    }

    /// How many of the source's frames were taken in and not given out yet: within 45 ms where the speed is
    /// not 1, else exact to a frame.
    public var insideFrames: Double {
        let limited = Double(limiter.insideFrames) * Double(source.rate) / Double(target.rate)
        return tempo.insideFrames + speed * ((resampler?.insideFrames ?? 0) + limited)
    }

    /// Takes in the next frames of the source.
    ///
    /// - Parameter samples: whole frames, interleaved, 32 bits a sample, with the sound on top.
    /// - Returns: what is ready for the target, in the same form, rounded to its bits; perhaps nothing. Valid
    ///   until the next call, and as long as `samples`.
    public func process(_ samples: UnsafeBufferPointer<Int32>) -> UnsafeBufferPointer<Int32> {
        hasBegun = true
        return isNeutral ? samples : run(samples, isLast: false)
    }

    /// Ends the sound.
    ///
    /// - Returns: what was still inside, so that the whole is as long as the source and the speed ask for.
    ///   Valid until the next call. The chain may be used again, as after ``reset()``.
    public func finish() -> UnsafeBufferPointer<Int32> {
        let rest = isNeutral ? .init(start: nil, count: 0) : run(.init(start: nil, count: 0), isLast: true)
        reset()
        return rest
    }

    /// Forgets what is inside: what comes next is from somewhere else. Speed, volume, side and lift stay.
    public func reset() {
        tempo.reset()
        resampler?.reset()
        limiter.reset()
        ramp.settle()
        hasBegun = false
    }

    private func run(_ samples: UnsafeBufferPointer<Int32>, isLast: Bool) -> UnsafeBufferPointer<Int32> {
        var sound = tempo.process(mixer.mix(samples), isLast: isLast)
        if let resampler { sound = resampler.process(sound, isLast: isLast) }
        // With the limiter emptied the next block will be neutral, so it is as soon as nothing else is left.
        let isSettled = isSameLayout && speed == 1 && ramp.isUnity && limiter.isIdle
        ramp.apply(to: sound)
        return rounding.round(limiter.process(sound, isLast: isLast || isSettled))
    }

    private func aim() {
        let gain = Gain.amplitude(volumePercent: volumePercent) * Gain.amplitude(decibels: evenDecibels)
        ramp.aim(at: Panning.gains(pan: pan, channels: target.channels).map { $0 * gain })
        if !hasBegun { ramp.settle() }
    }
}
