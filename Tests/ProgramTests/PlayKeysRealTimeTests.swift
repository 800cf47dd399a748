import Foundation
import TestSupport
import Testing

/// Each key, by what is heard: the memos count their frames, 8,000 a second, so that every sample tells which
/// frame it is.
@Suite(.serialized) struct PlayKeysRealTimeTests {
    static let second = 8_000
    static let nextDay = PlayTests.nextDay

    /// Somebody who listens at a terminal to the first of two memos of a minute.
    final class Listener {
        let rig: SpeakerRig
        let terminal: PseudoTerminal
        let playing: Child
        private let before: [UInt32]

        init(_ options: String..., markers: [String] = []) throws {
            rig = try SpeakerRig(counting: 70 * second)
            for _ in 1...2 {
                try PlayTests.record(rig, frames: 60 * second, rate: second, "-b", "24", "-f", "wav")
            }
            for marker in markers { try rig.run("edit", "1", "--add-marker", marker, at: nextDay) }
            terminal = try PseudoTerminal()
            before = terminal.settings
            playing = try rig.start(["play", "-D", "speaker", "1", "2"] + options, on: terminal, at: nextDay)
            try #require(rig.waits { rig.heardBytes > second })
        }

        /// Presses a key, and listens for a moment to what comes then, from where it has led to.
        ///
        /// - Returns: the frame behind the last one of before, and the first of now.
        func jump(_ key: String) throws -> (from: Int, to: Int) {
            let count = rig.stretches.count
            terminal.type(key)
            try #require(
                rig.waits { rig.stretches.count > count && rig.stretches[count].count > second / 8 }, "\(key)"
            )
            return (rig.stretches[count - 1].upperBound, rig.stretches[count].lowerBound)
        }

        /// Ends it, and sees that all is well.
        func quits() throws {
            terminal.type("q")
            try ends()
        }

        /// Waits for its end, and sees that all is well.
        func ends() throws {
            let ended = playing.finish(within: 20)
            #expect(ended.status == 0, "\(ended.notes)")
            #expect(terminal.settings == before)
        }

        /// The place that is remembered of a memo, in frames.
        func position(of memo: Int = 1) throws -> Int? {
            let command = "SELECT position FROM memos WHERE id = \(memo)"
            return Int(try rig.tool("sqlite3", rig.folder.file("store/memos.db"), command).output.dropLast())
        }
    }

    @Test func spacePausesAtOnceAndNothingIsLostOrDoubled() throws {
        let isPrompt = try inOneRunOfThree {
            let listener = try Listener()
            let rig = listener.rig
            for _ in 1...2 {
                let pressed = rig.heardBytes / 4
                listener.terminal.type(" ")
                usleep(300_000)
                let paused = rig.heardBytes
                // Not even what the device had been given already.
                if paused / 4 - pressed > Self.second / 10 { return false }
                usleep(200_000)
                #expect(rig.heardBytes == paused)
                listener.terminal.type(" ")
                try #require(rig.waits { rig.heardBytes > paused + Self.second })
            }
            try listener.quits()
            #expect(rig.stretches.map(\.lowerBound) == [0])
            #expect(try listener.position() == rig.stretches.last?.upperBound)
            return true
        }
        #expect(isPrompt)
    }

    @Test func whoPausesCanGoElsewhereMeanwhile() throws {
        let listener = try Listener()
        listener.terminal.type(" ")
        usleep(200_000)
        let paused = listener.rig.heardBytes
        for key in ["5", "\u{1b}[C", "]"] { listener.terminal.type(key) }
        listener.terminal.type("\u{7f}")
        usleep(200_000)
        #expect(listener.rig.heardBytes == paused)
        #expect(try listener.jump(" ").to == 35 * Self.second)
        listener.terminal.type(" ")
        usleep(200_000)
        // And stop.
        try listener.quits()
        #expect(try listener.position() == listener.rig.stretches.last?.upperBound)
    }

    @Test func arrowsHomeAndDigitsLandOnTheFrame() throws {
        let listener = try Listener()
        let second = Self.second
        for (key, by) in [("\u{1b}[C", 5), ("\u{1b}[A", 30), ("\u{1b}[D", -5), ("\u{1b}OB", -30)] {
            let (from, to) = try listener.jump(key)
            #expect(to == max(0, from + by * second), "\(by) s")
        }
        for digit in [7, 3, 9, 5] {
            #expect(try listener.jump("\(digit)").to == digit * 6 * second)
        }
        for home in ["\u{1b}[H", "\u{1b}[1~", "0"] {
            _ = try listener.jump("4")
            #expect(try listener.jump(home).to == 0)
        }
        // Back beyond the start is the start.
        #expect(try listener.jump("\u{1b}[D").to == 0)
        try listener.quits()
    }

    @Test func commaAndPointGoFromMarkerToMarker() throws {
        let listener = try Listener(markers: ["10=ten", "20.5"])
        #expect(try listener.jump(".").to == 10 * Self.second)
        #expect(try listener.jump(">").to == 20 * Self.second + Self.second / 2)
        // The one that was passed a moment ago is not the one before.
        #expect(try listener.jump(",").to == 10 * Self.second)
        #expect(try listener.jump(",").to == 0)
        // Behind the last one there is none, and it plays on.
        _ = try listener.jump("5")
        let count = listener.rig.stretches.count
        listener.terminal.type(".")
        let bytes = listener.rig.heardBytes
        #expect(listener.rig.waits { listener.rig.heardBytes > bytes + 4 * Self.second / 4 })
        #expect(listener.rig.stretches.count == count)
        try listener.quits()
    }

    @Test func nAndPPlayTheNextAndThePreviousMemo() throws {
        let listener = try Listener()
        #expect(try listener.jump("n").to == 0)
        // Whoever goes back to a memo wants to hear it from its start.
        #expect(try listener.jump("p").to == 0)
        // Before the first one is its start.
        #expect(try listener.jump("p").to == 0)
        _ = try listener.jump("5")
        #expect(try listener.jump("p").to == 0)
        _ = try listener.jump("n")
        // Behind the last one is the end.
        listener.terminal.type("n")
        try listener.ends()
        #expect(try listener.position(of: 2) == listener.rig.stretches.last?.upperBound)
    }

    @Test func bracketsChangeTheSpeedAndBackspaceIsAsRecorded() throws {
        let listener = try Listener("--to", "6")
        let rig = listener.rig
        listener.terminal.type("[[[[[[[")
        _ = listener.playing.ends(within: 1)
        listener.terminal.type("\u{7f}")
        // From some frame on, each follows the one before again.
        #expect(rig.waits { rig.stretches.last?.count ?? 0 > Self.second / 2 })
        let stretch = try #require(rig.stretches.last)
        let slowly = Double(rig.heardBytes / 4 - stretch.count)
        // What was heard of it until then was heard at half the speed, but for the first quarter of a second.
        let factor =
            (slowly - Double(Self.second) / 4) / (Double(stretch.lowerBound) - Double(Self.second) / 4)
        #expect(factor > 1.5 && factor < 2.5, "\(factor)")
        let before = rig.heardBytes / 4
        listener.terminal.type(String(repeating: "]", count: 25))
        #expect(rig.waits { rig.heardBytes / 4 > before + Self.second / 2 })
        listener.terminal.type("\u{8}")
        #expect(
            rig.waits { rig.stretches.last?.count ?? 0 > Self.second / 2 && rig.stretches.last! != stretch })
        let last = try #require(rig.stretches.last)
        let quickly = Double(rig.heardBytes / 4 - last.count - before)
        #expect(Double(last.lowerBound - stretch.upperBound) / quickly > 1.8)
        try listener.quits()
    }

    @Test func minusAndPlusChangeTheVolume() throws {
        let rig = try SpeakerRig(microphone: Noise.data([Int32](repeating: 1_000_000 << 8, count: 240_000)))
        try PlayTests.record(rig, frames: 200_000, rate: Self.second, "-b", "24", "-f", "wav")
        let terminal = try PseudoTerminal()
        let playing = try rig.start(["play", "-D", "speaker"], on: terminal, at: Self.nextDay)
        func hears(_ level: Int) -> Bool {
            rig.waits(seconds: 5) {
                let last = rig.heard.suffix(4).withUnsafeBytes { $0.loadUnaligned(as: Int32.self) } >> 8
                return abs(Int(last) - level) <= level / 1_000
            }
        }
        #expect(rig.waits { rig.heardBytes > 4 } && hears(1_000_000))
        terminal.type("----------")
        #expect(hears(250_000))
        terminal.type("++++++++++")
        #expect(hears(1_000_000))
        terminal.type(String(repeating: "=", count: 30))
        #expect(hears(4_000_000))
        terminal.type(String(repeating: "_", count: 50))
        #expect(hears(0))
        terminal.type("q")
        #expect(playing.finish(within: 20).status == 0)
    }

    @Test func mSetsAMarkerWhereItIsHeard() throws {
        let listener = try Listener()
        _ = try listener.jump("5")
        listener.terminal.type("m")
        #expect(listener.playing.waits(for: "Marker at 0:30.\n"))
        let heard = try #require(listener.rig.stretches.last?.upperBound)
        try listener.quits()
        let markers = try listener.rig.memos(at: Self.nextDay).first?["markers"] as? [[String: Any]]
        let place = (markers?.first?["position_seconds"] as? Double ?? 0) * Double(Self.second)
        #expect(markers?.count == 1 && abs(place - Double(heard)) < Double(Self.second) / 5)
        #expect(place >= 30 * Double(Self.second))
    }

    @Test(arguments: ["q", "\u{1b}", "\u{4}"])
    func whatStopsItKeepsThePlace(key: String) throws {
        let listener = try Listener()
        _ = try listener.jump("2")
        listener.terminal.type(key)
        try listener.ends()
        let heard = try #require(listener.rig.stretches.last?.upperBound)
        #expect(try listener.position() == heard)
        #expect(try listener.rig.memos(at: Self.nextDay).first?["heard_at"] is NSNull)
    }
}
