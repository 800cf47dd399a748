import CSndFile
import Foundation
import Linux
import Sound
import TestSupport
import Testing

@testable import AudioFile

@Suite struct HostileFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let unknown = "it is no file of sound that can be read"

    private static func random(_ count: Int, seed: UInt64) -> Data {
        var generator = Noise.Generator(state: seed)
        return Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }

    /// A WAV header, true or not, and some sound.
    private static func wave(
        channels: UInt16 = 1, rate: UInt32 = 8_000, size: UInt32 = 800, before: Data = Data()
    ) -> Data {
        var data = Data("RIFF".utf8) + Noise.data([UInt32.max / 2]) + Data("WAVE".utf8) + before
        data += Data("fmt ".utf8) + Noise.data([UInt32(16)]) + Noise.data([1, channels])
        data += Noise.data([rate, rate &* UInt32(channels) &* 2]) + Noise.data([channels &* 2, 16])
        return data + Data("data".utf8) + Noise.data([size]) + Data(repeating: 1, count: 800)
    }

    static let garbage: [(name: String, data: Data, reason: String)] = [
        ("nothing", Data(), "it is empty"),
        ("text", Data(String(repeating: "Dear diary, nothing has happened.\n", count: 200).utf8), unknown),
        ("zeros", Data(count: 100_000), unknown),
        ("ones", Data(repeating: 0xff, count: 100_000), unknown),
        (
            "a picture", Data([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) + random(50_000, seed: 8),
            unknown
        ),
        ("a tag without sound", Data("ID3\u{4}\0\0\0\0\0\u{40}".utf8) + Data(count: 50_000), unknown),
        ("one MPEG header", Data([0xff, 0xfb, 0x90, 0x64]) + Data(count: 50_000), unknown),
        ("a short MPEG header", Data([0xff, 0xfb]), unknown),
        ("MPEG in noise", Data([0xff, 0xfb, 0x90, 0x64]) + random(100_000, seed: 9), unknown),
        ("no channels", wave(channels: 0), "its header makes no sense"),
        ("1000 channels", wave(channels: 1_000), "it is said to have 1000 channels of 8000 Hz"),
        ("no rate", wave(rate: 0), "its header makes no sense"),
        ("a rate beyond reason", wave(rate: 2_000_000_000), "it is said to have 1 channels of 2000000000 Hz"),
    ]

    @Test(arguments: garbage.map(\.name))
    func whatIsNoSoundIsRefusedInWordsThatAPersonUnderstands(name: String) throws {
        let file = try #require(Self.garbage.first { $0.name == name })
        let path = try folder.write("memo", file.data)
        let error = #expect(throws: AudioFileError.self) { try SoundFiles.open(path) }
        #expect(error?.attempt == "read memo")
        #expect(error?.reason == file.reason)
        #expect(error?.code == nil)
    }

    @Test func noiseIsNeverTakenForSound() throws {
        for seed in 100..<160 {
            var data = Self.random(30_000, seed: UInt64(seed))
            // Each begins as MPEG audio does.
            if seed % 2 == 0 { data.replaceSubrange(0..<2, with: [0xff, UInt8(0xe0 | seed & 0x1f)]) }
            let path = try folder.write("memo", data)
            #expect(throws: AudioFileError.self) { try SoundFiles.open(path) }
        }
    }

    @Test func aFolderIsRefused() throws {
        let error = #expect(throws: AudioFileError.self) {
            try AudioFileReader(
                descriptor: FileDescriptor(opening: folder.path, flags: O_RDONLY), name: "memo")
        }
        #expect(error?.code == EISDIR)
    }

    /// Headers that promise more than any disk holds. What is there is read, or the file is refused; either way
    /// at once and in little memory.
    @Test func aHeaderThatPromisesTooMuchCostsNothing() throws {
        let path = folder.file("flac")
        try SoundFiles.write(
            path, format: Int(SF_FORMAT_FLAC) | Int(SF_FORMAT_PCM_16), rate: 8_000, channels: 1,
            [Int32](repeating: 1 << 20, count: 400))
        var flac = try Data(contentsOf: URL(fileURLWithPath: path))
        flac.replaceSubrange(22..<26, with: [0xff, 0xff, 0xff, 0xff])
        flac[21] |= 0xf
        let giant = Data("LIST".utf8) + Noise.data([UInt32.max - 8])
        for (data, frames) in [
            (Self.wave(size: .max), 400), (Self.wave(size: .max - 1), 400),
            (Self.wave(size: 0x8000_0000), 400),
            (flac, 400), (Self.wave(before: giant), nil),
        ] as [(Data, Int?)] {
            let path = try folder.write("memo", data)
            let reader = try? SoundFiles.open(path)
            #expect(reader?.frames == frames.map(Int64.init))
            #expect(try reader?.rest().count == frames)
        }
    }

    /// The number of eight bytes from which the header's own length is taken, in Sony's W64.
    @Test func aSizeThatIsNoNumberIsNone() throws {
        let path = folder.file("w64")
        try SoundFiles.write(
            path, format: Int(SF_FORMAT_W64) | Int(SF_FORMAT_PCM_16), rate: 8_000, channels: 1, [1, 2, 3])
        var data = try Data(contentsOf: URL(fileURLWithPath: path))
        let sizes = ["fmt ", "data"].compactMap { data.range(of: Data($0.utf8))?.lowerBound }.map { $0 + 16 }
        #expect(sizes.count == 2)
        for offset in sizes {
            data.replaceSubrange(offset..<offset + 8, with: [0, 0, 0, 0, 0, 0, 0, 0x80])
            _ = try? SoundFiles.open(try folder.write("memo", data))
        }
    }

    @Test func whatFollowsTheLastPageOfAnOggCostsNoMemory() throws {
        let (path, samples) = try noise("opus")
        #expect(truncate(path, 2_000_000_000) == 0)
        let before = MutationTests.mostKilobytes()
        #expect(try SoundFiles.open(path).frames == Int64(samples.count))
        #expect(MutationTests.mostKilobytes() - before < 300_000)
    }

    @Test func aTagInFrontOfAFLACIsPassedOver() throws {
        let (path, samples) = try noise("flac")
        let tag = Data("ID3\u{4}\0\0\0\0\u{2}\0".utf8) + Data(count: 256)
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        let reader = try SoundFiles.open(try folder.write("tagged", tag + data))
        #expect(try reader.rest() == samples)
        try reader.seek(to: 100_000)
        #expect(try reader.next(500) == Array(samples[100_000..<100_500]))
    }

    static let cuttable = [
        ("flac", Int(SF_FORMAT_FLAC) | Int(SF_FORMAT_PCM_16)),
        ("wav", Int(SF_FORMAT_WAV) | Int(SF_FORMAT_PCM_24)),
        ("rf64", Int(SF_FORMAT_RF64) | Int(SF_FORMAT_PCM_16)),
        ("aiff", Int(SF_FORMAT_AIFF) | Int(SF_FORMAT_PCM_16)),
        ("au", Int(SF_FORMAT_AU) | Int(SF_FORMAT_PCM_16)),
        ("w64", Int(SF_FORMAT_W64) | Int(SF_FORMAT_PCM_16)),
        ("caf", Int(SF_FORMAT_CAF) | Int(SF_FORMAT_PCM_16)),
        ("alac", Int(SF_FORMAT_CAF) | Int(SF_FORMAT_ALAC_16)),
        ("opus", Int(SF_FORMAT_OGG) | Int(SF_FORMAT_OPUS)),
        ("vorbis", Int(SF_FORMAT_OGG) | Int(SF_FORMAT_VORBIS)),
        ("mp3", Int(SF_FORMAT_MPEG) | Int(SF_FORMAT_MPEG_LAYER_III)),
    ]

    /// Four seconds of noise that a lossy coder cannot make small, in a file of libsndfile.
    private func noise(_ name: String) throws -> (path: String, samples: [Int32]) {
        let format = try #require(Self.cuttable.first { $0.0 == name }).1
        var generator = Noise.Generator(state: 21)
        let samples = (0..<192_000).map { _ in Int32.random(in: -1 << 28...1 << 28, using: &generator) }
        let path = folder.file("whole")
        try SoundFiles.write(path, format: format, rate: 48_000, channels: 1, samples)
        return (path, try SoundFiles.open(path).rest())
    }

    @Test(arguments: cuttable.map(\.0))
    func aCutFileGivesWhatIsThereAndThenSaysSo(name: String) throws {
        let (path, samples) = try noise(name)
        #expect(samples.count == 192_000)
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        let cut = try folder.write("cut", data.prefix(data.count * 6 / 10))
        let reader = try SoundFiles.open(cut)
        let first = try reader.next(1_000)
        #expect(!reader.isDamaged)
        let heard = try first + reader.rest()
        #expect(reader.isDamaged)
        #expect(heard.count > 192_000 * (name == "opus" || name == "vorbis" ? 3 : 5) / 10, "\(heard.count)")
        #expect(heard.count < 192_000 * 7 / 10)
        // Of Apple's packets only their list says how many there are, and it is not cut.
        let frames = try #require(reader.frames)
        #expect(name == "alac" ? frames > heard.count : frames == heard.count)
        #expect(heard.elementsEqual(samples.prefix(heard.count)))
        try reader.seek(to: 50_000)
        #expect(try reader.next(500) == Array(samples[50_000..<50_500]))
    }

    static let damages: [String] = ["a hole", "wrong bytes"]

    @Test(arguments: ["flac", "mp3", "opus", "vorbis", "alac"], damages)
    func damageInTheMiddleIsPassedOver(name: String, damage: String) throws {
        let (path, samples) = try noise(name)
        var data = try Data(contentsOf: URL(fileURLWithPath: path))
        if damage == "a hole" {
            data.replaceSubrange(data.count / 2..<data.count / 2 + 4_096, with: Data(count: 4_096))
        } else {
            for tenth in 4...6 { data[data.count * tenth / 10] ^= 0x5a }
        }
        let reader = try SoundFiles.open(try folder.write("damaged", data))
        let heard = try reader.rest()
        #expect(heard.prefix(30_000).elementsEqual(samples.prefix(30_000)))
        #expect(heard.count > 90_000)
        if name == "flac" {
            // Where a frame is missing there is silence, and all else is where it was.
            #expect(reader.isDamaged)
            #expect(heard.count == 192_000)
            #expect(zip(heard, samples).allSatisfy { $0 == $1 || $0 == 0 })
            #expect(zip(heard, samples).count(where: { $0 != $1 }) < 7 * 4_096)
            for target in stride(from: 0, to: 192_000, by: 2_500) {
                try reader.seek(to: Int64(target))
                let part = try reader.next(500)
                #expect(zip(part, samples[target...]).allSatisfy { $0 == $1 || $0 == 0 })
            }
            try reader.seek(to: 180_000)
            #expect(try reader.rest() == Array(samples[180_000...]))
        } else if name != "alac" {
            #expect(reader.isDamaged || damage == "wrong bytes")
            // What comes behind the damage is heard, but earlier, as nothing tells how much is missing.
            let end = samples[170_000..<170_200]
            #expect(heard.indices.contains { heard[$0...].starts(with: end) })
        }
    }
}
