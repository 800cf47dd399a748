public import Linux
public import Sound

/// Where a memo is played to: a device, as the engine sees it. All calls are made on the player's thread.
public protocol FrameSink: AnyObject, Sendable {
    /// What the device really granted.
    var stream: StreamFormat { get }

    /// Waits until there is room, or the wake-up is raised, and gives what fits.
    ///
    /// - Parameters:
    ///   - samples: whole frames, interleaved, 32 bits a sample, in the layout of ``stream``.
    ///   - wakeUp: ends the wait.
    /// - Returns: how many frames were taken; 0 when the wait was ended.
    /// - Throws: when the device is gone, or takes nothing any more.
    func write(_ samples: UnsafeBufferPointer<Int32>, waking wakeUp: WakeUp) throws -> Int

    /// The frames that were taken and not heard yet.
    var delayFrames: Int { get }

    /// Waits until the last frame was heard, or the wake-up is raised; bounded in time.
    ///
    /// - Returns: whether it was heard.
    /// - Throws: when the device is gone.
    func drain(waking wakeUp: WakeUp) throws -> Bool

    /// Forgets what was taken and not heard yet; the device is ready for more then.
    ///
    /// - Throws: when the device is gone.
    func drop() throws

    /// Lets go of the device; what it has not played is dropped. It may hang with a sound server that hangs.
    func close()
}
