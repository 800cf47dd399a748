import CALSA

/// Reads the capture control of a mixer (`snd_mixer_…`), and closes it again.
enum CaptureMixer {
    /// The mixer of a device: its card's, else the one of the same name.
    ///
    /// - Parameter card: the number of its card, or −1.
    static func name(ofDevice device: String, card: Int32) -> String {
        card >= 0 ? "hw:\(card)" : String(device.prefix { $0 != ":" })
    }

    /// The first control that has to do with capturing, or nil where there is none.
    ///
    /// - Parameter name: a control device of libasound, such as `hw:0` or `pulse`.
    static func volume(of name: String) -> CaptureVolume? {
        var mixer: OpaquePointer?
        guard snd_mixer_open(&mixer, 0) == 0, let mixer else { return nil }
        defer { snd_mixer_close(mixer) }
        guard snd_mixer_attach(mixer, name) == 0, snd_mixer_selem_register(mixer, nil, nil) == 0,
            snd_mixer_load(mixer) == 0
        else { return nil }
        var element = snd_mixer_first_elem(mixer)
        while let control = element {
            let hasVolume = snd_mixer_selem_has_capture_volume(control) != 0
            let hasSwitch = snd_mixer_selem_has_capture_switch(control) != 0
            if hasVolume || hasSwitch {
                return CaptureVolume(
                    percent: hasVolume ? percent(control) : nil, isMuted: hasSwitch ? isMuted(control) : nil)
            }
            element = snd_mixer_elem_next(control)
        }
        return nil
    }

    private static func percent(_ control: OpaquePointer) -> Int? {
        var (least, most, value) = (0, 0, 0)
        guard snd_mixer_selem_get_capture_volume_range(control, &least, &most) == 0, most > least,
            snd_mixer_selem_get_capture_volume(control, SND_MIXER_SCHN_FRONT_LEFT, &value) == 0
        else { return nil }
        return Int((Double(value - least) * 100 / Double(most - least)).rounded())
    }

    private static func isMuted(_ control: OpaquePointer) -> Bool? {
        var isOn: Int32 = 0
        guard snd_mixer_selem_get_capture_switch(control, SND_MIXER_SCHN_FRONT_LEFT, &isOn) == 0 else {
            return nil
        }
        return isOn == 0
    }
}
