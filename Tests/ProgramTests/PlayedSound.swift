import Foundation

/// Samples of 16 bits, one channel, as they came out of the program, and what can be measured of them.
struct PlayedSound {
    let samples: [Int16]

    /// What was played, without the silence that fills the device's last period.
    init(_ data: Data) {
        let all = data.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
        samples = Array(all[..<(all.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0)])
    }

    init(_ samples: [Int16]) {
        self.samples = samples
    }

    /// One of two channels.
    func channel(_ channel: Int) -> PlayedSound {
        PlayedSound(stride(from: channel, to: samples.count, by: 2).map { samples[$0] })
    }

    /// How loud it is on average, in decibels of full scale.
    var rmsDecibels: Double {
        let sum = samples.reduce(0.0) { $0 + pow(Double($1) / 32_768, 2) }
        return 10 * log10(sum / Double(max(1, samples.count)))
    }

    /// The lengths of the stretches above and below zero, without the first and the last.
    var halfWaves: [Int] {
        var lengths: [Int] = []
        var length = 0
        var isAbove = true
        for sample in samples where sample != 0 {
            if (sample > 0) == isAbove {
                length += 1
            } else {
                lengths.append(length)
                (length, isAbove) = (1, sample > 0)
            }
        }
        return Array(lengths.dropFirst())
    }

    /// How often a tone goes up through zero in a second, between its first and its last time.
    func frequency(rate: Int) -> Double {
        let ups = samples.indices.dropFirst().filter { samples[$0 - 1] < 0 && samples[$0] >= 0 }
        guard let first = ups.first, let last = ups.last, last > first else { return 0 }
        return Double((ups.count - 1) * rate) / Double(last - first)
    }

    /// The pitch of a voice, in hertz: the median of what the autocorrelation says of every piece of 25 ms in
    /// which a period is plain to see.
    func pitch(rate: Int) -> Double {
        // Half the samples tell it as well, in a quarter of the time.
        let rate = rate / 2
        let samples = stride(from: 0, to: self.samples.count - 1, by: 2).map {
            (Double(self.samples[$0]) + Double(self.samples[$0 + 1])) / 2
        }
        let piece = rate / 40
        let periods = rate / 300...rate / 70
        var pitches: [Double] = []
        for start in stride(from: 0, to: samples.count - 2 * piece, by: piece / 4) {
            let sound = Array(samples[start..<start + 2 * piece])
            let energy = sound[..<piece].reduce(0) { $0 + $1 * $1 }
            guard energy / Double(piece) > 1e6 else { continue }
            let likeness = periods.map { period -> Double in
                var product = 0.0
                var shifted = 0.0
                for index in 0..<piece {
                    product += sound[index] * sound[index + period]
                    shifted += sound[index + period] * sound[index + period]
                }
                return product / max(1, (energy * shifted).squareRoot())
            }
            guard let best = likeness.max(), best > 0.8,
                let at = likeness.firstIndex(where: { $0 > best * 0.97 }),
                let top = (at..<min(at + 8, likeness.count)).max(by: { likeness[$0] < likeness[$1] }),
                top > 0, top + 1 < likeness.count
            else { continue }
            // A parabola through the best one and its neighbours: a period is no whole number of samples.
            let (left, middle, right) = (likeness[top - 1], likeness[top], likeness[top + 1])
            let shift = (left - right) / (2 * (left - 2 * middle + right))
            pitches.append(Double(rate) / (Double(periods.lowerBound + top) + shift))
        }
        return pitches.isEmpty ? 0 : pitches.sorted()[pitches.count / 2]
    }

    /// A tone of 16 bits.
    static func tone(
        hertz: Double, amplitude: Double, frames: Int, rate: Int = 48_000
    ) -> [Int16] {
        (0..<frames).map { Int16(amplitude * 32_767 * sin(2 * .pi * hertz * Double($0) / Double(rate))) }
    }
}
