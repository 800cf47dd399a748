import Foundation
import TestSupport
import Testing

/// Devices that have another layout, fail, or belong to a sound server that does.
@Suite(.serialized) struct PlayDeviceRealTimeTests {
    private static let second = PlayKeysRealTimeTests.second
    private static let nextDay = PlayTests.nextDay

    /// A machine with a counting memo of a second, and a speaker that fails.
    private func rig(_ speaker: String) throws -> SpeakerRig {
        let rig = try SpeakerRig(counting: 2 * Self.second, speaker: speaker)
        try PlayTests.record(rig, frames: Self.second, rate: Self.second, "-b", "24", "-f", "wav")
        return rig
    }

    @Test func aDeviceOfAnotherLayoutPlaysTheRightPitchAndLength() throws {
        let tone = PlayedSound.tone(hertz: 440, amplitude: 0.5, frames: 96_000)
        let rig = try SpeakerRig(microphone: Noise.data(tone), speaker: "rate 44100 channels 2")
        try PlayTests.record(rig, frames: 48_000)
        #expect(try rig.run("play", "-D", "speaker", at: Self.nextDay).status == 0)
        let heard = PlayedSound(rig.heard)
        let (left, right) = (heard.channel(0), heard.channel(1))
        #expect(left.samples.elementsEqual(right.samples.prefix(left.samples.count)))
        #expect(abs(left.samples.count - 44_100) < 221, "\(left.samples.count)")
        #expect(abs(left.frequency(rate: 44_100) - 440) < 1)
    }

    @Test func betweenTwoMemosOfOneLayoutTheDeviceDoesNotRunDry() throws {
        let isWithoutGap = try inOneRunOfThree {
            let rig = try rig("silence 1")
            try PlayTests.record(rig, frames: Self.second / 2, rate: Self.second, "-b", "24")
            #expect(try rig.run("play", "-D", "speaker", at: Self.nextDay).status == 0)
            // A frame of silence would be the one before the first.
            let sounding = rig.stretches.filter { $0 != -1..<0 }
            #expect(sounding.last?.upperBound == Self.second / 2)
            return rig.stretches == [0..<Self.second, 0..<Self.second / 2]
        }
        #expect(isWithoutGap)
    }

    @Test func aMachineThatSleepsGoesOn() throws {
        let rig = try rig("fault \"suspend\" at 300 for 400")
        let ended = try rig.run("play", "-D", "speaker", at: Self.nextDay)
        #expect(ended.status == 0, "\(ended.notes)")
        #expect(rig.stretches == [0..<Self.second])
    }

    @Test func aDeviceThatMustBePreparedAfterASleepGoesOn() throws {
        let rig = try rig("fault \"suspended\" at 300")
        let ended = try rig.run("play", "-D", "speaker", at: Self.nextDay)
        #expect(ended.status == 0, "\(ended.notes)")
        let stretches = rig.stretches
        #expect(stretches.first?.lowerBound == 0 && stretches.last?.upperBound == Self.second)
        // What was inside the device is lost, and no more.
        #expect(stretches.count == 2)
        #expect(stretches.count < 2 || stretches[1].lowerBound - stretches[0].upperBound <= Self.second / 8)
    }

    @Test func aDeviceThatComesBackIsPlayedToAgainAndNothingIsLost() throws {
        let rig = try rig("fault \"gone\" at 300 for 1000")
        let ended = try rig.run("play", "-D", "speaker", at: Self.nextDay)
        #expect(ended.status == 0, "\(ended.notes)")
        #expect(ended.notes.contains("tomorrow: cannot play to speaker: "))
        #expect(ended.notes.hasSuffix("  Trying again for 10 s.\nPlaying goes on.\n"), "\(ended.notes)")
        let stretches = rig.stretches
        try #require(stretches.count <= 2)
        #expect(stretches.first?.lowerBound == 0 && stretches.last?.upperBound == Self.second)
        if stretches.count == 2 {
            let doubled = stretches[0].upperBound - stretches[1].lowerBound
            #expect(doubled >= 0 && doubled < Self.second / 10, "\(doubled)")
        }
        #expect(try rig.memos(at: Self.nextDay).first?["heard_at"] is String)
    }

    @Test func aSoundServerThatIsStartedAgainPlaysOn() throws {
        let rig = try PulseRig()
        try PlayTests.record(rig.withFile(seconds: 2), frames: 2 * 48_000)
        let began = Date()
        let playing = try rig.start(["play", "-D", "speaker"], at: Self.nextDay)
        #expect(playing.waits(for: "Playing memo 1"))
        usleep(500_000)
        rig.server.send(SIGKILL)
        #expect(playing.waits(for: "Trying again for 10 s.\n"))
        try rig.restartServer()
        let ended = playing.finish(within: 30)
        #expect(ended.status == 0, "\(ended.notes)")
        #expect(ended.notes.contains("Playing goes on.\n"))
        #expect(Date().timeIntervalSince(began) > 1.9)
        #expect(try rig.memos(at: Self.nextDay).first?["heard_at"] is String)
    }

    @Test func whatDoesNotComeBackIsGivenUpAndThePlaceIsKept() throws {
        let (killed, hung) = (try PulseRig(), try PulseRig())
        let stalled = try SpeakerRig(counting: 70 * Self.second, speaker: "fault \"stalled\" at 700")
        for rig in [killed, hung] { try PlayTests.record(rig.withFile(seconds: 30), frames: 30 * 48_000) }
        try PlayTests.record(stalled, frames: 60 * Self.second, rate: Self.second, "-b", "24")
        let rigs: [Rig] = [killed, hung, stalled]
        // All three at once, as each takes its time.
        let players = try rigs.map { try $0.start(["play", "-D", "speaker"], at: Self.nextDay) }
        let impatient = try hung.start(["play", "-D", "speaker"], at: Self.nextDay)
        for playing in players + [impatient] { #expect(playing.waits(for: "Playing memo 1")) }
        _ = impatient.ends(within: 1)
        killed.server.send(SIGKILL)
        hung.server.send(SIGSTOP)
        let began = Date()
        _ = impatient.ends(within: 1)
        impatient.send(SIGINT)
        #expect(impatient.ends(within: 3))
        #expect(impatient.finish().signal == SIGINT)

        for (playing, rig) in zip(players, rigs) {
            let ended = playing.finish(within: 40)
            let seconds = Date().timeIntervalSince(began)
            #expect(ended.status == 5, "\(ended.notes)")
            #expect(seconds > 9 && seconds < 22, "\(seconds)")
            #expect(ended.notes.contains("tomorrow: cannot play to speaker: "), "\(ended.notes)")
            #expect(ended.notes.contains("  Trying again for 10 s.\n"), "\(ended.notes)")
            let place = try rig.memos(at: Self.nextDay).first?["position_seconds"] as? Double ?? 0
            #expect(place > 0.5 && place < 3, "\(place)")
        }
        #expect(
            players[0].finish().notes.hasSuffix(
                "tomorrow: cannot play to speaker: it did not come back\n"
                    + "  The place is remembered; 'tomorrow play' goes on there.\n"))
        #expect(stalled.stretches.count == 1)
    }
}

extension PulseRig {
    /// A machine with the same store whose microphone is a file: memos are recorded at once.
    fileprivate func withFile(seconds: Int) throws -> FileRig {
        let rig = try FileRig(microphone: Noise.bits16(frames: (seconds + 1) * 48_000))
        rig.environment["TOMORROW_STORE"] = environment["TOMORROW_STORE"]
        return rig
    }
}
