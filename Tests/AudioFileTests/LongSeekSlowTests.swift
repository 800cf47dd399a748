import CSndFile
import Foundation
import Linux
import Sound
import TestSupport
import Testing

@testable import AudioFile

/// Seeks in files of two hours: as exact as in short ones, and none that a listener would wait for.
@Suite(.serialized) struct LongSeekSlowTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    static let lossy: [(name: String, options: [String])] = [
        ("memo.ogg", ["-c:a", "libvorbis", "-q:a", "1"]),
        ("memo.mp3", ["-c:a", "libmp3lame", "-q:a", "7"]),
        ("bare.mp3", ["-c:a", "libmp3lame", "-b:a", "32k", "-write_xing", "0"]),
    ]
    private static let rate = 8_000
    private static let pieces = 30
    private static let pieceFrames = 240 * rate

    /// Noise, in which no moment of a piece is like another.
    private func piece() throws -> [Int32] {
        var generator = Noise.Generator(state: 4)
        return (0..<Self.pieceFrames).map { _ in
            Int32(truncatingIfNeeded: generator.next()) >> 3 & ~0xffff
        }
    }

    /// Two hours of whole samples, in a file of libsndfile.
    private func twoHours(_ format: Int) throws -> String {
        let path = folder.file("source")
        try SoundFiles.write(
            path, format: format, rate: Self.rate, channels: 1, piece(), times: Self.pieces)
        return path
    }

    @Test(arguments: ["wav", "flac"])
    func aSeekInTwoHoursIsExactAndQuick(name: String) throws {
        let container = Int(name == "wav" ? SF_FORMAT_WAV : SF_FORMAT_FLAC)
        try check(twoHours(container | Int(SF_FORMAT_PCM_16)), name)
    }

    @Test(arguments: lossy.map(\.name))
    func aSeekInTwoHoursOfALossyFileIsExactAndQuick(name: String) throws {
        let options = try #require(Self.lossy.first { $0.name == name }).options
        let source = try twoHours(Int(SF_FORMAT_WAV) | Int(SF_FORMAT_PCM_16))
        let path = folder.file(name)
        try SoundFiles.run(["ffmpeg", "-v", "error", "-i", source] + options + [path])
        try check(path, name)
    }

    /// Apple Lossless is as long as its encoder takes: of 48 kHz 35 minutes, of 8 kHz more than two hours.
    @Test(arguments: ["alac", "opus"])
    func aSeekInTwoHoursOfOurOwnIsExactAndQuick(name: String) throws {
        let source = try twoHours(Int(SF_FORMAT_FLAC) | Int(SF_FORMAT_PCM_16))
        let path = folder.file("memo")
        _ = try Transcoder.transcode(
            FileDescriptor(opening: source, flags: O_RDONLY),
            to: FileDescriptor(opening: path, flags: O_RDWR | O_CREAT), name: "memo",
            as: .init(try #require(AudioFileFormat.named(name))))
        try check(path, name)
    }

    private func check(_ path: String, _ name: String) throws {
        let opened = MonotonicClock.milliseconds
        let reader = try SoundFiles.open(path)
        let opening = MonotonicClock.milliseconds - opened
        let frames = try #require(reader.frames)
        // 200 places, found by reading from the start.
        let targets = (0..<200).map { Int64($0) * (frames - 200) / 199 }
        var expected: [[Int32]] = []
        let linear = try SoundFiles.open(path)
        let block = UnsafeMutableBufferPointer<Int32>.allocate(capacity: 1 << 16)
        defer { block.deallocate() }
        for target in targets {
            while linear.position < target {
                let count = Int(min(Int64(block.count), target - linear.position))
                try #require(linear.read(into: .init(rebasing: block[..<count])) == count)
            }
            expected.append(try linear.next(200))
        }
        #expect(try linear.rest().isEmpty)
        #expect(linear.position == frames && !linear.isDamaged)
        var worst: Int32 = 0
        var times: [Int64] = []
        for index in targets.indices {
            let place = index * 77 % 200
            let begun = MonotonicClock.milliseconds
            try reader.seek(to: targets[place])
            let heard = try reader.next(200)
            times.append(Int64(MonotonicClock.milliseconds - begun))
            #expect(heard.count == expected[place].count)
            worst = max(worst, zip(heard, expected[place]).map { abs($0 / 2 - $1 / 2) }.max() ?? 0)
        }
        // Half a step of 16 bits, where floats differ in their last bits.
        #expect(worst <= 1 << 15)
        times.sort()
        let figures = "median \(times[100]) ms, longest \(times[199]) ms, opened in \(opening) ms"
        // A debug build on a machine that has other things to do is five times slower than what ships.
        #expect(times[100] < 100 && times[199] < 500 && opening < 5_000, "\(figures)")
        print("\(name): \(figures)")
    }
}
