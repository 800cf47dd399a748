import AudioFile
import Foundation
import TestSupport
import Testing

/// Files of others that become memos.
@Suite struct ImportTests {
    static let monday = Rig.Clock("2026-11-30 09:00:00")
    static let tuesday = monday.adding(seconds: 86_400)

    private let rig: Rig

    init() throws {
        rig = try Rig()
    }

    private var files: [String] { rig.folder.names(in: "store/audio") }

    private func bytes(_ name: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: rig.folder.file(name)))
    }

    /// A file of noise, in which no moment is like another.
    @discardableResult
    private func make(
        _ name: String, rate: Int = 44_100, channels: Int = 1, frames: Int = 30_011, _ options: String...
    ) throws -> String {
        try make(name, rate: rate, channels: channels, frames: frames, options)
    }

    private func make(
        _ name: String, rate: Int = 44_100, channels: Int = 1, frames: Int = 30_011, _ options: [String]
    ) throws -> String {
        try rig.folder.write("noise.raw", Noise.bits24(frames: frames, channels: channels))
        let path = rig.folder.file(name)
        let made = try Child(
            [
                "ffmpeg", "-v", "error", "-y", "-f", "s32le", "-ar", "\(rate)", "-ac", "\(channels)", "-i",
                rig.folder.file("noise.raw"),
            ] + options + [path], environment: rig.environment
        ).finish()
        try #require(made.status == 0, "\(made.notes)")
        return path
    }

    /// A file that takes a few seconds.
    private func makeLong() throws -> String {
        let path = rig.folder.file("long.aiff")
        let noise = "anoisesrc=d=60:seed=1:r=48000:a=0.5"
        let made = try rig.tool("ffmpeg", "-v", "error", "-f", "lavfi", "-i", noise, "-ac", "2", path)
        try #require(made.status == 0, "\(made.notes)")
        return path
    }

    private func memo(_ ended: Child.Result) throws -> [String: Any] {
        try #require(Rig.object(ended.output)["memo"] as? [String: Any], "\(ended.notes)")
    }

    /// Whether nothing is left of an import.
    private func isEmpty() throws -> Bool {
        try files.isEmpty && rig.folder.names(in: "store/scratch").isEmpty
            && rig.memos("--all", at: Self.monday).isEmpty
    }

    /// What another program has made of each of our formats, and what the memo says of itself.
    static let ours: [(file: String, options: [String], rate: Int, format: String, bits: Int)] = [
        ("a.flac", ["-sample_fmt", "s32"], 44_100, "flac", 24),
        ("a.flac", ["-sample_fmt", "s16"], 8_000, "flac", 16),
        ("a.wav", ["-c:a", "pcm_s16le"], 44_100, "wav", 16),
        ("a.wav", ["-c:a", "pcm_s24le"], 96_000, "wav", 24),
        ("a.opus", ["-c:a", "libopus"], 48_000, "opus", 16),
        ("a.ogg", ["-c:a", "libvorbis"], 44_100, "vorbis", 16),
        ("a.mp3", ["-c:a", "libmp3lame"], 44_100, "mp3", 16),
        // What it is in truth counts, and not what it is called.
        ("lies.mp3", ["-c:a", "pcm_s16le", "-f", "wav"], 44_100, "wav", 16),
    ]

    @Test(arguments: ours.indices)
    func aFileInOneOfOurFormatsIsKeptByteForByte(index: Int) throws {
        let (name, options, rate, format, bits) = Self.ours[index]
        let (frames, channels) = (rate / 2 + 11, index % 2 + 1)
        try rig.folder.write("noise.raw", Noise.bits24(frames: frames, channels: channels))
        let made = try Child(
            [
                "ffmpeg", "-v", "error", "-f", "s32le", "-ar", "\(rate)", "-ac", "\(channels)", "-i",
                rig.folder.file("noise.raw"),
            ] + options + [rig.folder.file(name)], environment: rig.environment
        ).finish()
        try #require(made.status == 0, "\(made.notes)")
        let source = try bytes(name)
        let ended = try rig.run(
            "import", rig.folder.file(name), "-t", "Other's", "-c", "focus", "--json", at: Self.monday)
        #expect(ended.status == 0)
        #expect(ended.notes.hasPrefix("Imported memo 1 “Other's”, 0:0"))
        #expect(
            ended.notes.contains("It opens Tue 2026-12-01 00:00, in 15 h, and leaves Wed 2026-12-02 00:00."))
        #expect(!ended.notes.contains("damaged") && !ended.notes.contains("kept as"))
        let memo = try memo(ended)
        #expect(memo["format"] as? String == format)
        #expect(memo["bits"] as? Int == bits)
        #expect(memo["channels"] as? Int == channels)
        #expect(memo["state"] as? String == "waiting")
        #expect(memo["title"] as? String == "Other's" && memo["category"] as? String == "focus")
        #expect(memo["interrupted"] as? Bool == false)
        #expect(memo["peak_dbfs"] as? Double ?? -99 > -3)
        #expect(abs((memo["duration_seconds"] as? Double ?? 0) - Double(frames) / Double(rate)) < 0.06)
        #expect(memo["bytes"] as? Int == source.count)
        #expect(try files.count == 1 && bytes("store/audio/" + files[0]) == source)
        #expect(try bytes(name) == source)

        #expect(try rig.run("expire", at: Self.monday).output.isEmpty)
        let shown = try rig.run("show", "1", at: Self.tuesday).output.split(separator: "\n")[0]
        #expect(shown.wholeMatch(of: /[▂▃▄▅▆▇█]{80}/) != nil, "\(shown)")
        try rig.run("expire", at: Self.tuesday.adding(seconds: 86_400))
        #expect(files.isEmpty)
    }

    /// What is in none of our formats, with the depth that its memo has.
    static let others: [(file: String, options: [String], bits: Int, isExact: Bool)] = [
        ("a.aiff", ["-c:a", "pcm_s16be"], 16, true), ("a.aiff", ["-c:a", "pcm_s24be"], 24, true),
        ("a.au", ["-c:a", "pcm_s24be"], 24, true), ("a.w64", ["-c:a", "pcm_s16le"], 16, true),
        ("a.caf", ["-c:a", "pcm_s16le"], 16, true), ("a.wav", ["-c:a", "pcm_u8"], 16, true),
        ("a.wav", ["-c:a", "pcm_s32le"], 24, true), ("a.wav", ["-c:a", "pcm_f32le"], 24, true),
        ("a.wav", ["-c:a", "pcm_mulaw"], 16, true),
        ("a.mp2", ["-c:a", "mp2"], 16, false),
    ]

    @Test(arguments: others.indices)
    func anyOtherFileBecomesFlacOfItsDepth(index: Int) throws {
        let (name, options, bits, isExact) = Self.others[index]
        let frames = 44_100
        try rig.folder.write("noise.raw", Noise.bits24(frames: frames, channels: 2))
        let made = try Child(
            [
                "ffmpeg", "-v", "error", "-f", "s32le", "-ar", "44100", "-ac", "2", "-i",
                rig.folder.file("noise.raw"),
            ]
                + options + [rig.folder.file(name)], environment: rig.environment
        ).finish()
        try #require(made.status == 0, "\(made.notes)")
        let source = try bytes(name)
        let ended = try rig.run("import", rig.folder.file(name), "--json", at: Self.monday)
        #expect(ended.status == 0)
        let memo = try memo(ended)
        #expect(memo["format"] as? String == "flac")
        #expect(memo["bits"] as? Int == bits)
        let kept = rig.folder.file("store/audio/" + (files.first ?? ""))
        #expect(kept.hasSuffix(".flac") && files.count == 1)
        #expect(try IndependentProgram.isWhole(kept))
        if isExact {
            #expect(memo["duration_seconds"] as? Double == 1)
            #expect(
                try IndependentProgram.samples(of: kept)
                    == IndependentProgram.samples(of: rig.folder.file(name)))
        }
        #expect(try bytes(name) == source)
        #expect(rig.folder.names(in: "store/scratch").isEmpty)
    }

    @Test(arguments: AudioFileFormat.all.map(\.name))
    func theFormatThatIsAskedForIsMade(name: String) throws {
        try make("a.aiff", rate: 48_000, frames: 24_000, "-c:a", "pcm_s16be")
        let ended = try rig.run("import", rig.folder.file("a.aiff"), "-f", name, "--json", at: Self.monday)
        #expect(ended.status == 0, "\(ended.notes)")
        #expect(try memo(ended)["format"] as? String == name)
        #expect(try memo(ended)["duration_seconds"] as? Double == 0.5)
        #expect(try IndependentProgram.isWhole(rig.folder.file("store/audio/" + (files.first ?? ""))))
        #expect(files.count == 1 && rig.folder.names(in: "store/scratch").isEmpty)
        // A file of that format already is not encoded once more.
        let kept = try bytes("store/audio/" + files[0])
        try rig.folder.write("kept", kept)
        try rig.run("import", rig.folder.file("kept"), "-f", name, at: Self.monday)
        #expect(try bytes("store/audio/" + (files.first { $0.hasPrefix("2-") } ?? "")) == kept)
    }

    @Test func aLayoutThatAFormatCannotHoldIsKeptAndSaid() throws {
        try make("a.wav", "-c:a", "pcm_s16le")
        let opus = try rig.run("import", rig.folder.file("a.wav"), "-f", "opus", "--json", at: Self.monday)
        #expect(try opus.status == 0 && memo(opus)["format"] as? String == "wav")
        #expect(opus.notes.contains("The memo is kept as wav: opus holds 8000, "))
        try make("b.au", channels: 9, "-c:a", "pcm_s16be")
        let many = try rig.run("import", rig.folder.file("b.au"), "--json", at: Self.monday)
        #expect(try many.status == 0 && memo(many)["format"] as? String == "wav")
        #expect(many.notes.contains("The memo is kept as wav: flac holds at most 8 channels, not 9.\n"))
    }

    /// Names that ask to be quoted, and the command that helps.
    static let foreign: [(file: String, options: String, kind: String, command: String)] = [
        ("i.m4a", "-c:a aac", "MP4 (M4A, AAC)", "ffmpeg -i i.m4a i.wav"),
        ("a b's.aac", "-c:a aac", "AAC", "ffmpeg -i 'a b'\\''s.aac' 'a b'\\''s.wav'"),
        ("-x.webm", "-c:a libopus", "WebM or Matroska", "ffmpeg -i ./-x.webm ./-x.wav"),
        ("i.wma", "-c:a wmav2", "WMA", "ffmpeg -i i.wma i.wav"),
        ("no.dots/i", "-c:a aac -f mp4", "MP4 (M4A, AAC)", "ffmpeg -i no.dots/i no.dots/i.wav"),
    ]

    @Test(arguments: foreign.indices)
    func forAKindThatCannotBeReadItIsSaidWhatHelps(index: Int) throws {
        let (file, options, kind, command) = Self.foreign[index]
        try make("a.wav", rate: 48_000, "-c:a", "pcm_s16le")
        let environment = rig.environment(at: Self.monday).merging(
            ["FILE": file, "T": Rig.program, "DIR": rig.folder.path], uniquingKeysWith: { $1 })
        func run(_ script: String) throws -> Child.Result {
            try Child(["sh", "-c", "cd \"$DIR\"; mkdir -p no.dots; " + script], environment: environment)
                .finish()
        }
        let made = try run("ffmpeg -v error -i a.wav \(options) \"./$FILE\"")
        try #require(made.status == 0, "\(made.notes)")
        let refused = try run("$T import -- \"$FILE\"")
        #expect(refused.status == 1)
        #expect(
            refused.notes == "tomorrow: cannot import \(file): it is \(kind), which cannot be read\n"
                + "  This makes one that can be: \(command)\n")
        let done = try run("set -- \(command); ffmpeg -v error \"$2\" \"$3\" \"$4\" && $T import -- \"$4\"")
        #expect(done.status == 0, "\(done.notes)")
        #expect(try run("$T import - < \"./$FILE\"").notes.hasSuffix("\(kind), which cannot be read\n"))
    }

    /// How the file is made, how it is imported, and what the memo is called then.
    static let titles: [(file: String, options: [String], arguments: [String], title: String?)] = [
        ("lecture.wav", [], [], "lecture"), ("a.b.wav", [], [], "a.b"), (".wav", ["-f", "wav"], [], ".wav"),
        ("t.wav", ["-metadata", "title=On tides"], [], "On tides"),
        ("t.flac", ["-metadata", "title=Über Ebbe"], [], "Über Ebbe"),
        ("t.mp3", ["-metadata", "title=Über Ebbe"], [], "Über Ebbe"),
        ("t.mp3", ["-id3v2_version", "3", "-metadata", "title=Über Ebbe"], [], "Über Ebbe"),
        ("t.ogg", ["-c:a", "libvorbis", "-metadata", "title=On tides"], [], "On tides"),
        ("t.wav", ["-metadata", "title=  "], [], "t"),
        ("t.wav", ["-metadata", "title=" + String(repeating: "x", count: 201)], [], "t"),
        ("t.wav", ["-metadata", "title=On tides"], ["-t", "Mine"], "Mine"),
        ("t.wav", ["-metadata", "title=On tides"], ["-t", ""], nil),
    ]

    @Test(arguments: titles.indices)
    func aMemoIsCalledAsItsFileIs(index: Int) throws {
        let (file, options, arguments, title) = Self.titles[index]
        let path = try make(file, frames: 4_000, options)
        let named = try rig.start(["import", path, "--json"] + arguments, at: Self.monday).finish()
        #expect(try memo(named)["title"] as? String == title)
    }

    @Test func standardInputHasNoName() throws {
        let path = try make("a.wav", frames: 4_000)
        let ended = try rig.start(["import", "-", "--json"], at: Self.monday, input: path).finish()
        #expect(try memo(ended)["title"] is NSNull)
    }

    @Test func whatIsSilentIsSaidToBe() throws {
        try rig.folder.write("zero.raw", Data(count: 96_000))
        _ = try rig.tool(
            "sox", "-r", "48000", "-e", "signed", "-b", "16", "-c", "1", rig.folder.file("zero.raw"),
            rig.folder.file("a.wav"))
        let ended = try rig.run("import", rig.folder.file("a.wav"), at: Self.monday)
        #expect(ended.notes.contains("It is silent: "))
    }

    @Test func theDayOfItsDeliveryIsCountedFromNow() throws {
        let path = try make("a.wav", "-c:a", "pcm_s16le")
        let ended = try rig.run("import", path, "--deliver", "fri", "--json", at: Self.monday)
        #expect(try memo(ended)["show_at"] as? String == "2026-12-04T00:00:00+00:00")
        #expect(try memo(ended)["created_at"] as? String ?? "" >= "2026-11-30T09:00:00")
        #expect(try rig.run("import", path, "--deliver", "today", at: Self.monday).status == 2)
        #expect(try rig.run("import", path, "-c", "none", at: Self.monday).status == 2)
        try rig.configure("day-start = noon\n")
        #expect(try rig.run("import", path, at: Self.monday).status == 2)
        #expect(files.count == 1)
    }

    /// What comes through a pipe, with a header that was written before anybody knew the length.
    @Test(arguments: ["-f wav", "-f flac", "-f ogg -c:a libopus -ar 48000", "-f mp3", "-f au"])
    func standardInputIsReadToItsEnd(options: String) throws {
        try make("a.wav", frames: 88_200, "-c:a", "pcm_s16le")
        for name in ["-", rig.folder.file("pipe")] {
            let script = """
                ffmpeg -v error -i "\(rig.folder.file("a.wav"))" \(options) - \
                \(name.hasSuffix("/pipe") ? "> \(name) &" : "|") "\(Rig.program)" import \(name) --json
                """
            if name.hasSuffix("/pipe") { mkfifo(name, 0o600) }
            let ended = try Child(["sh", "-c", script], environment: rig.environment(at: Self.monday)).finish(
                within: 30)
            #expect(ended.status == 0, "\(ended.notes)")
            let memo = try memo(ended)
            #expect(abs((memo["duration_seconds"] as? Double ?? 0) - 2) < 0.06, "\(name) \(options)")
            #expect(memo["interrupted"] as? Bool == false)
            #expect(!ended.notes.contains("damaged"))
        }
        #expect(rig.folder.names(in: "store/scratch").isEmpty)
    }

    @Test func whatSoxWritesToAPipeIsNotTakenForCut() throws {
        let path = try make("a.wav", frames: 88_200, "-c:a", "pcm_s16le")
        let script = "cat '\(path)' | sox -t wav - -t wav - | \(Rig.program) import - --json"
        let ended = try Child(["sh", "-c", script], environment: rig.environment(at: Self.monday)).finish(
            within: 30)
        #expect(try memo(ended)["duration_seconds"] as? Double == 2)
        #expect(try memo(ended)["interrupted"] as? Bool == false)
    }

    /// It is looked at before all of it is there.
    @Test func aLongFileComesWholeThroughAPipe() throws {
        let path = try makeLong()
        let wav = rig.folder.file("long.wav")
        let made = try rig.tool("ffmpeg", "-v", "error", "-i", path, "-ac", "4", wav)
        try #require(made.status == 0, "\(made.notes)")
        let ended = try Child(
            ["sh", "-c", "cat '\(wav)' | '\(Rig.program)' import -"],
            environment: rig.environment(at: Self.monday)
        ).finish()
        #expect(ended.status == 0 && !ended.notes.contains("damaged"), "\(ended.notes)")
        #expect(try bytes("long.wav").count > 20 << 20)
        #expect(try bytes("store/audio/" + (files.first ?? "")) == bytes("long.wav"))
    }

    /// What is no file of sound, and what is said to that.
    static let refused: [(script: String, words: String)] = [
        ("import nothing", "cannot import nothing: No such file or directory"),
        ("import .", "cannot import .: Is a directory"),
        ("import /dev/zero", "cannot import /dev/zero: it is a device, and no file"),
        ("import - < /dev/zero", "cannot import standard input: it is a device, and no file"),
        ("import - < /dev/null", "cannot import standard input: it is a device, and no file"),
        ("import ''", "cannot import : No such file or directory"),
        (": > empty; $T import empty", "cannot import empty: it is empty"),
        (": | $T import -", "cannot import standard input: it is empty"),
        (
            "head -c 1000 /dev/urandom > junk; $T import junk",
            "cannot import junk: it is no file of sound that can be read"
        ),
        // Not longer than it takes to see that it is no sound.
        (
            "cat /dev/zero | $T import -",
            "cannot import standard input: it is no file of sound that can be read"
        ),
        (
            "truncate -s 100G huge; $T import huge",
            "cannot import huge: it is no file of sound that can be read"
        ),
        (
            "ffmpeg -v error -f lavfi -i anullsrc=d=0 -f wav tags.wav; $T import tags.wav",
            "cannot import tags.wav: there is no sound in it"
        ),
        ("echo text > -t; $T import -- -t", "cannot import -t: it is no file of sound that can be read"),
        ("ln -s loop loop; $T import loop", "cannot import loop: Too many levels of symbolic links"),
    ]

    @Test(arguments: refused.indices)
    func whatIsNoFileOfSoundIsRefusedInOneLine(index: Int) throws {
        let (script, words) = Self.refused[index]
        let whole =
            "cd '\(rig.folder.path)'; T='\(Rig.program)'; " + (script.hasPrefix("import") ? "$T " : "")
            + script.replacing("import ", with: "import --json ")
        let ended = try Child(["sh", "-c", whole], environment: rig.environment(at: Self.monday))
            .finish(within: 20)
        #expect(ended.status == 1, "\(ended.notes)")
        #expect(ended.notes == "tomorrow: \(words)\n")
        #expect(ended.output == "{\"version\":1,\"memo\":null}\n")
        #expect(try isEmpty())
    }

    /// Of a file that lost its end, what is left.
    @Test(arguments: ["a.flac", "a.wav", "a.mp3", "a.opus", "a.ogg", "a.aiff"])
    func ofADamagedFileItsRestIsKeptAndThatIsSaid(name: String) throws {
        let path = try make(name, rate: 48_000, frames: 480_000)
        let whole = try bytes(name)
        try rig.folder.write(name, whole.prefix(whole.count / 2))
        let ended = try rig.run("import", path, "--json", at: Self.monday)
        #expect(ended.status == 0, "\(ended.notes)")
        #expect(ended.notes.contains("\(path) is cut or damaged: this is what can be heard of it.\n"))
        let memo = try memo(ended)
        #expect(abs((memo["duration_seconds"] as? Double ?? 0) - 5) < 1.2)
        #expect(memo["interrupted"] as? Bool == true)
        #expect(memo["format"] as? String == "flac")
        #expect(try IndependentProgram.isWhole(rig.folder.file("store/audio/" + (files.first ?? ""))))
        #expect(try bytes(name) == whole.prefix(whole.count / 2))
    }

    /// libsndfile reads the first of them alone.
    @Test func ofJoinedFilesItIsSaidThatNotAllIsHeard() throws {
        try make("a.ogg", frames: 44_100, "-c:a", "libvorbis")
        try make("b.ogg", frames: 88_200, "-c:a", "libvorbis", "-serial_offset", "7")
        try rig.folder.write("joined.ogg", bytes("a.ogg") + bytes("b.ogg"))
        let ended = try rig.run("import", rig.folder.file("joined.ogg"), "--json", at: Self.monday)
        #expect(try memo(ended)["duration_seconds"] as? Double == 1)
        #expect(ended.notes.contains("is cut or damaged: this is what can be heard of it.\n"))
    }

    /// Tags in front or behind, a header without a length: what is kept is nothing that would have to be mended.
    @Test func aMemoIsWholeStillWhenTheDatabaseIsLost() throws {
        let wav = try make("a.wav", frames: 44_100, "-c:a", "pcm_s16le")
        var tagged = try bytes("a.wav") + Data("LIST\u{10}\0\0\0INFOINAM\u{4}\0\0\0abc\0".utf8)
        let size = UInt32(tagged.count - 8)
        tagged.replaceSubrange(4..<8, with: withUnsafeBytes(of: size.littleEndian) { Data($0) })
        try rig.folder.write("tagged.wav", tagged)
        let flac = try bytes(String(try make("a.flac", frames: 44_100).split(separator: "/").last!))
        try rig.folder.write("id3.flac", Data("ID3\u{3}\0\0\0\0\0\u{b}TIT2\0\0\0\u{1}\0\0\0".utf8) + flac)
        try rig.folder.write("junk.flac", flac + Data("TAG".utf8) + Data(count: 125))
        try make("a.ogg", frames: 44_100, "-c:a", "libvorbis")
        try rig.folder.write("junk.ogg", bytes("a.ogg") + Data(count: 500))
        _ = try Child(
            ["sh", "-c", "ffmpeg -v error -i '\(wav)' -f flac - > '\(rig.folder.file("piped.flac"))'"],
            environment: rig.environment
        ).finish()
        let names = ["tagged.wav", "id3.flac", "junk.flac", "junk.ogg", "piped.flac"]
        for name in names {
            let ended = try rig.run("import", rig.folder.file(name), at: Self.monday)
            #expect(ended.status == 0 && !ended.notes.contains("damaged"), "\(name) \(ended.notes)")
        }
        #expect(try bytes("store/audio/" + (files.first { $0.hasSuffix(".wav") } ?? "")) == tagged)
        try FileManager.default.removeItem(atPath: rig.folder.file("store/memos.db"))
        let memos = try rig.memos("--all", at: Self.monday)
        #expect(memos.map { $0["duration_seconds"] as? Double } == names.map { _ in 1 })
        #expect(memos.allSatisfy { $0["interrupted"] as? Bool == false })
    }

    @Test func manyImportsAtOnceAreAsManyMemos() throws {
        let path = try make("a.aiff", "-c:a", "pcm_s16be")
        let children = try (0..<12).map { index in
            try rig.start(index % 4 == 3 ? ["expire"] : ["import", path], at: Self.monday)
        }
        for child in children { #expect(child.finish().status == 0) }
        let memos = try rig.memos("--all", at: Self.monday)
        #expect(memos.compactMap { $0["id"] as? Int }.sorted() == Array(1...9))
        #expect(memos.allSatisfy { $0["interrupted"] as? Bool == false })
        #expect(files.count == 9)
        #expect(try rig.run("expire", at: Self.monday).output.isEmpty)
    }

    @Test func aMemosOwnFileIsNotImportedAgain() throws {
        let path = try make("a.wav", "-c:a", "pcm_s16le")
        try rig.run("import", path, at: Self.monday)
        let own = rig.folder.file("store/audio/" + files[0])
        try FileManager.default.createSymbolicLink(atPath: rig.folder.file("link"), withDestinationPath: own)
        for name in [own, rig.folder.file("link")] {
            let again = try rig.run("import", name, at: Self.monday)
            #expect(again.status == 1)
            #expect(again.notes.contains(": it is the file of a memo that is kept already\n"))
        }
        #expect(files.count == 1)
    }

    @Test func aNameNeedNotBeText() throws {
        let path = try make("a.wav", "-c:a", "pcm_s16le")
        let script = """
            cd '\(rig.folder.path)'; N=$(printf 'caf\\351.wav'); cp '\(path)' "$N"; cp '\(path)' ./-x.wav
            '\(Rig.program)' import -t "$(printf 'caf\\350.wav')" "$N" && '\(Rig.program)' import -- -x.wav
            """
        let ended = try Child(["sh", "-c", script], environment: rig.environment(at: Self.monday)).finish()
        #expect(ended.status == 0, "\(ended.notes)")
        #expect(files.count == 2)
    }

    /// A long file that has just begun to be imported.
    private func importing(_ options: String...) throws -> Child {
        let path = try makeLong()
        let child = try rig.start(["import", path, "-t", "gone"] + options, at: Self.monday)
        while !files.contains(where: { $0.hasSuffix(".part") }), !child.ends(within: 0) { usleep(1_000) }
        return child
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
    func aSignalEndsItAndLeavesNothing(signal: Int32) throws {
        let child = try importing()
        child.send(signal)
        let ended = child.finish(within: 20)
        #expect(ended.signal == signal)
        #expect(ended.notes.isEmpty)
        #expect(try isEmpty())
    }

    @Test func aSignalEndsItWhileItWaitsForAPipe() throws {
        let pipe = rig.folder.file("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let child = try rig.start(["import", pipe], at: Self.monday)
        #expect(!child.ends(within: 1))
        child.send(SIGINT)
        #expect(child.finish(within: 20).signal == SIGINT)
        #expect(try isEmpty())
    }

    @Test func ofAnImportThatWasKilledNothingIsLeftBehindTheNextExpire() throws {
        let child = try importing()
        #expect(try rig.memos("--all", at: Self.monday).isEmpty)
        // Another process does not sweep away what is being imported.
        #expect(try rig.run("expire", at: Self.monday).output.isEmpty)
        #expect(files.count == 1)
        child.send(SIGKILL)
        _ = child.finish()
        #expect(try rig.run("expire", at: Self.monday).status == 0)
        #expect(try isEmpty())
    }

    @Test func howFarItIsIsShownOnATerminal() throws {
        let path = try makeLong()
        rig.environment["TERM"] = "xterm"
        let terminal = try PseudoTerminal()
        let child = try rig.start(
            ["import", path], on: terminal, showing: true, at: Self.monday.running(timesAsFast: 1_000))
        #expect(terminal.waits(for: " %  ▮") != nil)
        #expect(terminal.waits(for: "Imported memo 1 “long”, 1:00.") != nil)
        #expect(child.finish().status == 0)
    }

    /// A disk on which there is no room for a file: neither where it is copied, nor where it is encoded, nor where
    /// it comes through a pipe.
    @Test(.enabled(if: getuid() == 0, "mounting a disk needs root"), arguments: ["a.wav", "a.aiff", "-"])
    func ofAFileThatDoesNotFitNothingIsLeft(name: String) throws {
        try rig.folder.mountDisk(on: "store", options: "size=1200k")
        let path = try make(name == "-" ? "a.wav" : name, rate: 48_000, frames: 600_000)
        let ended = try rig.start(
            ["import", name == "-" ? "-" : path], at: Self.monday, input: name == "-" ? path : "/dev/null"
        ).finish()
        #expect(ended.status == 6)
        #expect(ended.notes.split(separator: "\n").count == 1, "\(ended.notes)")
        #expect(ended.notes.contains("No space left on device"))
        #expect(try isEmpty())
        let piped = try Child(
            ["sh", "-c", "cat '\(path)' | '\(Rig.program)' import -"],
            environment: rig.environment(at: Self.monday)
        ).finish()
        #expect(piped.status == 6 && piped.notes.contains("No space left on device"), "\(piped.notes)")
        #expect(try isEmpty())
        try rig.run("import", make("b.wav", frames: 1_000), at: Self.monday)
        #expect(files.count == 1)
    }
}
