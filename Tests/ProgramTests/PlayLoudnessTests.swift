import Foundation
import TestSupport
import Testing

/// How it sounds: speed, volume, side, and one loudness for all.
@Suite struct PlayLoudnessTests {
    private static let nextDay = PlayTests.nextDay

    private func play(_ rig: FileRig, _ options: String...) throws -> PlayedSound {
        let played = try rig.start(["play", "-D", "speaker"] + options, at: Self.nextDay).finish()
        #expect(played.status == 0, "\(played.notes)")
        return PlayedSound(rig.takePlayed())
    }

    /// Whether a sound is so long, to within 1 % or 5 ms.
    private func expect(_ sound: PlayedSound, lasts seconds: Double, rate: Int) {
        let length = Double(sound.samples.count) / Double(rate)
        #expect(abs(length - seconds) <= max(0.005, seconds / 100), "\(length) s, not \(seconds) s")
    }

    @Test(arguments: [0.5, 1.5, 2, 3])
    func aToneKeepsItsPitchAtEverySpeed(speed: Double) throws {
        let rig = try FileRig(
            microphone: Noise.data(PlayedSound.tone(hertz: 440, amplitude: 0.5, frames: 240_000)))
        try PlayTests.record(rig, frames: 144_000)
        let played = try play(rig, "--speed", "\(speed)")
        expect(played, lasts: 3 / speed, rate: 48_000)
        let hertz = played.frequency(rate: 48_000)
        #expect(abs(hertz / 440 - 1) < 0.01, "\(hertz) Hz")
    }

    @Test(
        .enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/espeak-ng"), "espeak-ng is not there"),
        arguments: [0.5, 1.5, 2, 3])
    func aVoiceKeepsItsPitchAtEverySpeed(speed: Double) throws {
        let folder = try TemporaryFolder()
        let words =
            "We were away a year ago, and you know why. Now we are all at home in a long and rainy May."
        let sentence = "<speak><prosody range=\"0%\">\(words)</prosody></speak>"
        _ = try Rig().tool("espeak-ng", "-m", "-w", folder.file("speech.wav"), sentence)
        let speech = try Data(contentsOf: URL(fileURLWithPath: folder.file("speech.wav"))).dropFirst(44)
        let rate = 22_050
        let rig = try FileRig(microphone: speech + Data(count: 4 * rate))
        let frames = speech.count / 2
        try PlayTests.record(rig, frames: frames, rate: rate)
        let (said, played) = (try play(rig), try play(rig, "1", "-s", "\(speed)"))
        #expect(said.samples.elementsEqual(PlayedSound(Data(speech)).samples))
        // As much silence as it ends with is no longer to be seen in either.
        expect(played, lasts: Double(said.samples.count) / Double(rate) / speed, rate: rate)
        let (before, after) = (said.pitch(rate: rate), played.pitch(rate: rate))
        #expect(before > 60 && abs(after / before - 1) < 0.01, "\(before) Hz became \(after) Hz")
    }

    @Test(arguments: [0.5, 1, 1.5, 3], [["--volume", "200", "--even"], ["--volume", "200"]])
    func nothingWrapsHoweverLoudItIsMade(speed: Double, options: [String]) throws {
        // 100 Hz at full scale: a lossy format makes it overshoot.
        let square = (0..<144_000).map { Int16($0 / 240 % 2 == 0 ? 32_767 : -32_768) }
        let rig = try FileRig(microphone: Noise.data(square))
        try PlayTests.record(rig, frames: 96_000, "-f", "vorbis")
        let played = try rig.start(
            ["play", "-D", "speaker", "-s", "\(speed)"] + options, at: Self.nextDay
        ).finish()
        #expect(played.status == 0)
        let sound = PlayedSound(rig.takePlayed())
        expect(sound, lasts: 2 / speed, rate: 48_000)
        let halfWaves = sound.halfWaves
        // A sample that wraps has the other sign, in the middle of a half wave; a whole one that does joins its
        // neighbours.
        let wrong = halfWaves.filter { !(200...280).contains($0) }
        #expect(wrong.isEmpty, "\(wrong)")
        #expect(abs(Double(halfWaves.count) - 400 / speed) <= 3 + 4 / speed, "\(halfWaves.count)")
    }

    @Test(arguments: [4_800, 96_000])
    func aQuietAndALoudMemoBecomeEquallyLoud(frames: Int) throws {
        let loud = PlayedSound.tone(hertz: 997, amplitude: 0.8, frames: 144_000)
        let rig = try FileRig(microphone: Noise.data(loud))
        try PlayTests.record(rig, frames: frames)
        let quiet = PlayedSound.tone(hertz: 997, amplitude: 0.02, frames: 144_000)
        try rig.folder.write("mic.raw", Noise.data(quiet))
        try PlayTests.record(rig, frames: frames)
        let before = try (play(rig, "1").rmsDecibels, play(rig, "2").rmsDecibels)
        #expect(before.0 - before.1 > 30)
        let after = try (play(rig, "1", "--even").rmsDecibels, play(rig, "2", "--even").rmsDecibels)
        #expect(abs(after.0 - after.1) < 1, "\(after)")
        // A tone in both ears at −18 LUFS; the standard's weighting is almost 0 dB here.
        #expect(abs(after.0 + 21) < 1.5, "\(after)")

        // It is known from then on: what stands in the store is believed.
        let database = rig.folder.file("store/memos.db")
        let stored = try rig.tool("sqlite3", database, "SELECT loudness FROM memos ORDER BY id").output
        #expect(stored.split(separator: "\n").compactMap { Double($0) }.count == 2)
        let changed = try rig.tool("sqlite3", database, "UPDATE memos SET loudness = -12 WHERE id = 2")
        #expect(changed.status == 0)
        #expect(abs(try play(rig, "2", "--even").rmsDecibels - (before.1 - 6)) < 0.2)
    }

    @Test func bothOfTwoMemosAreMadeEqualInOneRun() throws {
        let rig = try FileRig(
            microphone: Noise.data(PlayedSound.tone(hertz: 997, amplitude: 0.8, frames: 96_000)))
        try PlayTests.record(rig, frames: 48_000)
        try rig.folder.write(
            "mic.raw", Noise.data(PlayedSound.tone(hertz: 997, amplitude: 0.02, frames: 96_000)))
        try PlayTests.record(rig, frames: 48_000)
        let both = try play(rig, "1", "2", "--even").samples
        let (first, second) = (PlayedSound(Array(both[..<48_000])), PlayedSound(Array(both[48_000...])))
        #expect(abs(first.rmsDecibels - second.rmsDecibels) < 1)
    }

    @Test(arguments: [(0, 0), (10, 0.01), (50, 0.25), (100, 1), (141.4, 2), (200, 4)] as [(Double, Double)])
    func theVolumeIsTheSquareOfTheKnob(percent: Double, factor: Double) throws {
        let said = PlayedSound.tone(hertz: 440, amplitude: 0.2, frames: 96_000)
        let rig = try FileRig(microphone: Noise.data(said))
        try PlayTests.record(rig, frames: 48_000)
        let played = try play(rig, "--volume", "\(percent)").samples
        #expect(played.count <= 48_000)
        for (heard, sample) in zip(played, said) {
            let wanted = Double(sample) * factor
            guard abs(Double(heard) - wanted) <= 1 + abs(wanted) / 1_000 else {
                Issue.record("\(sample) became \(heard)")
                break
            }
        }
        #expect(factor == 0 ? played.isEmpty : played.count > 47_000)
    }

    @Test(
        arguments: [(-1, 1.414, 0), (0, 1, 1), (1, 0, 1.414), (0.5, 0.541, 1.307)]
            as [(Double, Double, Double)])
    func aMemoOfOneChannelCanBeHeardOnOneSide(pan: Double, left: Double, right: Double) throws {
        let said = PlayedSound.tone(hertz: 440, amplitude: 0.2, frames: 96_000)
        let rig = try FileRig(microphone: Noise.data(said))
        try PlayTests.record(rig, frames: 48_000)
        let played = try play(rig, "--pan=\(pan)")
        if pan == 0 {
            #expect(played.samples.elementsEqual(said[..<48_000]))
            return
        }
        let original = PlayedSound(Array(said[..<48_000])).rmsDecibels
        for (channel, factor) in [left, right].enumerated() {
            let change = played.channel(channel).rmsDecibels - original
            #expect(
                factor == 0 ? change < -100 : abs(change - 20 * log10(factor)) < 0.05,
                "\(channel): \(change) dB")
        }
    }
}
