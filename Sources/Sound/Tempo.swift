import CSonic

/// Makes sound faster or slower and leaves its pitch (libsonic, which leaves out or repeats pitch periods).
///
/// libsonic counts in whole samples and rounds each piece down: at 16 kHz and 2.5 times the speed it is a
/// second early after two minutes (measured). So the speed that it is given is moved by what has come out too
/// much or too little: over a few seconds, the length is right. It keeps 16 bits and wraps what is louder than
/// full scale, which is therefore cut; at speed 1 it is not asked at all.
final class Tempo {
    /// From half to three times as fast; exactly 1 leaves the sound as it is.
    var speed = 1.0 {
        didSet {
            // How much is inside is known by what went in and came out at one speed, which is now another.
            if isActive, speed != oldValue, speed != 1 { inside = usual }
        }
    }
    /// Whether some sound may be inside.
    private(set) var isActive = false

    private var stream: sonicStream?
    private var inside = 0.0
    private let usual: Double
    private let rate: Int
    private let channels: Int
    private let output = GrowingBuffer<Float>()
    private let short = GrowingBuffer<Int16>()

    /// What libsonic has inside, on average: between nothing and two of the longest pitch periods.
    private static let usualSeconds = 0.02
    /// How much slower it gets, as a part of the speed, for each second that seems to be inside too much.
    private static let correction = 1.0
    private static let mostCorrection = 0.04

    init(rate: Int, channels: Int) {
        // It looks for voices of 65 to 400 hertz, and divides by the length of a period in samples.
        self.rate = max(rate, 4_000)
        self.channels = channels
        usual = Double(rate) * Self.usualSeconds
    }

    deinit {
        if let stream { sonicDestroyStream(stream) }
    }

    /// How many frames went in and have not come out, within 45 ms (measured).
    var insideFrames: Double { max(0, inside) }

    /// Forgets what is inside.
    func reset() {
        // libsonic cannot empty a stream.
        if let stream { sonicDestroyStream(stream) }
        stream = nil
        isActive = false
        inside = 0
    }

    /// Changes the speed of whole frames, full scale 1.
    ///
    /// - Parameter isLast: gives also what is still inside; nothing is afterwards.
    /// - Returns: what is ready, valid until the next call; at speed 1, the input.
    func process(
        _ input: UnsafeMutableBufferPointer<Float>, isLast: Bool
    ) -> UnsafeMutableBufferPointer<Float> {
        guard speed != 1 || isActive else { return input }
        output.clear()
        if speed == 1 {
            drain()
            output.append(input)
            return output.contents
        }
        isActive = true
        write(input)
        if isLast { end() }
        return output.contents
    }

    private func write(_ input: UnsafeMutableBufferPointer<Float>) {
        let stream = opened()
        short.clear()
        let shorts = short.extend(by: input.count)
        var index = 0
        while index < input.count {
            shorts[index] = Int16(max(-32_768, min(32_767, (input[index] * 32_768).rounded())))
            index &+= 1
        }
        sonicSetSpeed(stream, Float(corrected()))
        sonicWriteShortToStream(stream, shorts.baseAddress, Int32(input.count / channels))
        inside += Double(input.count / channels)
        inside -= Double(read(most: .max)) * speed
    }

    /// Never across 1, where libsonic changes its method.
    private func corrected() -> Double {
        let part = (inside - usual) / Double(rate) * Self.correction
        let moved = speed * (1 - max(-Self.mostCorrection, min(Self.mostCorrection, part)))
        return speed > 1 ? max(moved, (1 + speed) / 2) : min(moved, (1 + speed) / 2)
    }

    /// Back at speed 1, libsonic copies what it holds, and the sound goes on where it was.
    private func drain() {
        let stream = opened()
        sonicSetSpeed(stream, 1)
        sonicWriteShortToStream(stream, nil, 0)
        _ = read(most: .max)
        reset()
    }

    /// Silence pushes out what libsonic holds; as much of it counts as the length asks for.
    private func end() {
        let wanted = Int((insideFrames / speed).rounded())
        let silence = rate / 5 * channels
        short.clear()
        short.extend(by: silence).initialize(repeating: 0)
        sonicWriteShortToStream(opened(), short.contents.baseAddress, Int32(silence / channels))
        let found = read(most: wanted)
        output.extend(by: (wanted - found) * channels).initialize(repeating: 0)
        reset()
    }

    /// Moves what is ready to the output, at most so many frames.
    ///
    /// - Returns: how many there were.
    private func read(most: Int) -> Int {
        let stream = opened()
        let frames = min(most, Int(sonicSamplesAvailable(stream)))
        short.clear()
        let shorts = short.extend(by: frames * channels)
        sonicReadShortFromStream(stream, shorts.baseAddress, Int32(frames))
        let floats = output.extend(by: shorts.count)
        var index = 0
        while index < shorts.count {
            floats[index] = Float(shorts[index]) / 32_768
            index &+= 1
        }
        return frames
    }

    private func opened() -> sonicStream {
        if let stream { return stream }
        guard let made = sonicCreateStream(Int32(rate), Int32(channels)) else {
            fatalError("sonicCreateStream: out of memory")
        }
        // A period that is wrong by half a sample is heard where there are few: at 8 kHz and three times the
        // speed a tone is 2 % too low, and 0.8 % with the exact search. At 44.1 kHz it is 0.6 % without.
        sonicSetQuality(made, rate < 32_000 ? 1 : 0)
        stream = made
        return made
    }
}
