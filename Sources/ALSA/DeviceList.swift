import CALSA
import Glibc

/// The devices of this machine.
public enum DeviceList {
    /// All devices that libasound lists (`snd_device_name_hint`) and that can be opened now, in its order.
    ///
    /// Each is opened for a moment, without blocking; that starts no sound. A device that somebody else has
    /// for himself is not listed.
    public static func all() -> [Device] {
        PCM.keepLibraryQuiet()
        var hints: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
        guard snd_device_name_hint(-1, "pcm", &hints) == 0, let hints else { return [] }
        defer { snd_device_name_free_hint(hints) }
        var devices: [Device] = []
        var next = hints
        while let hint = next.pointee {
            next += 1
            guard let name = text(hint, "NAME"), name != "null", !PCM.isJACK(name) else { continue }
            let direction = text(hint, "IOID")
            let capture = direction == "Output" ? nil : range(name, SND_PCM_STREAM_CAPTURE)
            let playback = direction == "Input" ? nil : range(name, SND_PCM_STREAM_PLAYBACK)
            guard capture != nil || playback != nil else { continue }
            let description = text(hint, "DESC")?.split(separator: "\n").joined(separator: ", ")
            devices.append(
                Device(
                    name: name, description: description ?? "", capture: capture?.range,
                    playback: playback?.range,
                    captureVolume: capture.flatMap {
                        CaptureMixer.volume(of: CaptureMixer.name(ofDevice: name, card: $0.card))
                    }))
        }
        return devices
    }

    /// The capture volume of a mixer; nil where there is none.
    ///
    /// - Parameter mixer: as ``CaptureDevice/mixer`` has it.
    public static func captureVolume(of mixer: String) -> CaptureVolume? {
        PCM.keepLibraryQuiet()
        return CaptureMixer.volume(of: mixer)
    }

    private static func text(_ hint: UnsafeMutableRawPointer, _ key: String) -> String? {
        guard let text = snd_device_name_get_hint(hint, key) else { return nil }
        defer { free(text) }
        return String(cString: text)
    }

    /// What a device takes in one direction, and the number of its card, −1 where it has none.
    private static func range(
        _ name: String, _ stream: snd_pcm_stream_t
    ) -> (range: DeviceRange, card: Int32)? {
        var handle: OpaquePointer?
        guard snd_pcm_open(&handle, name, stream, Int32(SND_PCM_NONBLOCK)) == 0, let handle else {
            return nil
        }
        defer { snd_pcm_close(handle) }
        var parameters: OpaquePointer?
        snd_pcm_hw_params_malloc(&parameters)
        defer { snd_pcm_hw_params_free(parameters) }
        guard snd_pcm_hw_params_any(handle, parameters) >= 0 else { return nil }
        var (leastRate, mostRate, leastChannels, mostChannels): (UInt32, UInt32, UInt32, UInt32) = (
            0, 0, 0, 0
        )
        var direction: Int32 = 0
        snd_pcm_hw_params_get_rate_min(parameters, &leastRate, &direction)
        snd_pcm_hw_params_get_rate_max(parameters, &mostRate, &direction)
        snd_pcm_hw_params_get_channels_min(parameters, &leastChannels)
        snd_pcm_hw_params_get_channels_max(parameters, &mostChannels)
        guard leastRate <= mostRate, leastChannels <= mostChannels else { return nil }
        let range = DeviceRange(
            rates: Int(leastRate)...Int(mostRate), channels: Int(leastChannels)...Int(mostChannels))
        return (range, PCM.card(of: handle))
    }
}
