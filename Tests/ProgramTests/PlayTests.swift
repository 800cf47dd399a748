import Foundation
import TestSupport
import Testing

/// Which frames are heard, in which order: the real program, on a device that is a file.
@Suite struct PlayTests {
    static let today = Rig.Clock("2026-11-30 09:00:00")
    static let nextDay = today.adding(seconds: 86_400)
    static let lengths = [1, 10, 100, 479, 480, 481, 48_000]

    /// Records a memo of exactly so many frames.
    static func record(_ rig: Rig, frames: Int, rate: Int = 48_000, _ options: String...) throws {
        let seconds = String(format: "%.9f", Double(frames) / Double(rate))
        let recorded = try rig.start(
            ["record", "-D", "mic", "-d", seconds, "-r", "\(rate)", "-y", "--json"] + options, at: today
        ).finish()
        let memo = try #require(Rig.object(recorded.output)["memo"] as? [String: Any], "\(recorded.notes)")
        let length = memo["duration_seconds"] as? Double ?? 0
        try #require(Int((length * Double(rate)).rounded()) == frames)
    }

    /// Plays to the file, and gives what came.
    @discardableResult
    private func play(_ rig: FileRig, _ options: String...) throws -> Data {
        let played = try rig.start(["play", "-D", "speaker"] + options, at: Self.nextDay).finish()
        #expect(played.status == 0, "\(played.notes)")
        return rig.takePlayed()
    }

    /// Whether that is all that was played: the device's last period is filled with silence.
    private func expect(_ played: Data, is wanted: Data, _ what: Comment) {
        // Not as two operands of one ==, whose difference would be printed sample by sample.
        let isEqual = played.prefix(wanted.count) == wanted
        #expect(isEqual, what)
        #expect(played.dropFirst(wanted.count).allSatisfy { $0 == 0 }, what)
        #expect(played.count - wanted.count < 2_000, what)
    }

    @Test(arguments: ["flac", "wav", "alac"])
    func everyFrameIsPlayed(format: String) throws {
        let said = Noise.bits16(frames: 96_000)
        let rig = try FileRig(microphone: said)
        for (number, frames) in zip(1..., Self.lengths) {
            try Self.record(rig, frames: frames, "-f", format)
            expect(try play(rig, "\(number)"), is: said.prefix(frames * 2), "\(frames) frames")
        }
        #expect(try rig.memos(at: Self.nextDay).allSatisfy { $0["heard_at"] is String })
    }

    @Test(arguments: ["opus", "vorbis", "mp3"])
    func aLossyMemoIsAsLongAsWhatWasSaid(format: String) throws {
        let rig = try FileRig(
            microphone: Noise.data(PlayedSound.tone(hertz: 997, amplitude: 0.5, frames: 96_000)))
        for (number, frames) in zip(1..., Self.lengths) {
            try Self.record(rig, frames: frames, "-f", format)
            let played = try play(rig, "\(number)")
            #expect(played.dropFirst(frames * 2).allSatisfy { $0 == 0 }, "\(frames) frames")
            #expect(played.count >= frames * 2 && played.count - frames * 2 < 2_000, "\(frames) frames")
            // Of the shortest an encoder may keep nothing that can be heard.
            if frames >= 480 { #expect(PlayedSound(played).samples.count > frames - 5, "\(frames) frames") }
        }
        #expect(try rig.memos(at: Self.nextDay).allSatisfy { $0["heard_at"] is String })
    }

    @Test func aPartIsPlayedToTheFrame() throws {
        let said = Noise.bits16(frames: 200_000)
        for format in ["flac", "wav"] {
            let rig = try FileRig(microphone: said)
            try Self.record(rig, frames: 144_000, "-f", format)
            func frames(_ range: Range<Int>) -> Data { said[range.lowerBound * 2..<range.upperBound * 2] }
            expect(try play(rig, "--from", "1"), is: frames(48_000..<144_000), "from 1 s")
            expect(try play(rig, "--to", "0.5"), is: frames(0..<24_000), "to 0.5 s")
            expect(
                try play(rig, "1", "--from", "0:00.25", "--to", "1.001"), is: frames(12_000..<48_048), "both")
            expect(try play(rig, "1", "--to", "1:00", "--restart"), is: frames(0..<144_000), "beyond the end")
            expect(
                try play(rig, "1", "--from", "2.5", "--to", "2.6", "--loop", "3"),
                is: frames(120_000..<124_800) + frames(120_000..<124_800) + frames(120_000..<124_800),
                "three times")
            expect(
                try play(rig, "1", "--loop", "2", "--restart"), is: frames(0..<144_000) + frames(0..<144_000),
                "twice")
        }
    }

    @Test func aPartOfALossyMemoIsThatPartOfTheWhole() throws {
        for format in ["opus", "vorbis", "mp3"] {
            let rig = try FileRig()
            try Self.record(rig, frames: 144_000, "-f", format)
            let whole = try play(rig)
            let part = try play(rig, "1", "--from", "1", "--to", "1.5")
            expect(part, is: whole[96_000..<144_000], "\(format)")
        }
    }

    @Test func aPartThatIsNotThereIsRefused() throws {
        let rig = try FileRig()
        try Self.record(rig, frames: 48_000)
        let refused = try rig.run("play", "1", "-D", "speaker", "--from", "2", at: Self.nextDay)
        #expect(refused.status == 2)
        #expect(refused.notes.contains("tomorrow: cannot play memo 1 from "), "\(refused.notes)")
        #expect(refused.notes.contains("it is 0:01 long"))
        #expect(rig.takePlayed().isEmpty)
    }

    @Test func betweenTwoMemosOfOneFormatThereIsNothing() throws {
        let said = Noise.bits16(frames: 96_000)
        let rig = try FileRig(microphone: said)
        for frames in [4_801, 1, 48_000] { try Self.record(rig, frames: frames) }
        let wanted = said.prefix(4_801 * 2) + said.prefix(2) + said.prefix(96_000)
        expect(try play(rig, "1", "2", "3"), is: wanted, "all three")
        // In the order in which they are asked for, and as often.
        expect(try play(rig, "3", "1"), is: said.prefix(96_000) + said.prefix(4_801 * 2), "two")
        #expect(try rig.memos(at: Self.nextDay).allSatisfy { $0["heard_at"] is String })
    }

    @Test func withoutANumberItIsWhatWasNotHeardElseTheNewest() throws {
        let rig = try FileRig()
        for frames in [480, 960, 1_440] { try Self.record(rig, frames: frames) }
        let first = try rig.run("play", "2", "-D", "speaker", at: Self.nextDay)
        #expect(first.notes.contains("Playing memo 2"))
        let others = try rig.run("play", "-D", "speaker", at: Self.nextDay)
        #expect(others.notes.contains("Playing memo 1") && others.notes.contains("Playing memo 3"))
        #expect(!others.notes.contains("memo 2"))
        let newest = try rig.run("play", "-D", "speaker", at: Self.nextDay)
        #expect(newest.notes.contains("Playing memo 3") && !newest.notes.contains("memo 1"))
    }

    @Test func memosOfOtherFormatsArePlayedInTheirOwnLayout() throws {
        let said = Noise.bits24(frames: 96_000)
        let rig = try SpeakerRig(microphone: said)
        try Self.record(rig, frames: 4_800)
        try Self.record(rig, frames: 2_400, rate: 24_000, "--channels", "2")
        try Self.record(rig, frames: 4_801, "-b", "24")
        let played = try rig.run("play", "-D", "speaker", at: Self.nextDay)
        #expect(played.status == 0)
        let isAll = rig.heard == said.prefix(9_600) + said.prefix(9_600) + said.prefix(4_801 * 4)
        #expect(isAll)
    }

    @Test func whatCannotBeHadIsToldAndTheOthersArePlayed() throws {
        let said = Noise.bits16(frames: 96_000)
        let rig = try FileRig(microphone: said)
        try Self.record(rig, frames: 4_800)
        let played = try rig.run("play", "7", "1", "-D", "speaker", at: Self.nextDay)
        #expect(played.status == 3)
        #expect(played.notes.contains("tomorrow: cannot play memo 7: there is no such memo\n"))
        expect(rig.takePlayed(), is: said.prefix(9_600), "the other one")
    }

    @Test func whoWaitsForAClockHearsItThen() throws {
        let said = Noise.bits16(frames: 96_000)
        let rig = try FileRig(microphone: said)
        try Self.record(rig, frames: 4_800)
        // Two seconds before the memo opens; it is chosen when the time has come.
        let evening = Rig.Clock("2026-11-30 23:59:58")
        let began = Date()
        let played = try rig.run("play", "-D", "speaker", "--at", "00:00", at: evening)
        #expect(played.status == 0)
        #expect(played.notes.contains("Waiting until "))
        #expect(Date().timeIntervalSince(began) > 1)
        expect(rig.takePlayed(), is: said.prefix(9_600), "the memo")
    }
}
