import CSndFile
import Foundation
import Sound
import TestSupport
import Testing

@testable import AudioFile

@Suite struct SeekTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    static let lossless: [(name: String, format: Int)] = [
        ("wav", Int(SF_FORMAT_WAV) | Int(SF_FORMAT_PCM_16)),
        ("wav of floats", Int(SF_FORMAT_WAV) | Int(SF_FORMAT_FLOAT)),
        ("rf64", Int(SF_FORMAT_RF64) | Int(SF_FORMAT_PCM_24)),
        ("aiff", Int(SF_FORMAT_AIFF) | Int(SF_FORMAT_PCM_16)),
        ("au", Int(SF_FORMAT_AU) | Int(SF_FORMAT_PCM_24)),
        ("w64", Int(SF_FORMAT_W64) | Int(SF_FORMAT_PCM_16)),
        ("alac", Int(SF_FORMAT_CAF) | Int(SF_FORMAT_ALAC_16)),
        ("flac", Int(SF_FORMAT_FLAC) | Int(SF_FORMAT_PCM_16)),
        ("deep flac", Int(SF_FORMAT_FLAC) | Int(SF_FORMAT_PCM_24)),
    ]

    /// The numbers of 200 frames, from the first to the last, in an order that goes to and fro.
    private func targets(of frames: Int) -> [Int] {
        (0..<200).map { $0 * 77 % 200 * (frames - 1) / 199 }
    }

    @Test(arguments: lossless.map(\.name), [1, 2, 5])
    func aSeekInALosslessFileIsExact(name: String, channels: Int) throws {
        let format = try #require(Self.lossless.first { $0.name == name }).format
        let path = folder.file("memo")
        // Each sample says where it is.
        let frames = 100_003
        let samples = (0..<frames * channels).map { index in
            Int32(truncatingIfNeeded: UInt32(truncatingIfNeeded: index &* 40_503) << 16)
        }
        try SoundFiles.write(path, format: format, rate: 48_000, channels: channels, samples)
        let reader = try SoundFiles.open(path)
        #expect(reader.frames == Int64(frames))
        for target in targets(of: frames) {
            try reader.seek(to: Int64(target))
            #expect(reader.position == Int64(target))
            let end = min(frames, target + 100)
            #expect(try reader.next(100) == Array(samples[target * channels..<end * channels]))
            #expect(reader.position == Int64(end))
        }
        #expect(!reader.isDamaged)
    }

    @Test(arguments: SoundFiles.lossy)
    func aSeekInALossyFileGivesWhatReadingFromTheStartGives(file: SoundFiles.Encoded) throws {
        let path = try file.make(in: folder)
        let all = try SoundFiles.open(path).rest()
        let reader = try SoundFiles.open(path)
        let frames = all.count / reader.stream.channels
        #expect(reader.frames == Int64(frames))
        var worst: Int32 = 0
        for target in targets(of: frames) {
            try reader.seek(to: Int64(target))
            let heard = try reader.next(100)
            let expected = all[(target * file.channels)...].prefix(100 * file.channels)
            #expect(heard.count == expected.count)
            // The nearest of 16 bits, of floats that differ in their last bits.
            worst = max(worst, zip(heard, expected).map { abs($0 / 2 - $1 / 2) }.max() ?? 0)
        }
        #expect(worst <= 1 << 15, "\(file.name)")
        #expect(!reader.isDamaged)
    }

    @Test func aSeekKeepsToThePartAndToTheFile() throws {
        let path = folder.file("memo")
        let samples = (0..<1_000).map { Int32($0) << 16 }
        try SoundFiles.write(
            path, format: Int(SF_FORMAT_FLAC) | Int(SF_FORMAT_PCM_16), rate: 8_000, channels: 1, samples)
        let reader = try SoundFiles.open(path)
        try reader.seek(to: 5_000)
        #expect(reader.position == 1_000)
        #expect(try reader.next(10).isEmpty)
        try reader.seek(to: -5)
        #expect(reader.position == 0)
        try reader.restrict(to: 100..<200)
        #expect(reader.position == 100)
        #expect(try reader.rest() == Array(samples[100..<200]))
        try reader.seek(to: 50)
        #expect(try reader.rest() == Array(samples[50..<200]))
        try reader.seek(to: 150)
        #expect(try reader.rest() == Array(samples[150..<200]))
        try reader.seek(to: 900)
        #expect(reader.position == 200)
        #expect(try reader.next(1).isEmpty)
        #expect(!reader.isDamaged)
        try reader.restrict(to: 990..<5_000)
        #expect(try reader.rest() == Array(samples[990...]))
        #expect(!reader.isDamaged)
    }
}
