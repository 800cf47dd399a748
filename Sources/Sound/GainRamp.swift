/// Multiplies channels by their factors, and goes to new ones in a straight line, so that no change clicks.
struct GainRamp {
    /// How long a change takes: a sudden one is a click, a much slower one is a knob that lags.
    static let milliseconds = 10

    private var current: [Float]
    private var target: [Float]
    private var leftFrames = 0
    private let rampFrames: Int

    /// All factors are 1.
    ///
    /// - Parameter rate: frames a second.
    init(channels: Int, rate: Int) {
        current = Array(repeating: 1, count: channels)
        target = current
        rampFrames = max(1, rate * Self.milliseconds / 1_000)
    }

    /// Whether sound goes through it unchanged.
    var isUnity: Bool { leftFrames == 0 && current.allSatisfy { $0 == 1 } }

    /// Begins to go to other factors, one for each channel.
    mutating func aim(at gains: [Double]) {
        let aimed = gains.map { Float($0) }
        if aimed == target { return }
        target = aimed
        leftFrames = rampFrames
    }

    /// Is there, without having been heard on the way.
    mutating func settle() {
        current = target
        leftFrames = 0
    }

    /// Multiplies whole frames, in place.
    mutating func apply(to samples: UnsafeMutableBufferPointer<Float>) {
        let channels = current.count
        let frames = samples.count / channels
        guard let base = samples.baseAddress, frames > 0, !isUnity else { return }
        let ramp = min(leftFrames, frames)
        for channel in 0..<channels {
            var gain = current[channel]
            let step = leftFrames > 0 ? (target[channel] - gain) / Float(leftFrames) : 0
            var frame = 0
            while frame < ramp {
                gain += step
                base[frame &* channels &+ channel] *= gain
                frame &+= 1
            }
            if ramp == leftFrames { gain = target[channel] }
            while frame < frames {
                base[frame &* channels &+ channel] *= gain
                frame &+= 1
            }
            current[channel] = gain
        }
        leftFrames -= ramp
    }
}
