public import Linux
public import Sound

/// Where a recording comes from: a device, as the engine sees it.
///
/// All calls but the initialiser's are made on the capture thread. None may allocate while sound flows, and
/// none may wait for longer than the wake-up allows.
public protocol FrameSource: AnyObject, Sendable {
    /// What the device really granted.
    var stream: StreamFormat { get }

    /// Lets the sound begin.
    ///
    /// - Throws: when the device cannot start.
    func start() throws

    /// Waits until there are frames, or the wake-up is raised, and takes what is there.
    ///
    /// - Parameters:
    ///   - samples: room for whole frames, interleaved, 32 bits a sample.
    ///   - wakeUp: ends the wait.
    /// - Returns: how many frames were taken; 0 when there were none.
    /// - Throws: when the device is gone. What the source could recover from is not thrown.
    func read(into samples: UnsafeMutableBufferPointer<Int32>, waking wakeUp: WakeUp) throws -> Int

    /// The frames that the device has and nobody has read.
    var availableFrames: Int { get }

    /// How often the device has lost frames and said so.
    var lossCount: Int { get }

    /// Lets go of the device. It may hang with a sound server that hangs.
    func close()
}
