import Foundation
import Sound
import TestSupport
import Testing

@testable import AudioFile

/// MP3 files whose headers say nothing, too little or something wrong.
@Suite struct MPEGTests {
    private let folder: TemporaryFolder
    private let data: Data
    private let samples: [Int32]

    init() throws {
        folder = try TemporaryFolder()
        let file = SoundFiles.Encoded(
            name: "memo.mp3", options: ["-c:a", "libmp3lame", "-q:a", "3", "-id3v2_version", "0"])
        let path = try file.make(in: folder)
        data = try Data(contentsOf: URL(fileURLWithPath: path))
        samples = try SoundFiles.open(path).rest()
    }

    /// Where the description in the first frame is.
    private var description: Int { data.range(of: Data("Xing".utf8))?.lowerBound ?? 0 }

    private func reader(_ data: Data) throws -> AudioFileReader {
        try SoundFiles.open(try folder.write("changed", data))
    }

    @Test func theEncodersPaddingIsTakenAway() {
        #expect(samples.count == 4 * 48_000)
    }

    @Test func aPictureOrJunkInFrontIsPassedOver() throws {
        // Seven bits of each byte count: 300,000 is 0x12 0x27 0x60.
        let picture = Data("ID3\u{3}\0\0\0\u{12}\u{27}\u{60}".utf8) + Data(repeating: 0xff, count: 300_000)
        for front in [
            picture, Data("some words ".utf8), Data(repeating: 0xff, count: 5_000), Data(count: 60_000),
        ] {
            let reader = try reader(front + data)
            #expect(reader.frames == Int64(samples.count))
            #expect(try reader.rest() == samples)
            #expect(!reader.isDamaged)
        }
    }

    /// Seven bits of each byte count: 19 is 0x13, 2²⁴ is 0x08 in the first, and one more is in the last.
    @Test func aTitleIsReadUnlessItsTagIsTooLong() throws {
        let title = Data("TIT2\0\0\0\u{9}\0\0\u{3}On tides".utf8)
        let short = try reader(Data("ID3\u{4}\0\0\0\0\0\u{13}".utf8) + title + data)
        #expect(short.title == "On tides")
        #expect(try short.rest() == samples)
        let padding = Data(count: (1 << 24) + 1 - title.count)
        let long = try reader(Data("ID3\u{4}\0\0\u{8}\0\0\u{1}".utf8) + title + padding + data)
        #expect(long.title == nil)
        #expect(try long.rest() == samples)
    }

    @Test func whatIsBehindTheSoundIsNoSound() throws {
        let tag = Data("TAG".utf8) + Data(repeating: 0x20, count: 125)
        let reader = try reader(data + tag)
        #expect(try reader.rest() == samples)
        #expect(!reader.isDamaged)
    }

    /// Its frames are counted, and the silence that the encoder has put first is left out.
    @Test(arguments: [1, 20, 1_000_000])
    func aDescriptionThatLiesIsNotBelieved(claimed: UInt32) throws {
        var data = data
        data.replaceSubrange(description + 8..<description + 12, with: Noise.data([claimed.bigEndian]))
        let reader = try reader(data)
        let heard = try reader.rest()
        #expect(reader.frames == Int64(heard.count))
        #expect((0...1_152).contains(heard.count - samples.count))
        #expect(heard.starts(with: samples))
        #expect(reader.isDamaged == (claimed == 1_000_000))
    }

    @Test func withoutADescriptionEachFrameIsCounted() throws {
        var data = data
        let first = try #require(MPEGHeader(data.prefix(4).reduce(0) { $0 << 8 | UInt32($1) }))
        data.removeFirst(first.bytes)
        let reader = try reader(data)
        let heard = try reader.rest()
        #expect(reader.frames == Int64(heard.count))
        #expect(heard.count % 1_152 == 0 && heard.count > samples.count)
        // The decoder's delay, and the encoder's own, are not known then.
        #expect(heard.dropFirst(576 + 529 + 5_000).starts(with: samples.dropFirst(5_000).prefix(100_000)))
        #expect(!reader.isDamaged)
    }

    @Test func aCutInAFrameLosesThatFrameAlone() throws {
        for bytes in [data.count / 2, data.count / 2 + 1, data.count / 2 + 200] {
            let reader = try reader(data.prefix(bytes))
            let heard = try reader.rest()
            #expect(reader.frames == Int64(heard.count))
            #expect(samples.starts(with: heard))
            #expect(heard.count > samples.count * 4 / 10)
            #expect(reader.isDamaged)
        }
    }
}
