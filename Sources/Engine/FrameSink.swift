public import Linux

/// Where a memo is played to: a device, as the engine sees it. All calls are made on the player's thread.
public protocol FrameSink: AnyObject, Sendable {
    /// Waits until there is room, or the wake-up is raised, and gives what fits.
    ///
    /// - Parameters:
    ///   - samples: whole frames, interleaved, 32 bits a sample, in the layout the sink was opened with.
    ///   - wakeUp: ends the wait.
    /// - Returns: how many frames were taken; 0 when the wait was ended.
    /// - Throws: when the device is gone.
    func write(_ samples: UnsafeBufferPointer<Int32>, waking wakeUp: WakeUp) throws -> Int

    /// Waits until the last frame was heard, or the wake-up is raised; bounded in time.
    ///
    /// - Throws: when the device is gone.
    func drain(waking wakeUp: WakeUp) throws

    /// Lets go of the device; what it has not played is dropped.
    func close()
}
