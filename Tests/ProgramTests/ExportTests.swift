import AudioFile
import Foundation
import TestSupport
import Testing

/// Memos that become files again.
@Suite struct ExportTests {
    static let monday = Rig.Clock("2026-11-30 09:00:00")
    static let tuesday = monday.adding(seconds: 86_400)

    private let rig: Rig

    init() throws {
        rig = try Rig()
    }

    private func bytes(_ name: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: rig.folder.file(name)))
    }

    /// Keeps a memo of noise.
    private func keep(
        rate: Int = 48_000, channels: Int = 1, bits: Int = 16, frames: Int = 24_011, _ options: String...
    ) throws {
        // Quiet enough for the encoder of ALAC, which makes mistakes with what is loud.
        let all = Noise.data(
            Noise.bits24(frames: frames, channels: channels).withUnsafeBytes {
                $0.bindMemory(to: Int32.self).map { $0 >> 5 & (bits == 16 ? ~0xffff : ~0xff) }
            })
        try rig.folder.write("noise.raw", all)
        let made = try rig.tool(
            "ffmpeg", "-v", "error", "-y", "-f", "s32le", "-ar", "\(rate)", "-ac", "\(channels)", "-i",
            rig.folder.file("noise.raw"), "-c:a", "pcm_s\(bits)le", rig.folder.file("noise.wav"))
        try #require(made.status == 0, "\(made.notes)")
        let ended = try rig.start(["import", rig.folder.file("noise.wav")] + options, at: Self.monday)
            .finish()
        try #require(ended.status == 0, "\(ended.notes)")
    }

    /// Keeps a memo that takes a few seconds to encode.
    private func keepLong() throws {
        let noise = "anoisesrc=d=60:seed=1:r=48000:a=0.5"
        _ = try rig.tool(
            "ffmpeg", "-v", "error", "-f", "lavfi", "-i", noise, "-ac", "2", rig.folder.file("long.wav"))
        try #require(try rig.run("import", rig.folder.file("long.wav"), at: Self.monday).status == 0)
    }

    private func export(_ name: String, _ options: String...) throws -> Child.Result {
        try rig.start(["export", "1", rig.folder.file(name)] + options, at: Self.tuesday).finish()
    }

    private func tags(_ name: String) throws -> Set<String> {
        let ended = try rig.tool(
            "ffprobe", "-v", "error", "-of", "default=noprint_wrappers=1", "-show_entries",
            "format_tags=title,date,genre:stream_tags=title,date,genre", rig.folder.file(name))
        return Set(ended.output.split(separator: "\n").map { $0.lowercased() })
    }

    /// Each format's own ending, all of FLAC's, and one or two of the others.
    static let ways: [(name: String, ending: String)] =
        AudioFileFormat.all.map { ($0.name, $0.fileExtension) }
        + ["wav", "opus", "ogg", "mp3", "caf"].map { ("flac", $0) }
        + [
            ("wav", "caf"), ("alac", "flac"), ("alac", "wav"), ("mp3", "flac"), ("opus", "mp3"),
            ("vorbis", "wav"),
        ]

    @Test(arguments: ways)
    func aMemoOfAnyFormatBecomesAFileOfAnyFormat(name: String, ending: String) throws {
        let bits = 24
        try keep(channels: 2, bits: bits, frames: 12_007, "-f", name, "-t", "Größe 世界 \"q\"", "-c", "courage")
        let own = "store/audio/" + (rig.folder.names(in: "store/audio").first ?? "")
        let before = try bytes(own)
        let ended = try export("out." + ending.uppercased())
        #expect(ended.status == 0, "\(ended.notes)")
        #expect(ended.notes.hasPrefix("Exported memo 1 “Größe 世界 \"q\"”, 0:00, to "))
        #expect(ended.output.isEmpty)
        try FileManager.default.moveItem(
            atPath: rig.folder.file("out." + ending.uppercased()), toPath: rig.folder.file("out." + ending))
        let path = rig.folder.file("out." + ending)
        #expect(try IndependentProgram.isWhole(path))
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let format = try #require(AudioFileFormat.named(name))
        if format.fileExtension == ending {
            #expect(try bytes("out." + ending) == before)
        } else {
            #expect(
                try tags("out." + ending) == [
                    "tag:title=größe 世界 \"q\"", "tag:date=2026-11-30", "tag:genre=courage",
                ])
            #expect(try abs((IndependentProgram.frames(of: path) ?? 0) - 12_007) < 3_000)
        }
        let lossless = ["flac", "wav", "caf"]
        if lossless.contains(ending), lossless.contains(format.fileExtension) {
            #expect(try IndependentProgram.samples(of: path) == bytes("noise.raw"))
        }
        #expect(try bytes(own) == before)
        #expect(!rig.folder.names().contains { $0.hasSuffix(".part") })
        #expect(rig.folder.names(in: "store/scratch").isEmpty)
    }

    @Test func onlyWhatCanBeHeardCanBeExported() throws {
        try keep()
        let path = rig.folder.file("out.wav")
        #expect(try rig.run("export", "1", path, at: Self.monday).status == 4)
        #expect(try rig.run("export", "latest", path, at: Self.monday).status == 3)
        #expect(try rig.run("export", "2", path, at: Self.tuesday).status == 3)
        #expect(try rig.run("export", "1", path, at: Self.tuesday.adding(seconds: 86_400)).status == 3)
        #expect(try rig.run("export", "x", path, at: Self.tuesday).status == 2)
        for name in ["out", "out.txt", "out.wav/", "-", ".wav.old", ""] {
            let refused = try rig.run("export", "1", name, at: Self.tuesday)
            #expect(refused.status == 2)
            #expect(
                refused.notes.contains(
                    "'\(name)' does not end in one of .flac, .wav, .opus, .ogg, .mp3, .caf"))
        }
        #expect(!rig.folder.names().contains("out.wav"))
        #expect(try rig.run("export", "latest", path, at: Self.tuesday).status == 0)
    }

    @Test func whatTheFormatCannotHoldIsNotWritten() throws {
        try keep(channels: 3)
        let refused = try export("out.opus")
        #expect(refused.status == 1)
        #expect(refused.notes.hasPrefix("tomorrow: cannot export memo 1 to "))
        #expect(refused.notes.hasSuffix(": opus holds at most 2 channels, not 3\n"))
        #expect(!rig.folder.names().contains { $0.hasPrefix("out.") || $0.hasSuffix(".part") })
    }

    @Test(arguments: [
        ("opus", 22_050, 24_000), ("opus", 96_000, 48_000), ("mp3", 96_000, 48_000), ("mp3", 9_000, 11_025),
    ])
    func aRateThatTheFormatDoesNotHoldBecomesTheNextThatItDoes(ending: String, rate: Int, other: Int) throws {
        _ = try rig.tool(
            "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "sine=f=1000:r=\(rate):d=3",
            rig.folder.file("a.wav"))
        try #require(try rig.run("import", rig.folder.file("a.wav"), at: Self.monday).status == 0)
        let ended = try export("out." + ending)
        #expect(ended.status == 0)
        #expect(ended.notes.contains("\(ending) does not hold \(rate) Hz: the file has \(other).\n"))
        let path = rig.folder.file("out." + ending)
        #expect(try IndependentProgram.isWhole(path))
        let again = try rig.start(["import", path, "--json"], at: Self.monday).finish()
        let memo = Rig.object(again.output)["memo"] as? [String: Any]
        #expect(memo?["sample_rate"] as? Int == other)
        #expect(memo?["duration_seconds"] as? Double == 3)
        // It is the same tone still: nothing of it is beside 1 kHz.
        let filter = "bandreject=f=1000:width_type=h:w=400,astats=measure_perchannel=none"
        let measured = try rig.tool(
            "ffmpeg", "-hide_banner", "-ss", "1", "-t", "1", "-i", path, "-af", filter, "-f", "null", "-")
        let level = measured.notes.firstMatch(of: /RMS level dB: (-?[0-9.]+)/).flatMap { Double($0.1) }
        #expect(try #require(level) < -40)
    }

    @Test func whatIsThereStaysUnlessForced() throws {
        try keep()
        try rig.folder.write("out.wav", "mine")
        let refused = try export("out.wav")
        #expect(refused.status == 1)
        #expect(refused.notes.hasSuffix("out.wav: it is there already\n  --force replaces it.\n"))
        #expect(try bytes("out.wav") == Data("mine".utf8))
        #expect(try export("out.wav", "--force").status == 0)
        #expect(try bytes("out.wav") == bytes("noise.wav"))
        let folders = rig.folder.file("folder.wav")
        try FileManager.default.createDirectory(atPath: folders, withIntermediateDirectories: true)
        #expect(symlink("/dev/null", rig.folder.file("link.wav")) == 0)
        #expect(mkfifo(rig.folder.file("pipe.wav"), 0o600) == 0)
        for name in ["folder.wav", "link.wav", "pipe.wav", "missing/out.wav"] {
            for options in [[], ["--force"]] {
                let ended = try rig.start(
                    ["export", "1", rig.folder.file(name)] + options, at: Self.tuesday
                ).finish(within: 20)
                #expect(ended.status == 1, "\(name) \(ended.notes)")
            }
        }
        #expect(!rig.folder.names().contains { $0.hasSuffix(".part") })
    }

    @Test(arguments: ["wav", "flac", "caf"])
    func whatWasTrimmedIsLeftOut(ending: String) throws {
        try keep(bits: 24)
        _ = try rig.tool(
            "sqlite3", rig.folder.file("store/memos.db"),
            "UPDATE memos SET first_frame = 5003, end_frame = 15004")
        #expect(try export("out." + ending).status == 0)
        let samples = try IndependentProgram.samples(of: rig.folder.file("out." + ending))
        #expect(try samples == bytes("noise.raw")[5003 * 4..<15004 * 4])
        #expect(try tags("out." + ending) == ["tag:title=noise", "tag:date=2026-11-30"])
    }

    @Test func aNameNeedNotBeText() throws {
        try keep()
        let script = """
            cd '\(rig.folder.path)'; '\(Rig.program)' export 1 "$(printf 'caf\\351.wav')" &&
            cmp "$(printf 'caf\\351.wav')" noise.wav && '\(Rig.program)' export 1 -- -x.wav && cmp ./-x.wav noise.wav
            """
        let ended = try Child(["sh", "-c", script], environment: rig.environment(at: Self.tuesday)).finish()
        #expect(ended.status == 0, "\(ended.notes)")
    }

    /// A long memo that has just begun to be exported.
    private func exporting(_ name: String) throws -> Child {
        try keepLong()
        let child = try rig.start(["export", "1", rig.folder.file(name), "--force"], at: Self.tuesday)
        while !hasNamelessFile(child), !child.ends(within: 0) { usleep(1_000) }
        return child
    }

    /// Whether a process writes a file in the rig's folder that has no name yet.
    private func hasNamelessFile(_ child: Child) -> Bool {
        let folder = "/proc/\(child.pid)/fd"
        return (try? FileManager.default.contentsOfDirectory(atPath: folder))?.contains { name in
            let path = try? FileManager.default.destinationOfSymbolicLink(atPath: folder + "/" + name)
            return path?.hasPrefix(rig.folder.path + "/#") == true
        } == true
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGKILL])
    func aSignalEndsItAndLeavesWhatWasThere(signal: Int32) throws {
        try rig.folder.write("out.ogg", "mine")
        let child = try exporting("out.ogg")
        child.send(signal)
        let ended = child.finish(within: 20)
        #expect(ended.signal == signal)
        #expect(ended.notes.isEmpty)
        #expect(try bytes("out.ogg") == Data("mine".utf8))
        #expect(!rig.folder.names().contains { $0.hasPrefix(".tomorrow") })
    }

    @Test func aMemoThatIsDeletedMeanwhileIsExportedToItsEnd() throws {
        let child = try exporting("out.ogg")
        #expect(try rig.run("delete", "1", "-y", at: Self.tuesday).status == 0)
        #expect(child.finish().status == 0)
        #expect(try IndependentProgram.frames(of: rig.folder.file("out.ogg")) == 2_880_000)
    }

    @Test func howFarItIsIsShownOnATerminal() throws {
        try keepLong()
        rig.environment["TERM"] = "xterm"
        let terminal = try PseudoTerminal()
        let child = try rig.start(
            ["export", "1", rig.folder.file("out.ogg")], on: terminal, showing: true,
            at: Self.tuesday.running(timesAsFast: 1_000))
        #expect(terminal.waits(for: "Exporting memo 1 “long” … ") != nil)
        #expect(terminal.waits(for: "Exported memo 1 “long”, 1:00, to") != nil)
        #expect(child.finish().status == 0)
    }

    @Test(
        .enabled(if: getuid() == 0, "mounting a disk needs root"), arguments: ["wav", "flac", "mp3", "caf"])
    func onAFullDiskNothingIsLeft(ending: String) throws {
        try keep(frames: 400_000)
        try rig.folder.mountDisk(on: "stick", options: "size=64k")
        let old = "stick/out." + ending
        try rig.folder.write(old, "mine")
        let ended = try export(old, "--force")
        #expect(ended.status == 6)
        #expect(
            ended.notes.split(separator: "\n").count == 1 && ended.notes.contains("No space left on device"))
        #expect(try bytes(old) == Data("mine".utf8))
        #expect(rig.folder.names(in: "stick") == ["out." + ending])
    }
}
