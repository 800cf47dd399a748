public import ALSA
public import Engine

// The engine knows frames and no devices, the devices know no engine: here the one is the other.

extension CaptureDevice: FrameSource {}
extension PlaybackDevice: FrameSink {}
