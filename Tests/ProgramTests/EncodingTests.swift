import Foundation
import TestSupport
import Testing

/// Formats that are made of a finished FLAC.
@Suite struct EncodingTests {
    static let formats = [("vorbis", "ogg"), ("mp3", "mp3"), ("alac", "caf")]
    static let today = Rig.Clock("2026-11-30 09:00:00")
    static let nextDay = today.adding(seconds: 86_400)

    private func files(_ rig: Rig) -> [String] { rig.folder.names(in: "store/audio") }

    /// A machine that hears a quiet tone, so that lossy encoders have something to keep.
    private func rig(seconds: Int, bits: Int = 16) throws -> (rig: FileRig, said: [Int32]) {
        let said = (0..<(seconds + 1) * 48_000).map { index -> Int32 in
            let noise = Int32(truncatingIfNeeded: index &* 2_654_435_761) >> 6
            return (Int32(5e8 * sin(Double(index) * 0.05)) + noise) & (bits == 16 ? ~0xffff : ~0xff)
        }
        let raw = bits == 16 ? Noise.data(said.map { Int16($0 >> 16) }) : Noise.data(said)
        return (try FileRig(microphone: raw), said)
    }

    @Test(arguments: formats, [16, 24])
    func aTakeIsAMemoOfTheFormatThatWasAskedFor(format: (name: String, ending: String), bits: Int) throws {
        let (rig, said) = try rig(seconds: 2, bits: bits)
        let ended = try rig.run(
            "record", "-D", "mic", "-d", "2", "-f", format.name, "-b", "\(bits)", "--json", at: Self.today)
        #expect(ended.status == 0)
        #expect(!ended.notes.contains("FLAC"))
        let memo = try #require(Rig.object(ended.output)["memo"] as? [String: Any])
        #expect(memo["format"] as? String == format.name)
        #expect(memo["duration_seconds"] as? Double == 2)
        #expect(memo["bits"] as? Int == (format.name == "alac" ? bits : 16))
        #expect(memo["interrupted"] as? Bool == false)
        let name = try #require(files(rig).first)
        #expect(files(rig).count == 1 && name.hasSuffix("." + format.ending))
        let path = rig.folder.file("store/audio/" + name)
        #expect(try memo["bytes"] as? Int == Data(contentsOf: URL(fileURLWithPath: path)).count)
        #expect(try IndependentProgram.frames(of: path) == 96_000)
        #expect(try IndependentProgram.isWhole(path))

        let decoded = try IndependentProgram.samples(of: path)
        if format.name == "alac" {
            #expect(decoded == Noise.data(Array(said[..<96_000])))
        } else {
            let samples = decoded.withUnsafeBytes { Array($0.bindMemory(to: Int32.self)) }
            let energy = { (all: [Int32]) in all.reduce(0) { $0 + pow(Double($1), 2) } }
            let decibels = 10 * log10(energy(samples) / energy(Array(said[..<96_000])))
            #expect(abs(decibels) < 0.5, "\(decibels) dB")
        }
        #expect(try rig.run("expire", at: Self.today).output.isEmpty)
        #expect(files(rig) == [name])
        #expect(rig.folder.names(in: "store/scratch").isEmpty)
        #expect(!rig.folder.names().contains { $0.hasSuffix("alac.tmp") })

        let shown = try rig.run("show", "1", at: Self.nextDay).output.split(separator: "\n")[0]
        #expect(shown.wholeMatch(of: /[▂▃▄▅▆▇█]{80}/) != nil, "\(shown)")
        let played = try rig.run("play", "-D", "speaker", at: Self.nextDay)
        #expect(played.status == 0)
        #expect(rig.takePlayed().count >= 96_000 * 2)
        #expect(try rig.memos(at: Self.nextDay).first?["heard_at"] is String)
        try rig.run("expire", at: Self.nextDay.adding(seconds: 86_400))
        #expect(files(rig).isEmpty)
    }

    @Test func theConfigurationNamesThemToo() throws {
        let rig = try FileRig()
        try rig.configure("format = vorbis\ncapture-device = mic\n")
        #expect(try rig.run("record", "-d", "1", at: Self.today).status == 0)
        #expect(try rig.memos("--waiting", at: Self.today).first?["format"] as? String == "vorbis")
    }

    @Test func aLayoutThatTheFormatCannotTakeStaysAFlac() throws {
        let rig = try FileRig()
        let ended = try rig.run(
            "record", "-D", "mic", "-d", "1", "-f", "mp3", "-r", "96000", "--json", at: Self.today)
        #expect(ended.status == 0)
        #expect(ended.notes.contains("The take will be kept as flac: mp3 holds 8000, "))
        #expect(!ended.notes.contains("stays"))
        let memo = Rig.object(ended.output)["memo"] as? [String: Any]
        #expect(memo?["format"] as? String == "flac")
        #expect(files(rig).count == 1)
    }

    /// So much noise, the same in each second.
    static func noise(seconds: Int) -> Data {
        let second = Noise.bits16(frames: 48_000)
        return (0..<seconds).reduce(into: Data()) { all, _ in all += second }
    }

    /// A take that takes long to encode, just begun to be encoded.
    private func encoding(_ format: String, seconds: Int = 100) throws -> (rig: FileRig, child: Child) {
        let rig = try FileRig(microphone: Self.noise(seconds: seconds + 1))
        let child = try rig.start(
            ["record", "-D", "mic", "-d", "\(seconds)", "-f", format, "--json"], at: Self.today)
        let deadline = Date(timeIntervalSinceNow: 60)
        while !files(rig).contains(where: { $0.hasSuffix(".part") }), !child.ends(within: 0),
            Date() < deadline
        {
            usleep(1_000)
        }
        return (rig, child)
    }

    /// Whether libsndfile's temporary file is in the store, and has no name there any more.
    private func waitsForScratchFile(of child: Child, in rig: FileRig) -> Bool {
        let folder = "/proc/\(child.pid)/fd/"
        let wanted = rig.folder.file("store/scratch/")
        while !child.ends(within: 0) {
            let numbers = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            let paths = numbers.compactMap {
                try? FileManager.default.destinationOfSymbolicLink(atPath: folder + $0)
            }
            if paths.contains(where: { $0.hasPrefix(wanted) && $0.hasSuffix("-alac.tmp (deleted)") }) {
                return true
            }
        }
        return false
    }

    @Test(arguments: formats.map(\.0))
    func aKillDuringTheEncodingLeavesTheFlac(format: String) throws {
        let (rig, child) = try encoding(format)
        if format == "alac" { #expect(waitsForScratchFile(of: child, in: rig)) }
        // Somewhere in the middle of it.
        usleep(.random(in: 0...200_000))
        child.send(SIGKILL)
        #expect(child.finish().signal == SIGKILL)
        let memos = try rig.memos("--waiting", at: Self.today)
        #expect(memos.map { $0["format"] as? String } == ["flac"])
        #expect(memos.first?["duration_seconds"] as? Double == 100)
        #expect(memos.first?["interrupted"] as? Bool == false)
        #expect(files(rig).count == 2)
        #expect(try rig.run("expire", at: Self.today).status == 0)
        #expect(files(rig).count == 1 && files(rig)[0].hasSuffix(".flac"))
        #expect(try IndependentProgram.isWhole(rig.folder.file("store/audio/" + files(rig)[0])))
        #expect(rig.folder.names(in: "store/scratch").isEmpty)
        #expect(try rig.memos("--waiting", at: Self.today).count == 1)
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
    func aSignalDuringTheEncodingLeavesTheFlac(signal: Int32) throws {
        let (rig, child) = try encoding("vorbis", seconds: 60)
        child.send(signal)
        let ended = child.finish()
        #expect(ended.status == 0)
        #expect(ended.notes.contains("The memo stays a FLAC: it was interrupted.\n"))
        let memo = Rig.object(ended.output)["memo"] as? [String: Any]
        #expect(memo?["format"] as? String == "flac")
        #expect(files(rig).count == 1)
    }

    @Test func stopDoesNotWaitForTheEncoding() throws {
        let rig = try FileRig(microphone: Self.noise(seconds: 600))
        let child = try rig.start(["record", "-D", "mic", "-d", "600", "-f", "vorbis"], at: Self.today)
        #expect(rig.waitsForSound(bytes: 10_000_000))
        #expect(try rig.run("stop", at: Self.today).status == 0)
        #expect(!child.ends(within: 0))
        #expect(try rig.memos("--waiting", at: Self.today).count == 1)
        #expect(child.finish().status == 0)
        #expect(try rig.memos("--waiting", at: Self.today).first?["format"] as? String == "vorbis")
    }

    @Test func theProgressIsShownOnATerminal() throws {
        let rig = try FileRig(microphone: Self.noise(seconds: 201))
        rig.environment["TERM"] = "xterm"
        let terminal = try PseudoTerminal()
        let child = try rig.start(
            ["record", "-D", "mic", "-d", "200", "-f", "vorbis", "-y"], on: terminal, showing: true,
            at: Self.today)
        #expect(terminal.waits(for: "Saved memo 1") != nil)
        #expect(terminal.waits(for: "Encoding as vorbis … ") != nil)
        #expect(child.finish().status == 0)
    }
}

/// Disks that fill up while a memo is encoded.
@Suite(.enabled(if: getuid() == 0, "mounting a disk needs root"))
struct EncodingDiskTests {
    @Test(arguments: EncodingTests.formats.map(\.0))
    func aDiskThatFillsUpLeavesTheFlac(format: String) throws {
        let rig = try FileRig(microphone: EncodingTests.noise(seconds: 41))
        // Room for the FLAC, and for a little more.
        try rig.folder.mountDisk(on: "store", options: "size=4250k")
        let ended = try rig.run(
            "record", "-D", "mic", "-d", "40", "-f", format, "--json", at: EncodingTests.today)
        #expect(ended.status == 6)
        #expect(ended.notes.contains("The memo stays a FLAC: No space left on device.\n"))
        let memo = try #require(Rig.object(ended.output)["memo"] as? [String: Any])
        #expect(memo["format"] as? String == "flac")
        #expect(memo["duration_seconds"] as? Double == 40)
        let files = rig.folder.names(in: "store/audio")
        #expect(files.count == 1)
        #expect(try IndependentProgram.isWhole(rig.folder.file("store/audio/" + (files.first ?? ""))))
        #expect(rig.folder.names(in: "store/scratch").isEmpty)
        #expect(!rig.folder.names().contains { $0.hasSuffix("alac.tmp") })
        #expect(try rig.memos("--waiting", at: EncodingTests.today).count == 1)
    }
}
