import CEBUR128
import Glibc

/// How loud a whole piece of sound is to the ear (EBU R 128, by libebur128). For one thread.
public final class Loudness {
    /// What memos are brought to, in LUFS: between television's −23 and a podcast's −16.
    public static let evenLUFS = -18.0
    /// The most by which a quiet memo is lifted, in decibels: its noise is lifted too.
    public static let mostLiftDecibels = 24.0

    private var state: UnsafeMutablePointer<ebur128_state>?
    private let stream: StreamFormat
    private var frames = 0

    /// The gate of the standard's integrated loudness: what is below is silence.
    private static let silenceLUFS = -70.0
    /// The standard looks at pieces of this length; of a shorter sound there is none.
    private static let blockSeconds = 0.4

    /// - Parameter stream: the layout of the sound. One of which libebur128 knows nothing, of less than 16
    ///   hertz perhaps, has no loudness.
    public init(stream: StreamFormat) {
        self.stream = stream
        state = ebur128_init(
            UInt32(stream.channels), UInt(stream.rate), Int32(EBUR128_MODE_I.rawValue))
        guard let state else { return }
        for (channel, position) in ChannelPosition.layout(channels: stream.channels).enumerated() {
            ebur128_set_channel(state, UInt32(channel), Int32(Self.place(position).rawValue))
        }
    }

    deinit {
        if state != nil { ebur128_destroy(&state) }
    }

    /// Takes in whole frames, interleaved, 32 bits a sample with the sound on top (`ebur128_add_frames_int`).
    public func measure(_ samples: UnsafeBufferPointer<Int32>) {
        guard let state, let base = samples.baseAddress else { return }
        ebur128_add_frames_int(state, base, samples.count / stream.channels)
        frames += samples.count / stream.channels
    }

    /// The loudness of all that was taken in, in LUFS; nil for silence.
    ///
    /// Of less than 400 ms there is no integrated loudness, and libebur128 answers −∞. Then it is that of the
    /// 400 ms that end with the sound, as if it had filled them.
    public var integratedLUFS: Double? {
        guard let state, frames > 0 else { return nil }
        var loudness = 0.0
        let seconds = Double(frames) / Double(stream.rate)
        if seconds < Self.blockSeconds {
            guard ebur128_loudness_momentary(state, &loudness) == EBUR128_SUCCESS.rawValue else { return nil }
            loudness += 10 * log10(Self.blockSeconds / seconds)
        } else {
            guard ebur128_loudness_global(state, &loudness) == EBUR128_SUCCESS.rawValue else { return nil }
        }
        return loudness > Self.silenceLUFS ? loudness : nil
    }

    /// What brings sound of this loudness to ``evenLUFS``, in decibels. A quiet one is lifted by at most
    /// ``mostLiftDecibels``; a loud one is lowered all the way, as one level is one level.
    public static func evenGainDecibels(lufs: Double) -> Double {
        min(mostLiftDecibels, evenLUFS - lufs)
    }

    /// One channel is heard from two loudspeakers; low-frequency effects do not count (ITU-R BS.1770).
    private static func place(_ position: ChannelPosition) -> channel {
        switch position {
        case .everywhere: EBUR128_DUAL_MONO
        case .frontLeft: EBUR128_LEFT
        case .frontRight: EBUR128_RIGHT
        case .frontCentre: EBUR128_CENTER
        case .backLeft: EBUR128_LEFT_SURROUND
        case .backRight: EBUR128_RIGHT_SURROUND
        case .backCentre: EBUR128_Mp180
        case .sideLeft: EBUR128_Mp090
        case .sideRight: EBUR128_Mm090
        case .lowFrequency, .unknown: EBUR128_UNUSED
        }
    }
}
