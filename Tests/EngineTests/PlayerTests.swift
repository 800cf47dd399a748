import AudioFile
import Glibc
import Linux
import Sound
import TestSupport
import Testing

@testable import Engine

/// The player against a device that a test moves on frame by frame: what is heard, and what is told of it.
@Suite struct PlayerTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A file whose frames are numbers, each its own.
    private func item(
        _ number: Int, frames: Int = 10_000, first: Int = 1, range: Range<Int64>? = nil, start: Int64 = 0,
        passes: Int? = 1, rate: Int = 8_000, mayBegin: @escaping @Sendable () -> Bool = { true }
    ) throws -> PlayerItem {
        let path = folder.file("\(number).wav")
        let file = try FileDescriptor(opening: path, flags: O_RDWR | O_CREAT | O_TRUNC)
        let format = try #require(AudioFileFormat.named("wav"))
        let writer = try AudioFileWriter(
            descriptor: file, name: "memo", format: format,
            stream: StreamFormat(rate: rate, channels: 1, bits: 24))
        try samples(first..<first + frames).withUnsafeBufferPointer { try writer.write($0) }
        try writer.close()
        return PlayerItem(
            number: number, reader: try AudioFileReader(descriptor: file, name: "memo"),
            range: range ?? 0..<Int64(frames), start: start, passes: passes, mayBegin: mayBegin)
    }

    private func samples(_ numbers: Range<Int>) -> [Int32] { numbers.map { Int32($0) << 8 } }

    private func play(_ item: PlayerItem, to speaker: ScriptedSpeaker) throws -> Player {
        try Player(item) { _ in speaker }
    }

    private func speaker(rate: Int = 8_000, capacityFrames: Int? = nil) throws -> ScriptedSpeaker {
        try ScriptedSpeaker(
            StreamFormat(rate: rate, channels: 1, bits: 24), capacityFrames: capacityFrames)
    }

    /// Waits for events, as words, until one has come.
    private func events(of player: Player, until last: String) -> [String] {
        var words: [String] = []
        let deadline = MonotonicClock.milliseconds + 20_000
        while !words.contains(last), MonotonicClock.milliseconds < deadline {
            player.events.wakeUp.wait(milliseconds: 100)
            words += player.events.take().map(word)
        }
        return words
    }

    private func word(_ event: Player.Event) -> String {
        switch event {
        case .started(let number): "started \(number)"
        case .skipped(let number): "skipped \(number)"
        case .paused: "paused"
        case .resumed: "resumed"
        case .deviceLost: "lost"
        case .deviceBack: "back"
        case .jumped: "jumped"
        case .repeated(let number): "repeated \(number)"
        case .itemEnded(let end):
            "over \(end.number) at \(end.position)" + (end.wasHeardToEnd ? ", heard" : "")
                + (end.fileError == nil ? "" : ", damaged")
        case .ended(let error): error == nil ? "ended" : "failed"
        }
    }

    @Test(arguments: [1, 2, 1_023, 1_024, 1_025, 10_000])
    func everyFrameIsHeardOnceAndTheEndIsTold(frames: Int) throws {
        let speaker = try speaker()
        let player = try play(item(7, frames: frames), to: speaker)
        player.send(.follow(with: nil))
        #expect(events(of: player, until: "ended") == ["started 7", "over 7 at \(frames), heard", "ended"])
        #expect(speaker.heard == samples(1..<frames + 1))
        #expect(speaker.isClosed)
        #expect(player.position == Player.Position(number: 7, frame: Int64(frames)))
    }

    @Test func aPartIsPlayedAndIsAsManyTimesThereAsWanted() throws {
        let speaker = try speaker()
        let player = try play(item(1, range: 2_000..<5_000, start: 4_000, passes: 3), to: speaker)
        player.send(.follow(with: nil))
        #expect(
            events(of: player, until: "ended") == [
                "started 1", "repeated 1", "repeated 1", "over 1 at 5000, heard", "ended",
            ])
        let pass = samples(2_001..<5_001)
        #expect(speaker.heard == pass.suffix(1_000) + pass + pass)
    }

    @Test func aLoopEndsWithTheMemosTime() throws {
        let speaker = try speaker()
        let left = Guarded(3)
        let endless = try item(1, frames: 100, passes: nil) {
            left.withLock { left in
                left -= 1
                return left >= 0
            }
        }
        let player = try play(endless, to: speaker)
        player.send(.follow(with: nil))
        #expect(events(of: player, until: "ended").last == "ended")
        #expect(speaker.heard.count == 400)
    }

    @Test func oneFollowsTheOtherWithoutAGapAndIsToldWhenItIsHeard() throws {
        let speaker = try speaker(capacityFrames: 500)
        let player = try play(item(1, frames: 3_000), to: speaker)
        player.send(.follow(with: try item(2, frames: 3_000, first: 50_000)))
        #expect(events(of: player, until: "started 1") == ["started 1"])
        speaker.hear(frames: 500)
        for _ in 0..<5 { speaker.hear(frames: 499) }
        // Frames of the second are in the device, but what is heard is the first's.
        for _ in 0..<5_000 where speaker.waitingFrames < 500 { _ = waitForReading([], milliseconds: 1) }
        #expect(player.events.take().isEmpty && player.position.number == 1)
        speaker.hear(frames: 400)
        #expect(events(of: player, until: "started 2") == ["over 1 at 3000, heard", "started 2"])
        player.send(.follow(with: nil))
        speaker.hear(frames: 6_000 - speaker.heard.count)
        #expect(events(of: player, until: "ended") == ["over 2 at 3000, heard", "ended"])
        #expect(speaker.heard == samples(1..<3_001) + samples(50_000..<53_000))
    }

    @Test func anotherLayoutGetsADeviceOfItsOwn() throws {
        let speakers = Guarded<[ScriptedSpeaker]>([])
        let player = try Player(item(1, frames: 2_000)) { stream in
            let speaker = try ScriptedSpeaker(stream)
            speakers.withLock { $0.append(speaker) }
            return speaker
        }
        player.send(.follow(with: try item(2, frames: 2_000, rate: 16_000)))
        _ = events(of: player, until: "started 2")
        player.send(.follow(with: nil))
        #expect(events(of: player, until: "ended").last == "ended")
        let all = speakers.withLock { $0 }
        #expect(all.map(\.stream.rate) == [8_000, 16_000])
        #expect(all.map(\.heard) == [samples(1..<2_001), samples(1..<2_001)])
        #expect(all.allSatisfy { $0.isClosed })
    }

    @Test func whatMayNotBeHeardAnyMoreIsSkipped() throws {
        let speaker = try speaker()
        let player = try play(item(1, frames: 100), to: speaker)
        player.send(.follow(with: try item(2, frames: 100) { false }))
        #expect(events(of: player, until: "skipped 2").last == "skipped 2")
        player.send(.follow(with: try item(3, frames: 100, first: 900)))
        _ = events(of: player, until: "started 3")
        player.send(.follow(with: nil))
        _ = events(of: player, until: "ended")
        #expect(speaker.heard == samples(1..<101) + samples(900..<1_000))
    }

    @Test func aPauseLosesNothingAndRepeatsNothing() throws {
        let speaker = try speaker(capacityFrames: 800)
        let player = try play(item(1, frames: 4_000), to: speaker)
        player.send(.follow(with: nil))
        speaker.hear(frames: 700)
        player.send(.pause)
        #expect(events(of: player, until: "paused").last == "paused")
        #expect(player.position.frame == 700)
        #expect(speaker.waitingFrames == 0)
        player.send(.resume)
        speaker.hear(frames: 3_300)
        #expect(events(of: player, until: "ended").last == "ended")
        #expect(speaker.heard == samples(1..<4_001))
    }

    @Test func oneCommandPausesAndGoesOn() throws {
        let speaker = try speaker(capacityFrames: 800)
        let player = try play(item(1, frames: 4_000), to: speaker)
        player.send(.follow(with: nil))
        speaker.hear(frames: 700)
        player.send(.pauseOrResume)
        #expect(events(of: player, until: "paused").last == "paused")
        player.send(.pauseOrResume)
        #expect(events(of: player, until: "resumed") == ["resumed"])
        speaker.hear(frames: 3_300)
        #expect(events(of: player, until: "ended").last == "ended")
        #expect(speaker.heard == samples(1..<4_001))
    }

    @Test func aJumpThatWasWantedIsToldAndAPauseIsNone() throws {
        let speaker = try speaker(capacityFrames: 800)
        let player = try play(item(1, frames: 4_000), to: speaker)
        speaker.hear(frames: 700)
        player.send(.pause)
        #expect(events(of: player, until: "paused") == ["started 1", "paused"])
        player.send(.seek(to: 2_000))
        #expect(events(of: player, until: "jumped") == ["jumped"])
        #expect(player.position.frame == 2_000)
        player.send(.move(by: -5_000))
        #expect(events(of: player, until: "jumped") == ["jumped"])
        #expect(player.position.frame == 0)
        player.stop(milliseconds: 10_000)
    }

    @Test func howOftenItIsPlayedCanChangeMeanwhile() throws {
        for (before, after, heard) in [(Int?.none, Int?.some(1), 1), (1, 3, 3)] {
            let speaker = try speaker(capacityFrames: 800)
            let player = try play(item(1, frames: 4_000, passes: before), to: speaker)
            player.send(.follow(with: nil))
            speaker.hear(frames: 700)
            player.send(.passes(after))
            // What is obeyed later would be obeyed after it.
            player.send(.pause)
            #expect(events(of: player, until: "paused").last == "paused")
            player.send(.resume)
            speaker.hear(frames: 4_000 * heard - 700)
            #expect(events(of: player, until: "ended").last == "ended")
            #expect(speaker.heard.count == 4_000 * heard)
        }
    }

    @Test func aJumpIsFromWhatIsHeardAndStaysInsideThePart() throws {
        let speaker = try speaker(capacityFrames: 300)
        let player = try play(item(1, range: 1_000..<9_000, start: 1_000), to: speaker)
        speaker.hear(frames: 200)
        player.send(.pause)
        player.send(.move(by: 2_500))
        func position() -> Int64 {
            player.send(.pause)
            _ = waitForReading([], milliseconds: 20)
            return player.position.frame
        }
        #expect(position() == 3_700)
        player.send(.move(by: -700))
        #expect(position() == 3_000)
        player.send(.seek(to: 0))
        #expect(position() == 1_000)
        player.send(.seek(to: 8_990))
        player.send(.follow(with: nil))
        player.send(.resume)
        speaker.hear(frames: 10)
        #expect(events(of: player, until: "ended").last == "ended")
        #expect(speaker.heard == samples(1_001..<1_201) + samples(8_991..<9_001))
    }

    @Test func aJumpToTheEndIsNoHearing() throws {
        let speaker = try speaker(capacityFrames: 300)
        let player = try play(item(1), to: speaker)
        player.send(.follow(with: nil))
        speaker.hear(frames: 100)
        player.send(.seek(to: .max))
        #expect(events(of: player, until: "ended").suffix(2) == ["over 1 at 10000", "ended"])
    }

    @Test func stopDropsWhatWasNotHeardAndTellsThePlace() throws {
        let speaker = try speaker(capacityFrames: 800)
        let player = try play(item(1), to: speaker)
        speaker.hear(frames: 123)
        let events = player.stop(milliseconds: 5_000).map(word)
        #expect(events.last == "ended")
        #expect(player.position.frame == 123)
        #expect(speaker.heard.count == 123 && speaker.isClosed)
    }

    @Test func aDeviceThatComesBackGoesOnAndNothingIsLost() throws {
        let first = try speaker(capacityFrames: 400)
        let second = try speaker()
        let opened = Guarded(0)
        let player = try Player(item(1)) { _ in
            try opened.withLock { count in
                count += 1
                if count == 2 { throw ScriptedSpeaker.Broken() }
                return count == 1 ? first : second
            }
        }
        player.send(.follow(with: nil))
        first.hear(frames: 1_000)
        first.breakDown()
        #expect(
            events(of: player, until: "ended") == [
                "started 1", "lost", "back", "over 1 at 10000, heard", "ended",
            ])
        #expect(first.heard.count == 1_000)
        // Nothing is lost; what was inside the device when it was last asked may be heard again.
        let start = 10_000 - second.heard.count
        #expect(start >= 600 && start <= 1_000)
        #expect(first.heard == samples(1..<1_001) && second.heard == samples(start + 1..<10_001))
    }

    @Test func aDeviceThatDoesNotEvenOpenIsTheEnd() throws {
        let player = try Player(item(1)) { _ in throw ScriptedSpeaker.Broken() }
        #expect(events(of: player, until: "failed") == ["failed"])
    }

    @Test func anotherOneIsPlayedAtOnceAndPausesAndStopsAreObeyedMeanwhile() throws {
        let speaker = try speaker(capacityFrames: 400)
        let player = try play(item(1), to: speaker)
        speaker.hear(frames: 100)
        player.send(.play(try item(2, first: 30_000)))
        _ = events(of: player, until: "started 2")
        speaker.hear(frames: 100)
        #expect(speaker.heard == samples(1..<101) + samples(30_000..<30_100))
        #expect(player.position.number == 2)
        player.stop(milliseconds: 5_000)
    }
}
