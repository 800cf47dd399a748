import CSampleRate

/// Brings sound to another rate (libsamplerate, its middle quality).
///
/// The fastest takes half the time, but of a telephone's 8 kHz it takes away all above 3 kHz: −9 dB at
/// 3.4 kHz. The middle one leaves that alone and takes 1.3 % of a core for one channel (measured).
final class Resampler {
    private let state: OpaquePointer
    private let channels: Int
    private let ratio: Double
    private let output = GrowingBuffer<Float>()
    private var takenFrames = 0.0
    private var givenFrames = 0.0

    /// - Parameters:
    ///   - rate: frames a second that come in.
    ///   - target: frames a second that go out.
    init(from rate: Int, to target: Int, channels: Int) {
        self.channels = channels
        // The ratios that libsamplerate takes; a stranger file is heard at another pitch.
        ratio = max(1.0 / 256, min(256, Double(target) / Double(rate)))
        var error: Int32 = 0
        guard let state = src_new(Int32(SRC_SINC_MEDIUM_QUALITY), Int32(channels), &error) else {
            fatalError("src_new: \(String(cString: src_strerror(error)))")
        }
        self.state = state
    }

    deinit {
        src_delete(state)
    }

    /// How many frames, as they came in, have not gone out.
    var insideFrames: Double { max(0, takenFrames - givenFrames / ratio) }

    /// Forgets what is inside.
    func reset() {
        src_reset(state)
        takenFrames = 0
        givenFrames = 0
    }

    /// Converts whole frames, full scale 1; the result may exceed it.
    ///
    /// - Parameter isLast: gives also what is still inside, to the very frame; nothing is afterwards.
    /// - Returns: what is ready, valid until the next call.
    func process(
        _ input: UnsafeMutableBufferPointer<Float>, isLast: Bool
    ) -> UnsafeMutableBufferPointer<Float> {
        output.clear()
        let frames = input.count / channels
        takenFrames += Double(frames)
        var used = 0
        var given = 0
        repeat {
            let room = Int(Double(frames - used) * ratio) + 256
            let free = output.extend(by: room * channels)
            var data = SRC_DATA()
            // It wants an address even where nothing comes in, and not that of the output.
            data.data_in = UnsafePointer(
                input.baseAddress.map { $0 + used * channels } ?? free.baseAddress! + free.count)
            data.data_out = free.baseAddress
            data.input_frames = frames - used
            data.output_frames = room
            data.end_of_input = isLast ? 1 : 0
            data.src_ratio = ratio
            let error = src_process(state, &data)
            precondition(error == 0, String(cString: src_strerror(error)))
            used += data.input_frames_used
            given = data.output_frames_gen
            output.removeLast((room - given) * channels)
            givenFrames += Double(given)
        } while used < frames || (isLast && given > 0)
        if isLast { end() }
        return output.contents
    }

    /// The last frame more or less that rounding has made.
    private func end() {
        let missing = Int((takenFrames * ratio).rounded() - givenFrames)
        if missing > 0 {
            output.extend(by: missing * channels).initialize(repeating: 0)
        } else {
            output.removeLast(min(-missing * channels, output.count))
        }
        reset()
    }
}
