import Foundation
import TestSupport
import Testing

/// Files that are damaged, and wishes that make no sense.
@Suite struct PlayTroubleTests {
    private static let nextDay = PlayTests.nextDay

    /// The path of the only memo's file.
    private func file(_ rig: Rig) throws -> String {
        rig.folder.file("store/audio/" + (try #require(rig.folder.names(in: "store/audio").first)))
    }

    private func change(_ rig: Rig, _ body: (inout Data) -> Void) throws {
        let path = try file(rig)
        var data = try Data(contentsOf: URL(fileURLWithPath: path))
        body(&data)
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try handle.truncate(atOffset: 0)
        try handle.write(contentsOf: data)
        try handle.close()
    }

    /// What stands on standard error beside what is always said.
    private func complaints(_ notes: String) -> [Substring] {
        notes.split(separator: "\n").filter { !$0.hasPrefix("Playing memo") }
    }

    @Test func aHoleInAFlacIsToldAndTheRestIsHeard() throws {
        let said = Noise.bits16(frames: 240_000)
        let rig = try FileRig(microphone: said)
        try PlayTests.record(rig, frames: 192_000)
        try change(rig) { data in
            let middle = data.count / 2
            data.replaceSubrange(middle..<middle + 4_096, with: Data(count: 4_096))
        }
        let played = try rig.run("play", "-D", "speaker", at: Self.nextDay)
        #expect(played.status == 6)
        let complaints = complaints(played.notes)
        #expect(
            complaints == ["tomorrow: cannot play all of memo 1: its file is damaged; the rest was heard"],
            "\(played.notes)")
        let sound = rig.takePlayed()
        #expect(sound.prefix(80_000 * 2) == said.prefix(80_000 * 2))
        // What comes behind the hole is where it would be without it.
        let (after, end) = (110_000 * 2, 192_000 * 2)
        #expect(sound.count >= end && sound[after..<min(end, sound.count)] == said[after..<end])
        #expect(try rig.memos(at: Self.nextDay).first?["heard_at"] is String)
    }

    @Test func aFileInWhichNothingCanBeHeardIsToldAndTheNextIsPlayed() throws {
        let rig = try FileRig()
        try PlayTests.record(rig, frames: 4_800)
        let path = try file(rig)
        try PlayTests.record(rig, frames: 4_800)
        // A header, and no frame.
        _ = try rig.tool(
            "sox", "-n", "-r", "48000", "-b", "16", rig.folder.file("empty.wav"), "trim", "0", "0")
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: rig.folder.file("empty.wav"), toPath: path)
        for memos in [["1"], ["1", "2"], ["2", "1"], ["1", "1"]] {
            let command = ["play"] + memos + ["-D", "speaker"]
            let played = try rig.start(command, at: Self.nextDay).finish(within: 20)
            #expect(played.status == 6, "\(played.notes)")
            let told = "tomorrow: cannot play memo 1 to its end: its file ends at 0:00"
            #expect(complaints(played.notes) == memos.filter { $0 == "1" }.map { _ in told[...] })
            #expect(rig.takePlayed().count >= (memos.contains("2") ? 9_600 : 0))
        }
    }

    @Test func ofAFileWithoutARowThatIsNoSoundItIsNotSaidThatItIsBeingRecorded() throws {
        let rig = try FileRig()
        try PlayTests.record(rig, frames: 4_800)
        let name = try #require(rig.folder.names(in: "store/audio").first).replacing(/^1/, with: "9")
        try rig.folder.write("store/audio/" + name, String(repeating: "no sound ", count: 1_000))
        try rig.run("expire", at: Self.nextDay)
        for command in [["show", "9"], ["play", "9", "-D", "speaker"], ["export", "9", "x.wav"]] {
            let ended = try rig.start(command, at: Self.nextDay).finish(within: 20)
            #expect(ended.status == 6)
            #expect(ended.notes.contains("memo 9: nothing can be heard in its file"), "\(ended.notes)")
        }
        let found = try rig.run("doctor", at: Self.nextDay).output
        #expect(
            found.contains(
                """
                wrong   takes: take 9 was interrupted, and nothing can be heard in it
                          'tomorrow delete 9' removes it; else it goes when its time is over.

                """))
        #expect(try rig.run("delete", "9", "-y", at: Self.nextDay).status == 0)
        #expect(try !rig.run("doctor", at: Self.nextDay).output.contains("takes"))
    }

    @Test(arguments: ["flac", "wav", "opus"])
    func ofAFileThatWasCutIsHeardWhatIsThere(format: String) throws {
        let said = Noise.bits16(frames: 240_000)
        let rig = try FileRig(microphone: said)
        try PlayTests.record(rig, frames: 192_000, "-f", format)
        try change(rig) { $0 = $0.prefix($0.count / 2) }
        let played = try rig.run("play", "-D", "speaker", at: Self.nextDay)
        #expect(played.status == 6)
        let complaints = complaints(played.notes)
        #expect(complaints.count == 1)
        #expect(
            complaints.first?.hasPrefix("tomorrow: cannot play memo 1 to its end: its file ends at ") == true,
            "\(played.notes)")
        let sound = rig.takePlayed()
        let frames = PlayedSound(sound).samples.count
        #expect(frames > 80_000 && frames < 112_000, "\(frames)")
        if format != "opus" { #expect(sound.prefix(80_000 * 2) == said.prefix(80_000 * 2)) }
        let memo = try rig.memos(at: Self.nextDay).first
        #expect(memo?["heard_at"] is NSNull && memo?["position_seconds"] is NSNull)
    }

    @Test func aFileThatIsMissingIsToldAndTheNextIsPlayed() throws {
        let said = Noise.bits16(frames: 96_000)
        let rig = try FileRig(microphone: said)
        try PlayTests.record(rig, frames: 4_800)
        let path = try file(rig)
        try PlayTests.record(rig, frames: 9_600)
        try FileManager.default.removeItem(atPath: path)
        let played = try rig.run("play", "-D", "speaker", at: Self.nextDay)
        #expect(played.status == 6)
        #expect(complaints(played.notes) == ["tomorrow: cannot play memo 1: its file is missing"])
        #expect(rig.takePlayed().prefix(19_200) == said.prefix(19_200))
    }

    @Test func garbageIsNotPlayed() throws {
        for format in ["flac", "wav", "opus", "mp3"] {
            let rig = try FileRig()
            try PlayTests.record(rig, frames: 48_000, "-f", format)
            try change(rig) { $0 = Noise.bits16(frames: $0.count / 2, seed: 5) }
            let played = try rig.run("play", "-D", "speaker", at: Self.nextDay)
            #expect(played.status == 6, "\(format)")
            #expect(complaints(played.notes).count == 1, "\(played.notes)")
            #expect(played.notes.hasPrefix("tomorrow: cannot read "), "\(played.notes)")
            #expect(rig.takePlayed().isEmpty)
        }
    }

    @Test func aDeviceThatIsNotThereIsNamed() throws {
        let rig = try FileRig()
        try PlayTests.record(rig, frames: 48_000)
        let played = try rig.run("play", "-D", "nothing", at: Self.nextDay)
        #expect(played.status == 5)
        #expect(played.notes.contains("tomorrow: cannot play to nothing: there is no such device\n"))
        let memo = try rig.memos(at: Self.nextDay).first
        #expect(memo?["heard_at"] is NSNull && memo?["position_seconds"] is NSNull)
    }

    @Test(
        arguments: [
            (["--speed", "0.4"], "'--speed' takes a number from 0.5 to 3, not '0.4'"),
            (["-s", "3.1"], "'-s' takes a number from 0.5 to 3, not '3.1'"),
            (["--speed", "nan"], "'--speed' takes a number from 0.5 to 3, not 'nan'"),
            (["--volume", "201"], "'--volume' takes a number from 0 to 200, not '201'"),
            (["--volume=-1"], "'--volume' takes a number from 0 to 200, not '-1'"),
            (["--volume", "1e2"], "'--volume' takes a number from 0 to 200, not '1e2'"),
            (["--pan", "1.1"], "'--pan' takes a number from -1 to 1, not '1.1'"),
            (["--loop", "-1"], "'--loop' takes a number from 0 to 1000000, not '-1'"),
            (["--loop", "1.5"], "'--loop' takes a number from 0 to 1000000, not '1.5'"),
            (["--from", "soon"], "'--from' takes a position such as 90, 90s, 1m30s or 1:30, not 'soon'"),
            (["--to", "-1"], "'--to' takes a position such as 90, 90s, 1m30s or 1:30, not '-1'"),
            (["--to", "0"], "'--to' takes a position behind where it begins, not '0'"),
            (["--from", "2", "--to", "2"], "'--to' takes a position behind where it begins, not '2'"),
            (["--at", "25:00"], "'--at' takes a clock time such as 07:30, not '25:00'"),
            (["--device", ""], "'--device' takes the name of a device, not ''"),
            (["one"], "'one' is not the number of a memo, nor 'latest'"),
            (["0"], "'0' is not the number of a memo, nor 'latest'"),
        ] as [([String], String)])
    func aWishThatMakesNoSenseIsRefusedInWords(options: [String], words: String) throws {
        let rig = try FileRig()
        let refused = try rig.start(["play", "-D", "speaker"] + options, at: Self.nextDay).finish()
        #expect(refused.status == 2)
        #expect(
            refused.notes == "tomorrow: \(words)\n  'tomorrow help play' says what can be given.\n",
            "\(refused.notes)")
        #expect(rig.takePlayed().isEmpty)
    }

    @Test func theConfigurationSaysHowItIsPlayedAndTheCommandLineWins() throws {
        let said = PlayedSound.tone(hertz: 440, amplitude: 0.2, frames: 96_000)
        let rig = try FileRig(microphone: Noise.data(said))
        try PlayTests.record(rig, frames: 48_000)
        func play(_ options: String...) throws -> PlayedSound {
            let played = try rig.start(["play", "1"] + options, at: Self.nextDay).finish()
            #expect(played.status == 0 && complaints(played.notes).isEmpty, "\(played.notes)")
            return PlayedSound(rig.takePlayed())
        }
        let original = PlayedSound(Array(said[..<48_000])).rmsDecibels
        try rig.configure("playback-device = speaker\nvolume = 50\nspeed = 2\n")
        let both = try play()
        #expect(abs(both.samples.count - 24_000) < 240)
        #expect(abs(both.rmsDecibels - original + 12.04) < 0.2)
        let plain = try play("--speed", "1", "--volume", "100").samples
        #expect(plain.elementsEqual(said[..<48_000]))
        try rig.configure("playback-device = speaker\neven = yes\n")
        #expect(abs(try play().rmsDecibels + 21) < 1.5)
    }

    @Test func aMistakeInTheConfigurationIsToldAndTheMemoIsPlayed() throws {
        let said = Noise.bits16(frames: 96_000)
        let rig = try FileRig(microphone: said)
        try PlayTests.record(rig, frames: 4_800)
        try rig.configure("volume = loud\nspeed = 9\neven = perhaps\n")
        let played = try rig.run("play", "-D", "speaker", at: Self.nextDay)
        #expect(played.status == 0)
        let path = rig.folder.file("home/.config/tomorrow/config")
        #expect(
            complaints(played.notes) == [
                "tomorrow: \(path):1: 'loud' is not a number from 0 to 200",
                "tomorrow: \(path):2: '9' is not a number from 0.5 to 3",
                "tomorrow: \(path):3: 'perhaps' is not yes or no",
            ])
        #expect(rig.takePlayed().prefix(9_600) == said.prefix(9_600))
    }
}
