import Foundation
import TestSupport
import Testing

/// What comes out is what went in, to the last bit.
@Suite struct BitExactTests {
    @Test(arguments: ["flac", "wav"], [16, 24])
    func twoMinutesComeBackBitForBit(format: String, bits: Int) throws {
        let frames = 120 * 48_000
        let said = bits == 16 ? Noise.bits16(frames: frames + 48_000) : Noise.bits24(frames: frames + 48_000)
        let rig = try FileRig(microphone: said)
        let today = Rig.Clock("2026-11-30 09:00:00")
        let recorded = try rig.run(
            "record", "-D", "mic", "-d", "2:00", "-f", format, "-b", "\(bits)", "--json", at: today)
        #expect(recorded.status == 0)
        let memo = try #require(Rig.object(recorded.output)["memo"] as? [String: Any])
        #expect(memo["bits"] as? Int == bits)
        #expect(memo["duration_seconds"] as? Double == 120)
        #expect(try rig.run("play", "1", "-D", "speaker", at: today.adding(seconds: 86_400)).status == 0)
        let played = rig.takePlayed()
        let bytes = frames * (bits == 16 ? 2 : 4)
        #expect(played.count >= bytes)
        #expect(played.prefix(bytes) == said.prefix(bytes))
        #expect(played.dropFirst(bytes).allSatisfy { $0 == 0 })
    }

    @Test(arguments: [1, 7, 100, 479, 480, 481, 4_095, 4_097, 48_000])
    func aMemoOfAnyLengthIsPlayedToItsLastFrame(frames: Int) throws {
        let said = Noise.bits16(frames: 96_000, channels: 2)
        let rig = try FileRig(microphone: said)
        let today = Rig.Clock("2026-11-30 09:00:00")
        let seconds = Double(frames) / 8_000
        let recorded = try rig.run(
            "record", "-D", "mic", "--channels", "2", "-r", "8000", "-d", "\(seconds)", "--json", at: today)
        let memo = try #require(Rig.object(recorded.output)["memo"] as? [String: Any])
        #expect(memo["duration_seconds"] as? Double == seconds)
        #expect(try rig.run("play", "-D", "speaker", at: today.adding(seconds: 86_400)).status == 0)
        let played = rig.takePlayed()
        #expect(played.prefix(frames * 4) == said.prefix(frames * 4))
        #expect(played.dropFirst(frames * 4).allSatisfy { $0 == 0 })
    }
}
