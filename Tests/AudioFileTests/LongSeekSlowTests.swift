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

    static let formats: [(name: String, options: [String])] = [
        ("memo.wav", ["-c:a", "pcm_s16le"]), ("memo.flac", ["-c:a", "flac", "-compression_level", "0"]),
        ("memo.opus", ["-c:a", "libopus", "-b:a", "24k", "-compression_level", "0"]),
        ("memo.ogg", ["-c:a", "libvorbis", "-q:a", "1"]),
        ("memo.mp3", ["-c:a", "libmp3lame", "-q:a", "7", "-compression_level", "9"]),
        ("bare.mp3", ["-c:a", "libmp3lame", "-b:a", "32k", "-compression_level", "9", "-write_xing", "0"]),
    ]
    private static let frames: Int64 = 2 * 3_600 * 16_000

    @Test(.timeLimit(.minutes(5)), arguments: formats.map(\.name))
    func aSeekInTwoHoursIsExactAndQuick(name: String) throws {
        let options = try #require(Self.formats.first { $0.name == name }).options
        let path = folder.file(name)
        // A minute of noise with a tone that rises over the two hours: no moment is like another.
        let sound = "anoisesrc=d=60:r=16000:a=0.3,aloop=-1:960000,atrim=0:7200"
        let tone = "aevalsrc='0.3*sin(2*PI*(100+t/4)*t)':d=7200:s=16000"
        try SoundFiles.run(
            ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", sound, "-f", "lavfi", "-i", tone]
                + ["-filter_complex", "amix=inputs=2", "-ac", "1", "-ar", "16000"] + options + [path])
        try check(path)
    }

    /// The encoder of libsndfile takes no more than 35 minutes of 48 kHz, of 16 kHz a hundred.
    @Test(.timeLimit(.minutes(5))) func aSeekInALongAppleLosslessFileIsExactAndQuick() throws {
        let wave = folder.file("memo.wav")
        try SoundFiles.run(
            [
                "ffmpeg", "-v", "error", "-f", "lavfi", "-i",
                "aevalsrc='0.3*sin(2*PI*(100+t/4)*t)':d=6000:s=16000",
            ]
                + ["-c:a", "flac", "-f", "flac", wave])
        let path = folder.file("memo.caf")
        _ = try Transcoder.transcode(
            FileDescriptor(opening: wave, flags: O_RDONLY),
            to: FileDescriptor(opening: path, flags: O_RDWR | O_CREAT), name: "memo",
            format: try #require(AudioFileFormat.named("alac")))
        try check(path)
    }

    private func check(_ path: String) throws {
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
        print("\(path.split(separator: "/").last ?? ""): \(figures)")
    }
}
