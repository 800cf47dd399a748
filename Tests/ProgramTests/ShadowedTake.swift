import Foundation
import Linux
import TestSupport
import Testing

/// A take under way, in real time, whose synced state is kept beside it: what a power cut would leave.
struct ShadowedTake {
    let rig: FaultyCardRig
    let power: PowerCut
    let recording: Child
    /// When it was said to record, by a clock that only goes forward, in milliseconds.
    let began: Int64

    /// Begins one in a format.
    init(_ format: String) throws {
        rig = try FaultyCardRig("rate 48000")
        try FileManager.default.createDirectory(
            atPath: rig.folder.file("store"), withIntermediateDirectories: true)
        power = try PowerCut(rig)
        let environment = rig.environment(at: nil, struckAt: FaultPoint(.killBefore, 0))
        recording = try Child(
            [Rig.program, "record", "-y", "-D", "mic", "-f", format],
            environment: environment.merging(power.shadow) { $1 })
        #expect(recording.waits(for: "Recording"))
        began = MonotonicClock.milliseconds
    }
}
