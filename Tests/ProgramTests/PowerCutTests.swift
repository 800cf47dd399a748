import Foundation
import TestSupport
import Testing

/// The power is cut when a command has ended; the campaign has the moments before that (`Scripts/torture`).
@Suite struct PowerCutTests {
    /// Runs a command, and cuts the power.
    private func cut(_ rig: Rig, after command: [String]) throws {
        let power = try PowerCut(rig)
        let environment = rig.environment(at: nil, struckAt: FaultPoint(.killBefore, 0))
        let ended = try Child([Rig.program] + command, environment: environment.merging(power.shadow) { $1 })
            .finish()
        #expect(ended.status == 0, "\(ended.notes)")
        try power.cut()
    }

    @Test func aMemoThatWasDeletedDoesNotComeBack() throws {
        let rig = try FileRig()
        let record = ["record", "-y", "-D", "mic", "-d", "0.1"]
        for _ in 0..<2 { try #require(try rig.start(record).finish().status == 0) }
        try cut(rig, after: ["delete", "1", "-y"])
        try rig.run("expire")
        #expect(try rig.memos("--all").compactMap { $0["id"] as? Int } == [2])
        #expect(rig.folder.names(in: "store/audio").count == 1)
    }

    @Test(arguments: ["flac", "wav", "opus", "vorbis", "mp3", "alac"])
    func aMemoThatWasSavedIsThere(format: String) throws {
        let rig = try FileRig()
        try rig.run("record", "-y", "-D", "mic", "-d", "0.1")
        try cut(rig, after: ["record", "-y", "-D", "mic", "-d", "0.5", "-f", format, "-t", "saved"])
        let memo = try rig.memos("--all").last
        #expect(memo?["title"] as? String == "saved" && memo?["interrupted"] as? Bool == false)
        #expect(memo?["format"] as? String == format && memo?["duration_seconds"] as? Double == 0.5)
    }
}
