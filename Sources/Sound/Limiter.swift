import Glibc

/// Keeps sound below full scale by turning it down before it gets too loud, and up again slowly.
///
/// It looks 2 ms ahead: what every frame allows is held over that time, and the mean of the last 2 ms of it is
/// the factor, so that it comes down in a smooth line and is there when the peak is. It rises by 30 dB a
/// second, too slowly for the ear to take it for distortion. All channels have the same factor. What never
/// exceeds full scale passes unchanged.
final class Limiter {
    private let channels: Int
    /// How far it looks ahead, and how late the sound is therefore.
    private let aheadFrames: Int
    private let rise: Double
    private let held = GrowingBuffer<Float>()
    private var goneFrames = 0

    // The least that the last frames allow, found in a queue of ever greater values.
    private var queueGain: [Double]
    private var queueFrame: [Int]
    private var head = 0
    private var tail = 0
    private var frame = 0
    // What it has become by rising slowly, and the sum over as many frames.
    private var level = 1.0
    private var levels: [Double]
    private var sum: Double
    private var unityFrames: Int

    private static let aheadSeconds = 0.002
    private static let riseDecibelsPerSecond = 30.0

    init(rate: Int, channels: Int) {
        self.channels = channels
        aheadFrames = max(1, Int(Double(rate) * Self.aheadSeconds))
        rise = Gain.amplitude(decibels: Self.riseDecibelsPerSecond / Double(rate))
        queueGain = Array(repeating: 1, count: aheadFrames + 2)
        queueFrame = Array(repeating: 0, count: aheadFrames + 2)
        levels = Array(repeating: 1, count: aheadFrames + 1)
        sum = Double(aheadFrames + 1)
        unityFrames = aheadFrames + 1
    }

    /// How many frames went in and have not come out.
    var insideFrames: Int { held.count / channels - goneFrames }
    /// Whether it leaves the sound as it is, for the time being.
    var isIdle: Bool { unityFrames > aheadFrames }

    /// Forgets what is inside, and how loud it was.
    func reset() {
        held.clear()
        goneFrames = 0
        for index in levels.indices { levels[index] = 1 }
        rest()
    }

    /// Limits whole frames, full scale 1.
    ///
    /// - Parameter isLast: gives also what is still inside; nothing is afterwards.
    /// - Returns: what is ready, valid until the next call.
    func process(
        _ input: UnsafeMutableBufferPointer<Float>, isLast: Bool
    ) -> UnsafeMutableBufferPointer<Float> {
        held.removeFirst(goneFrames * channels)
        let old = held.count / channels
        held.append(input)
        let frames = held.count / channels
        let ready = isLast ? frames : max(0, frames - aheadFrames)
        let base = held.contents
        if !(isIdle && Self.peak(input) <= 1) {
            // Each frame that comes in decides about the one before which it looked ahead.
            for new in old..<(isLast ? frames + aheadFrames : frames) {
                let peak =
                    new < frames
                    ? Self.peak(.init(rebasing: base[new * channels..<(new + 1) * channels])) : 0
                let gain = Float(factor(peak: Double(peak)))
                let decided = new - aheadFrames
                if decided >= 0, gain != 1 {
                    for channel in 0..<channels { base[decided * channels + channel] *= gain }
                }
            }
        }
        goneFrames = ready
        let result = UnsafeMutableBufferPointer(rebasing: base[..<(ready * channels)])
        if isLast { reset() }
        return result
    }

    /// Takes in how loud the next frame is, and gives the factor of the one that leaves.
    private func factor(peak: Double) -> Double {
        let allowed = peak > 1 ? 1 / peak : 1
        let size = queueGain.count
        while tail > head, queueGain[(tail - 1) % size] >= allowed { tail -= 1 }
        queueGain[tail % size] = allowed
        queueFrame[tail % size] = frame
        tail += 1
        if queueFrame[head % size] < frame - aheadFrames { head += 1 }
        level = min(queueGain[head % size], level * rise)
        let slot = frame % levels.count
        sum += level - levels[slot]
        levels[slot] = level
        frame += 1
        unityFrames = level == 1 ? unityFrames + 1 : 0
        if isIdle { rest() }
        return min(1, sum / Double(levels.count))
    }

    /// As at the beginning: sums are exact again.
    private func rest() {
        head = 0
        tail = 0
        frame = 0
        level = 1
        sum = Double(levels.count)
        unityFrames = levels.count
    }

    private static func peak(_ samples: UnsafeMutableBufferPointer<Float>) -> Float {
        var peak: Float = 0
        var index = 0
        while index < samples.count {
            peak = max(peak, abs(samples[index]))
            index &+= 1
        }
        return peak
    }
}
