import Glibc
import Sound

/// Sounds to test with, and what tests ask about them.
enum Tone {
    /// A sine in all channels, with as many bits on top as the layout has.
    static func sine(
        hertz: Double, seconds: Double, amplitude: Double = 0.5, in stream: StreamFormat
    ) -> [Int32] {
        let step = 2 * Double.pi * hertz / Double(stream.rate)
        let scale = Double(Int64(1) << (stream.bits - 1))
        var samples: [Int32] = []
        for frame in 0..<Int(seconds * Double(stream.rate)) {
            let value = (amplitude * sin(step * Double(frame)) * scale).rounded()
            let sample = Int32(max(-scale, min(scale - 1, value))) << Int32(32 - stream.bits)
            for _ in 0..<stream.channels { samples.append(sample) }
        }
        return samples
    }

    /// The frequency of one channel, by the times at which it rises through zero, without its ends.
    static func hertz(_ samples: [Int32], channel: Int = 0, of stream: StreamFormat) -> Double {
        let frames = samples.count / stream.channels
        var first = 0.0
        var last = 0.0
        var periods = -1
        for frame in (frames / 10)..<(frames * 9 / 10) {
            let before = Double(samples[frame * stream.channels + channel])
            let after = Double(samples[(frame + 1) * stream.channels + channel])
            guard before < 0, after >= 0 else { continue }
            last = Double(frame) - before / (after - before)
            if periods < 0 { first = last }
            periods += 1
        }
        return periods > 0 ? Double(periods) * Double(stream.rate) / (last - first) : 0
    }

    /// The greatest step from a sample to the next, of a possible 2.
    static func greatestStep(_ samples: [Int32]) -> Double {
        var greatest = 0.0
        for index in samples.indices.dropFirst() {
            greatest = max(greatest, abs(Double(samples[index]) - Double(samples[index - 1])))
        }
        return greatest * 0x1p-31
    }
}

extension PlaybackChain {
    /// All that comes out for these samples, given in blocks of so many frames, without what stays inside.
    func play(_ samples: [Int32], blockFrames: Int = 1_024) -> [Int32] {
        var output: [Int32] = []
        samples.withUnsafeBufferPointer { all in
            let size = blockFrames * source.channels
            for start in stride(from: 0, to: all.count, by: size) {
                output += process(.init(rebasing: all[start..<min(start + size, all.count)]))
            }
        }
        return output
    }

    /// All that comes out for these samples, to the end.
    func playToEnd(_ samples: [Int32], blockFrames: Int = 1_024) -> [Int32] {
        play(samples, blockFrames: blockFrames) + finish()
    }
}
