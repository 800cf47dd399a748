import AudioFile
import Foundation
import TestSupport
import Testing

/// Every fault in every format, six takes at a time: the exit status, the memo, its length, and what other
/// programs say of its file. The disk that is full has a suite of its own.
@Suite(.serialized) struct FaultTableRealTimeTests {
    private static let formats = AudioFileFormat.all.map(\.name)

    /// A take, as it ended.
    private struct Ended {
        let format: String
        /// How long it ran, from its first frame at the latest to the fault.
        let seconds: Double
        let result: Child.Result
        var memo: [String: Any] = [:]
    }

    /// Records in all formats at once, and has something happen to each take.
    private func recordAll(
        on rig: Rig, _ options: String..., after seconds: Int32 = 1,
        _ fault: (Child) throws -> Void = { _ in }
    ) throws -> [Ended] {
        let takes = try Self.formats.map { format in
            (format, try rig.start(["record", "-D", "mic", "-f", format, "--json"] + options))
        }
        let began = try takes.map { format, take in
            let hasBegun = take.waits(for: "Recording from mic.")
            try #require(hasBegun, "\(format): \(hasBegun ? "" : take.finish(within: 5).notes)")
            return Date()
        }
        _ = takes[0].1.ends(within: seconds)
        var lasted: [Double] = []
        for ((_, take), began) in zip(takes, began) {
            lasted.append(Date().timeIntervalSince(began))
            try fault(take)
        }
        return zip(takes, lasted).map { take, lasted in
            let result = take.1.finish(within: 60)
            let memo = Rig.object(result.output)["memo"] as? [String: Any]
            return Ended(format: take.0, seconds: lasted, result: result, memo: memo ?? [:])
        }
    }

    /// Whether the memo is there, as the list has it, and other programs find in its file what it says.
    private func check(_ ended: Ended, in rig: Rig, format: String? = nil) throws {
        let memo = ended.memo
        let id = try #require(memo["id"] as? Int, "\(ended.format): \(ended.result.notes)")
        #expect(memo["format"] as? String == format ?? ended.format)
        let files = rig.folder.names(in: "store/audio").filter { $0.hasPrefix("\(id)-") }
        #expect(files.count == 1, "\(files)")
        let path = rig.folder.file("store/audio/" + (files.first ?? ""))
        let seconds = memo["duration_seconds"] as? Double ?? 0
        #expect(try IndependentProgram.frames(of: path) == Int((seconds * 48_000).rounded()), "\(path)")
        #expect(try IndependentProgram.isWhole(path), "\(path)")
        // To ffprobe the padding of an encoder is sound too, of ALAC up to a packet of 4,096 frames.
        let probed = try IndependentProgram.secondsByFFmpeg(of: path) ?? 0
        #expect(abs(probed - seconds) < 0.09, "\(path): \(probed) for \(seconds)")
    }

    /// A machine that is shared stalls now and then: what holds in one run of three holds.
    private func losesLittle(_ run: () throws -> [Double]) throws -> Bool {
        try inOneRunOfThree { try run().allSatisfy { $0 < 0.25 } }
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
    func aSignalKeepsEverythingUpToIt(signal: Int32) throws {
        let holds = try losesLittle {
            let rig = try FaultyCardRig("rate 48000")
            return try recordAll(on: rig) { $0.send(signal) }.map { ended in
                #expect(ended.result.status == 0)
                try check(ended, in: rig)
                #expect(ended.memo["interrupted"] as? Bool == false)
                return ended.seconds - (ended.memo["duration_seconds"] as? Double ?? 0)
            }
        }
        #expect(holds)
    }

    @Test func aKillKeepsAllButAQuarterOfASecond() throws {
        let holds = try losesLittle {
            let rig = try FaultyCardRig("rate 48000")
            let killed = try recordAll(on: rig) { $0.send(SIGKILL) }
            let memos = try rig.memos("--all")
            #expect(memos.count == Self.formats.count)
            // Numbers were given in the order in which the takes began.
            return try memos.map { memo in
                let format = try #require(memo["format"] as? String)
                // What is not written as it comes in is a FLAC until the take is safe.
                #expect(try #require(AudioFileFormat.named(format)).isWrittenLive)
                let longest = killed.map(\.seconds).max() ?? 0
                let ended = Ended(format: format, seconds: longest, result: killed[0].result, memo: memo)
                try check(ended, in: rig)
                #expect(memo["interrupted"] as? Bool == true)
                let shortest = killed.map(\.seconds).min() ?? 0
                return shortest - (memo["duration_seconds"] as? Double ?? 0)
            }
        }
        #expect(holds)
    }

    @Test(arguments: ["flac", "wav", "opus"])
    func aKillTakesNoMoreAtAnyRate(format: String) throws {
        let rates =
            format == "opus" ? [8_000, 12_000, 16_000, 24_000] : [8_000, 16_000, 32_000, 44_100, 192_000]
        let holds = try losesLittle {
            let rigs = try rates.map { try FaultyCardRig("rate \($0)") }
            let takes = try zip(rigs, rates).map { rig, rate in
                try rig.start(["record", "-D", "mic", "-f", format, "-r", "\(rate)"])
            }
            let began = try takes.map { take in
                try #require(take.waits(for: "Recording from mic."))
                return Date()
            }
            _ = takes[0].ends(within: 2)
            let lasted = zip(takes, began).map { take, began in
                take.send(SIGKILL)
                return Date().timeIntervalSince(began)
            }
            return try zip(rigs, lasted).map { rig, lasted in
                let memo = try rig.memos("--all").first
                return lasted - (memo?["duration_seconds"] as? Double ?? 0)
            }
        }
        #expect(holds)
    }

    @Test(arguments: ["gone", "dead"])
    func aDeviceThatGoesEndsTheTakeAndKeepsIt(fault: String) throws {
        let rig = try FaultyCardRig("fault \"\(fault)\" at 800")
        for ended in try recordAll(on: rig, after: 0) {
            #expect(ended.result.status == 5)
            #expect(ended.result.notes.contains("tomorrow: cannot record from mic: No such device"))
            try check(ended, in: rig)
            let seconds = ended.memo["duration_seconds"] as? Double ?? 0
            #expect(seconds > 0.7 && seconds <= 0.85, "\(ended.format) \(seconds)")
        }
    }

    @Test(arguments: ["overrun", "suspend"])
    func whatTheDeviceLosesIsSilenceOfTheSameLength(fault: String) throws {
        // A process that is stalled for as long as the fault lasts does not meet it.
        let holds = try inOneRunOfThree {
            let rig = try FaultyCardRig("fault \"\(fault)\" at 500 for 400")
            return try recordAll(on: rig, "-d", "2", after: 0).allSatisfy { ended in
                #expect(ended.result.status == 0)
                try check(ended, in: rig)
                #expect(ended.memo["duration_seconds"] as? Double == 2)
                let gap = ended.memo["gap_seconds"] as? Double ?? 0
                return gap > 0.3 && gap < 1 && ended.result.notes.contains("mic lost 0.")
            }
        }
        #expect(holds)
    }

    @Test func silenceIsSaidToBeSilence() throws {
        let rig = try FaultyCardRig("channels 1 only 2")
        for ended in try recordAll(on: rig, "-d", "1", after: 0) {
            #expect(ended.result.status == 0)
            #expect(ended.result.notes.contains("It is silent: mic gave no sound above −60 dBFS."))
            try check(ended, in: rig)
            #expect(ended.memo["duration_seconds"] as? Double == 1)
        }
    }

    @Test func aSoundServerThatHangsHoldsNothingBack() throws {
        let rig = try PulseRig()
        var isStopped = false
        let takes = try recordAll(on: rig) { take in
            if !isStopped { rig.server.send(SIGSTOP) }
            isStopped = true
            take.send(SIGTERM)
        }
        rig.server.send(SIGCONT)
        for ended in takes {
            #expect(ended.result.status == 0 || ended.result.status == 5)
            try check(ended, in: rig)
            #expect(ended.memo["duration_seconds"] as? Double ?? 0 > 0.5)
        }
    }
}
