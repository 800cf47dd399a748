import Foundation
import Linux
import Sound
import TestSupport
import Testing

@testable import AudioFile

@Suite struct TranscoderTests {
    private let folder: TemporaryFolder
    static let made = AudioFileFormat.all.filter { !$0.isWrittenLive }

    init() throws { folder = try TemporaryFolder() }

    /// A tone with some noise, as a FLAC.
    private func source(_ stream: StreamFormat, frames: Int, noise: Int32 = 60_000_000) throws
        -> (file: FileDescriptor, samples: [Int32])
    {
        let file = try FileDescriptor(opening: folder.file("source"), flags: O_RDWR | O_CREAT | O_TRUNC)
        let writer = try AudioFileWriter(
            descriptor: file, name: "source", format: AudioFileFormat.all[0], stream: stream)
        var generator = Noise.Generator(state: 3)
        let samples = (0..<frames * stream.channels).map { index -> Int32 in
            let tone = 6e8 * sin(Double(index / stream.channels) * 2 * .pi * 440 / Double(stream.rate))
            let sample = Int32(tone) + Int32.random(in: -noise...noise, using: &generator)
            return sample & (stream.bits == 16 ? ~0xffff : ~0xff)
        }
        try samples.withUnsafeBufferPointer { try writer.write($0) }
        try writer.close()
        return (file, samples)
    }

    private func target(_ ending: String) throws -> FileDescriptor {
        try FileDescriptor(
            opening: folder.file("target." + ending), flags: O_RDWR | O_CREAT | O_TRUNC | O_NOFOLLOW)
    }

    private func samples(of file: FileDescriptor) throws -> [Int32] {
        let reader = try AudioFileReader(descriptor: file, name: "target")
        var all: [Int32] = []
        let block = UnsafeMutableBufferPointer<Int32>.allocate(capacity: 1_000 * reader.stream.channels)
        defer { block.deallocate() }
        while true {
            let count = try reader.read(into: block)
            if count == 0 { return all }
            all += block[..<(count * reader.stream.channels)]
        }
    }

    private func energy(_ samples: [Int32]) -> Double {
        samples.reduce(0) { $0 + pow(Double($1) / 2_147_483_648, 2) } / Double(max(1, samples.count))
    }

    @Test(arguments: made.map(\.name), [1, 2])
    func theSoundIsTheSameAndOtherProgramsAgree(name: String, channels: Int) throws {
        let format = try #require(AudioFileFormat.named(name))
        for (rate, bits) in [(48_000, 16), (44_100, 24), (8_000, 16)] {
            let stream = StreamFormat(rate: rate, channels: channels, bits: bits)
            let frames = rate + 37
            let source = try source(stream, frames: frames)
            let target = try target(format.fileExtension)
            let result = try Transcoder.transcode(source.file, to: target, name: "target", as: .init(format))
            #expect(result.frames == Int64(frames))
            #expect(result.stream.bits == (format.isLossless ? bits : 16))
            let path = folder.file("target." + format.fileExtension)
            #expect(try IndependentProgram.frames(of: path) == frames)
            #expect(try IndependentProgram.isWhole(path))
            let decoded = try samples(of: target)
            if format.isLossless {
                #expect(decoded == source.samples)
                #expect(try IndependentProgram.samples(of: path) == Noise.data(source.samples))
            } else {
                let decibels = 10 * log10(energy(decoded) / energy(source.samples))
                #expect(abs(decibels) < 0.5, "\(name) \(rate) Hz: \(decibels) dB")
                let difference = zip(decoded, source.samples).map { $0 / 2 - $1 / 2 }
                let noise = 10 * log10(4 * energy(difference) / energy(source.samples))
                // The tone is where it was, and not shifted by the encoder's delay.
                #expect(noise < -10, "\(name) \(rate) Hz: \(noise) dB")
            }
        }
    }

    @Test(arguments: made.map(\.name))
    func aSoundOfAnyLengthKeepsEachFrame(name: String) throws {
        let format = try #require(AudioFileFormat.named(name))
        for frames in [1, 2, 100, 575, 576, 577, 1_105, 1_152, 1_153, 4_095, 4_096, 4_097, 8_192, 20_000] {
            let source = try source(StreamFormat(rate: 16_000, channels: 1, bits: 16), frames: frames)
            let target = try target(format.fileExtension)
            let result = try Transcoder.transcode(source.file, to: target, name: "target", as: .init(format))
            #expect(result.frames == Int64(frames))
            #expect(try samples(of: target).count == frames)
        }
    }

    @Test(arguments: made.map(\.name))
    func everyLayoutThatAFormatDoesNotObjectToIsKept(name: String) throws {
        let format = try #require(AudioFileFormat.named(name))
        for rate in format.rates ?? [4_000, 5_512, 7_999, 48_000, 96_000, 192_000] {
            for channels in [1, format.mostChannels] {
                let stream = StreamFormat(rate: rate, channels: channels, bits: 24)
                #expect(format.objection(to: stream) == nil)
                let source = try source(stream, frames: 5_000)
                let target = try target(format.fileExtension)
                let result = try Transcoder.transcode(
                    source.file, to: target, name: "target", as: .init(format))
                #expect(result.frames == 5_000)
            }
        }
        for stream in [
            StreamFormat(rate: 48_000, channels: format.mostChannels + 1, bits: 16),
            StreamFormat(rate: format.rates == nil ? 48_000 : 96_000, channels: 1, bits: 8),
        ] {
            #expect(format.objection(to: stream) != nil)
        }
    }

    /// At full scale, where an encoder that computes with floats goes beyond.
    @Test(arguments: ["vorbis", "mp3"])
    func aHotSoundDoesNotWrap(name: String) throws {
        let format = try #require(AudioFileFormat.named(name))
        let stream = StreamFormat(rate: 48_000, channels: 1, bits: 16)
        let file = try FileDescriptor(opening: folder.file("source"), flags: O_RDWR | O_CREAT | O_TRUNC)
        let writer = try AudioFileWriter(
            descriptor: file, name: "source", format: AudioFileFormat.all[0], stream: stream)
        let square = (0..<48_000).map { $0 / 50 % 2 == 0 ? Int32.max & ~0xffff : Int32.min }
        try square.withUnsafeBufferPointer { try writer.write($0) }
        try writer.close()
        let target = try target(format.fileExtension)
        _ = try Transcoder.transcode(file, to: target, name: "target", as: .init(format))
        let decoded = try samples(of: target)
        // In the middle of each half wave the sign is the right one.
        for middle in stride(from: 2_025, to: 46_000, by: 50) {
            #expect((decoded[middle] > 0) == (square[middle] > 0))
        }
    }

    @Test(arguments: made.map(\.name))
    func itTellsHowFarItIsAndCanBeCancelledAtAnyPoint(name: String) throws {
        let format = try #require(AudioFileFormat.named(name))
        let source = try source(StreamFormat(rate: 48_000, channels: 1, bits: 16), frames: 100_000)
        var fractions: [Double] = []
        _ = try Transcoder.transcode(
            source.file, to: try target(format.fileExtension), name: "target", as: .init(format),
            progress: { fractions.append($0) })
        #expect(fractions == fractions.sorted())
        #expect(fractions.first ?? 1 < 0.1)
        #expect(fractions.last == 1)
        for step in [1, 10, fractions.count] {
            var asked = 0
            let error = #expect(throws: AudioFileError.self) {
                try Transcoder.transcode(
                    source.file, to: try target(format.fileExtension), name: "target", as: .init(format),
                    isCancelled: {
                        asked += 1
                        return asked == step
                    })
            }
            #expect(error?.reason == "it was interrupted")
        }
    }

    @Test(arguments: made.map(\.name))
    func aFullDiskIsSeen(name: String) throws {
        let format = try #require(AudioFileFormat.named(name))
        let source = try source(StreamFormat(rate: 48_000, channels: 1, bits: 16), frames: 200_000)
        // Each write to it fails as on a full disk.
        let full = try FileDescriptor(opening: "/dev/full", flags: O_RDWR)
        let error = #expect(throws: AudioFileError.self) {
            try Transcoder.transcode(source.file, to: full, name: "target", as: .init(format))
        }
        #expect(error?.code == ENOSPC)
    }

    @Test(arguments: made.map(\.name))
    func aSourceThatEndsTooEarlyIsNotTakenForWhole(name: String) throws {
        let format = try #require(AudioFileFormat.named(name))
        let source = try source(StreamFormat(rate: 48_000, channels: 1, bits: 16), frames: 200_000)
        let length = try source.file.status().bytes
        #expect(ftruncate(source.file.number, off_t(length / 2)) == 0)
        #expect(throws: AudioFileError.self) {
            try Transcoder.transcode(
                source.file, to: try target(format.fileExtension), name: "target", as: .init(format))
        }
    }

    /// libsndfile's list of packets has no room for more of these, and would be written past its end.
    @Test func soundThatAppleLosslessCannotCompressIsRefusedBeforeItDoesHarm() throws {
        let format = try #require(AudioFileFormat.named("alac"))
        let stream = StreamFormat(rate: 48_000, channels: 3, bits: 16)
        let loud = try source(stream, frames: 90 * 4_096, noise: 1_500_000_000)
        let error = #expect(throws: AudioFileError.self) {
            try Transcoder.transcode(loud.file, to: try target("caf"), name: "target", as: .init(format))
        }
        #expect(error?.reason == "the encoder cannot take sound that compresses so little")
        let short = try source(stream, frames: 75 * 4_096 + 100, noise: 1_500_000_000)
        let kept = try target("caf")
        let result = try Transcoder.transcode(short.file, to: kept, name: "target", as: .init(format))
        #expect(result.frames == 75 * 4_096 + 100)
        #expect(try samples(of: kept) == short.samples)
    }

    @Test func whatIsTooLongForAppleLosslessIsRefusedAtOnce() throws {
        let format = try #require(AudioFileFormat.named("alac"))
        let stream = StreamFormat(rate: 48_000, channels: 1, bits: 16)
        let error = #expect(throws: AudioFileError.self) {
            try AudioFileWriter(
                descriptor: try target("caf"), name: "target", format: format, stream: stream,
                expecting: 3 * 3_600 * 48_000)
        }
        #expect(error?.reason == "the encoder cannot take more than 35 minutes")
    }

    /// The encoder makes mistakes with two channels of 24 bits that are that loud.
    @Test func whatAnEncoderDoesNotGiveBackIsRefused() throws {
        let format = try #require(AudioFileFormat.named("alac"))
        let stream = StreamFormat(rate: 48_000, channels: 2, bits: 24)
        let loud = try source(stream, frames: 40_000, noise: 1_500_000_000)
        let error = #expect(throws: AudioFileError.self) {
            try Transcoder.transcode(loud.file, to: try target("caf"), name: "target", as: .init(format))
        }
        #expect(error?.reason == "the encoder gives back something else")
    }

    @Test func appleLosslessLeavesNothingInTheTemporaryFolder() throws {
        let format = try #require(AudioFileFormat.named("alac"))
        let source = try source(StreamFormat(rate: 48_000, channels: 1, bits: 16), frames: 200_000)
        let temporary = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var isFirst = true
        _ = try Transcoder.transcode(
            source.file, to: try target("caf"), name: "target", as: .init(format),
            progress: { _ in
                guard isFirst else { return }
                isFirst = false
                // While it is in use it has no name any more, and room for all that may come.
                let open = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
                let paths = open.map { "/proc/self/fd/" + $0 }.filter {
                    let path = (try? FileManager.default.destinationOfSymbolicLink(atPath: $0)) ?? ""
                    return path.hasPrefix(temporary) && path.hasSuffix("-alac.tmp (deleted)")
                }
                let room = paths.map { path in
                    var status = stat()
                    return stat(path, &status) == 0 ? Int(status.st_blocks) * 512 : 0
                }
                #expect(room.contains { $0 >= 400_000 }, "\(room)")
            })
        #expect(!isFirst)
    }
}
