import CALSA
import CALSAMessages
import Glibc
import Linux
import Sound

/// The one owner of a PCM handle of libasound, always non-blocking: `snd_pcm_wait`, blocking reads, writes
/// and `snd_pcm_drain` can each fail to return.
final class PCM {
    enum Direction {
        case capture, playback

        var verb: String { self == .capture ? "record from" : "play to" }
        var code: snd_pcm_stream_t {
            self == .capture ? SND_PCM_STREAM_CAPTURE : SND_PCM_STREAM_PLAYBACK
        }
        /// A period is what a kill can lose and what a key waits for; the buffer bridges a busy machine.
        var periodMicroseconds: UInt32 { 20_000 }
        var bufferMicroseconds: UInt32 { self == .capture ? 500_000 : 100_000 }
    }

    let handle: OpaquePointer
    let attempt: String
    private(set) var rate = 0
    private(set) var channels = 0
    private(set) var sampleFormat = SampleFormat.bits16
    private(set) var bufferFrames = 0
    private var descriptors: UnsafeMutableBufferPointer<pollfd>
    private var recovery = RecoveryPolicy()

    private static let handler: Void = alsa_messages_install()

    /// Has libasound keep its words, on all threads, rather than print them.
    static func keepLibraryQuiet() {
        _ = handler
    }

    /// Whether a device's name leads to JACK, whose library prints on standard error whatever is set.
    static func isJACK(_ name: String) -> Bool {
        name.split { !$0.isLetter && !$0.isNumber }.contains("jack")
    }

    /// The number of a device's card, or −1 where it has none.
    static func card(of handle: OpaquePointer) -> Int32 {
        var information: OpaquePointer?
        snd_pcm_info_malloc(&information)
        defer { snd_pcm_info_free(information) }
        return snd_pcm_info(handle, information) == 0 ? snd_pcm_info_get_card(information) : -1
    }

    /// Opens a device and agrees on a layout (`snd_pcm_open`, `snd_pcm_hw_params`).
    ///
    /// The rate is the nearest that the device has; the channels are as asked, but for a recording of one, and
    /// for what is played: that is mixed to what the device takes.
    init(device: String, direction: Direction, wanted: StreamFormat) throws(DeviceError) {
        Self.keepLibraryQuiet()
        alsa_messages_clear()
        attempt = "\(direction.verb) \(device)"
        guard !Self.isJACK(device) else {
            throw DeviceError(attempt: attempt, reason: "JACK is not supported", advice: Self.advice())
        }
        var handle: OpaquePointer?
        let code = snd_pcm_open(&handle, device, direction.code, Int32(SND_PCM_NONBLOCK))
        guard code == 0, let handle else {
            let reason = code == -ENOENT ? "there is no such device" : String(cString: snd_strerror(code))
            throw DeviceError(attempt: attempt, reason: reason, advice: Self.advice(code))
        }
        self.handle = handle
        descriptors = .init(start: nil, count: 0)
        try setHardware(direction, wanted)
        try setSoftware()
        let count = max(0, snd_pcm_poll_descriptors_count(handle))
        descriptors = .allocate(capacity: Int(count) + 1)
        descriptors.initialize(repeating: pollfd(fd: -1, events: Int16(POLLIN), revents: 0))
        snd_pcm_poll_descriptors(handle, descriptors.baseAddress, UInt32(count))
    }

    /// What a person can do about a device that was not opened (`snd_pcm_open`).
    private static func advice(_ code: Int32 = 0) -> String {
        code == -ECONNREFUSED
            ? "Is a sound server running?" : "'tomorrow devices' lists what there is; -D chooses one."
    }

    deinit {
        descriptors.deallocate()
        snd_pcm_close(handle)
    }

    private func setHardware(_ direction: Direction, _ wanted: StreamFormat) throws(DeviceError) {
        var parameters: OpaquePointer?
        snd_pcm_hw_params_malloc(&parameters)
        defer { snd_pcm_hw_params_free(parameters) }
        try check(snd_pcm_hw_params_any(handle, parameters))
        try check(snd_pcm_hw_params_set_access(handle, parameters, SND_PCM_ACCESS_RW_INTERLEAVED))
        guard
            let format = SampleFormat.preferred(forBits: wanted.bits).first(where: {
                snd_pcm_hw_params_test_format(handle, parameters, $0.code) == 0
            })
        else { throw DeviceError(attempt: attempt, reason: "it has none of the sample formats we know") }
        try check(snd_pcm_hw_params_set_format(handle, parameters, format.code))
        let channels = try setChannels(wanted.channels, direction, parameters)
        var rate = UInt32(wanted.rate)
        try check(snd_pcm_hw_params_set_rate_near(handle, parameters, &rate, nil))
        var microseconds = direction.periodMicroseconds
        _ = snd_pcm_hw_params_set_period_time_near(handle, parameters, &microseconds, nil)
        microseconds = direction.bufferMicroseconds
        _ = snd_pcm_hw_params_set_buffer_time_near(handle, parameters, &microseconds, nil)
        try check(snd_pcm_hw_params(handle, parameters))
        var frames: snd_pcm_uframes_t = 0
        try check(snd_pcm_hw_params_get_buffer_size(parameters, &frames))
        self.rate = Int(rate)
        self.channels = channels
        sampleFormat = format
        bufferFrames = Int(frames)
    }

    /// Agrees on the channels: as many as are wanted; or, to record one, as few as the device has; or, to play, the
    /// nearest number.
    private func setChannels(
        _ wanted: Int, _ direction: Direction, _ parameters: OpaquePointer?
    ) throws(DeviceError) -> Int {
        // A plug takes any number, and mixes by counting, whatever a channel is: to two we mix better ourselves.
        if direction == .playback, wanted > 2, snd_pcm_type(handle) == SND_PCM_TYPE_PLUG,
            snd_pcm_hw_params_set_channels(handle, parameters, 2) == 0
        {
            return 2
        }
        if snd_pcm_hw_params_set_channels(handle, parameters, UInt32(wanted)) == 0 { return wanted }
        var least: UInt32 = 0
        var most: UInt32 = 0
        snd_pcm_hw_params_get_channels_min(parameters, &least)
        snd_pcm_hw_params_get_channels_max(parameters, &most)
        if wanted == 1, direction == .capture,
            snd_pcm_hw_params_set_channels(handle, parameters, least) == 0
        {
            return Int(least)
        }
        var nearest = UInt32(wanted)
        if direction == .playback,
            snd_pcm_hw_params_set_channels_near(handle, parameters, &nearest) == 0
        {
            return Int(nearest)
        }
        throw DeviceError(
            attempt: attempt,
            reason: "it has \(least == most ? "\(least)" : "\(least) to \(most)") channels, not \(wanted)",
            advice: "--channels \(least) records what it has; 'plughw:' before a card's number converts.")
    }

    /// Own software parameters: wake for every period, start when the buffer is full.
    private func setSoftware() throws(DeviceError) {
        var parameters: OpaquePointer?
        snd_pcm_sw_params_malloc(&parameters)
        defer { snd_pcm_sw_params_free(parameters) }
        var buffer: snd_pcm_uframes_t = 0
        var period: snd_pcm_uframes_t = 0
        try check(snd_pcm_get_params(handle, &buffer, &period))
        try check(snd_pcm_sw_params_current(handle, parameters))
        try check(snd_pcm_sw_params_set_start_threshold(handle, parameters, buffer))
        try check(snd_pcm_sw_params_set_avail_min(handle, parameters, period))
        try check(snd_pcm_sw_params(handle, parameters))
    }

    func check(_ code: Int32) throws(DeviceError) {
        if code < 0 { throw DeviceError(attempt: attempt, code: code) }
    }

    /// Waits until the device is ready or in trouble, or the wake-up is raised, and says whether the
    /// caller should try the device again. Allocates nothing.
    func wait(waking wakeUp: WakeUp, milliseconds: Int32 = -1) -> Bool {
        let count = descriptors.count - 1
        descriptors[count].fd = wakeUp.descriptor.number
        let ready = poll(descriptors.baseAddress, nfds_t(descriptors.count), milliseconds)
        if descriptors[count].revents != 0 { return false }
        if ready > 0 {
            var events: UInt16 = 0
            snd_pcm_poll_descriptors_revents(handle, descriptors.baseAddress, UInt32(count), &events)
        }
        return true
    }

    /// Brings the stream back after an error of a read or a write.
    ///
    /// - Parameter code: what the library answered, below 0.
    /// - Throws: ``DeviceError`` when the device is gone, or does not come back within the policy's tries.
    func recover(from code: Int32, waking wakeUp: WakeUp) throws(DeviceError) {
        switch recovery.action(for: code) {
        case .prepare:
            try check(snd_pcm_prepare(handle))
        case .resume:
            // An answer of 0 means nothing until the state has changed.
            if snd_pcm_resume(handle) == -ENOSYS { try check(snd_pcm_prepare(handle)) }
            if snd_pcm_state(handle) == SND_PCM_STATE_SUSPENDED { wakeUp.wait(milliseconds: 50) }
        case .giveUp:
            throw DeviceError(attempt: attempt, code: code, advice: "Is it still plugged in?")
        }
    }

    func succeeded() {
        recovery.succeeded()
    }
}
