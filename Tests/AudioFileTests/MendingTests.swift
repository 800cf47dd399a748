import Foundation
import Linux
import Sound
import TestSupport
import Testing

@testable import AudioFile

@Suite struct MendingTests {
    /// The formats in which a take can be killed.
    static let live = AudioFileFormat.all.filter(\.isWrittenLive).map(\.name)

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Writes noise as a take does, and stops without closing the file: what a kill leaves.
    private func killedTake(_ format: AudioFileFormat, frames: Int, bits: Int = 16) throws -> FileDescriptor {
        let file = try FileDescriptor(opening: folder.file("take"), flags: O_RDWR | O_CREAT | O_TRUNC)
        let stream = StreamFormat(rate: 48_000, channels: 1, bits: bits)
        let writer = try AudioFileWriter(descriptor: file, name: "take", format: format, stream: stream)
        var generator = Noise.Generator(state: 7)
        for begin in stride(from: 0, to: frames, by: 960) {
            let samples = (begin..<min(frames, begin + 960)).map { _ in
                Int32.random(in: -2_000_000_000...2_000_000_000, using: &generator)
                    & (bits == 16 ? ~0xffff : ~0xff)
            }
            try samples.withUnsafeBufferPointer { try writer.write($0) }
        }
        // The file as it is on disk now, not as the writer's end leaves it.
        let copy = folder.file("copy")
        try FileManager.default.copyItem(atPath: folder.file("take"), toPath: copy)
        return try FileDescriptor(opening: copy, flags: O_RDWR)
    }

    @Test(arguments: live, [16, 24])
    func aKilledTakeIsWholeAgainAndOtherProgramsAgree(name: String, bits: Int) throws {
        let format = try #require(AudioFileFormat.named(name))
        let file = try killedTake(format, frames: 100_000, bits: bits)
        let mended = try Mending.mend(file, name: "copy", format: format)
        #expect(mended.frames > 100_000 - 2 * 4_096)
        #expect(mended.frames <= 100_000)
        let copy = folder.file("copy." + format.fileExtension)
        try FileManager.default.moveItem(atPath: folder.file("copy"), toPath: copy)
        #expect(try IndependentProgram.frames(of: copy) == Int(mended.frames))
        #expect(try IndependentProgram.isWhole(copy))
    }

    @Test(arguments: live)
    func mendingAgainChangesNothing(name: String) throws {
        let format = try #require(AudioFileFormat.named(name))
        let file = try killedTake(format, frames: 50_000)
        // A kill in the middle of a write.
        let length = try file.status().bytes
        #expect(ftruncate(file.number, off_t(length - 101)) == 0)
        let first = try Mending.mend(file, name: "copy", format: format)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.file("copy")))
        let second = try Mending.mend(file, name: "copy", format: format)
        #expect(first.wasCut && !second.wasCut)
        #expect(first.frames == second.frames)
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file("copy"))) == bytes)
    }

    @Test(arguments: AudioFileFormat.all.map(\.name), [16, 24])
    func aWholeFileStaysAsItIs(name: String, bits: Int) throws {
        let format = try #require(AudioFileFormat.named(name))
        let path = folder.file("whole")
        // Odd lengths, too: some files have a byte of padding at their end.
        for frames in [1, 2, 3, 1_001, 4_096, 4_097, 12_345] + Array(30_000..<30_012) {
            let file = try FileDescriptor(opening: path, flags: O_RDWR | O_CREAT | O_TRUNC)
            let writer = try AudioFileWriter(
                descriptor: file, name: "whole", format: format,
                stream: StreamFormat(rate: 48_000, channels: 1, bits: bits))
            let samples = (0..<frames).map { Int32(sin(Double($0) / 10) * 20_000) << 16 }
            try samples.withUnsafeBufferPointer { try writer.write($0) }
            try writer.close()
            let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            let mended = try Mending.mend(file, name: "whole", format: format)
            #expect(!mended.wasCut && mended.frames == frames, "\(frames) frames: \(mended)")
            #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes, "\(frames) frames")
        }
    }

    @Test func aFileCutAnywhereKeepsItsWholeFrames() throws {
        let format = try #require(AudioFileFormat.named("flac"))
        let whole = try killedTake(format, frames: 20_000)
        let length = try whole.status().bytes
        var last: Int64 = 0
        for cut in stride(from: 0, through: length, by: 97) {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.file("copy"))).prefix(Int(cut))
            let file = try FileDescriptor(opening: try folder.write("cut", bytes), flags: O_RDWR)
            // In the middle of the first block there is nothing to keep, nor enough to call it nothing.
            let frames = (try? Mending.mend(file, name: "cut", format: format))?.frames ?? 0
            #expect(frames % 4_096 == 0)
            #expect(frames >= last)
            last = frames
        }
        // The encoder holds a block back, and the one that it is filling.
        #expect(last == 12_288)
    }

    @Test(arguments: live)
    func aTakeWithoutAFrameHasNothingToKeep(name: String) throws {
        let format = try #require(AudioFileFormat.named(name))
        for bytes in [Data(), Data("fLaC".utf8), Data(count: 1_000), Data("RF64".utf8)] {
            let file = try FileDescriptor(opening: try folder.write("none", bytes), flags: O_RDWR)
            #expect(try Mending.mend(file, name: "none", format: format).frames == 0)
        }
        let begun = try killedTake(format, frames: 0)
        #expect(try Mending.mend(begun, name: "copy", format: format).frames == 0)
    }

    @Test(arguments: live)
    func whatCannotBeHeardIsNeitherCalledEmptyNorChanged(name: String) throws {
        let format = try #require(AudioFileFormat.named(name))
        for bytes in [Data(count: 100_000), Noise.bits16(frames: 100_000)] {
            let file = try FileDescriptor(opening: try folder.write("noise", bytes), flags: O_RDWR)
            #expect(throws: AudioFileError.self) { try Mending.mend(file, name: "noise", format: format) }
            #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file("noise"))) == bytes)
        }
    }

    @Test(arguments: live)
    func aFileThatCannotBeReadIsNotAnEmptyOne(name: String) throws {
        let format = try #require(AudioFileFormat.named(name))
        _ = try killedTake(format, frames: 50_000)
        // Open for writing only, every read fails.
        let file = try FileDescriptor(opening: folder.file("copy"), flags: O_WRONLY)
        let error = #expect(throws: AudioFileError.self) {
            try Mending.mend(file, name: "copy", format: format)
        }
        #expect(error?.code == EBADF)
    }

    @Test(arguments: ["flac", "opus"])
    func rubbishBehindTheSoundIsCutHoweverLongItIs(name: String) throws {
        let format = try #require(AudioFileFormat.named(name))
        let file = try killedTake(format, frames: 50_000)
        let whole = try Mending.mend(file, name: "copy", format: format)
        let length = try file.status().bytes
        #expect(ftruncate(file.number, off_t(length + 5 << 20)) == 0)
        #expect(try Mending.mend(file, name: "copy", format: format).frames == whole.frames)
        #expect(try file.status().bytes == length)
    }

    @Test func theLengthOfALongTakeIsFoundInItsTail() throws {
        let format = try #require(AudioFileFormat.named("flac"))
        // Noise does not compress: this is longer than the tail that is looked at.
        let frames = 3_000_000
        let file = try killedTake(format, frames: frames)
        #expect(try file.status().bytes > 5 << 20)
        let mended = try Mending.mend(file, name: "copy", format: format)
        #expect(mended.frames > Int64(frames) - 2 * 4_096)
        let copy = folder.file("copy.flac")
        try FileManager.default.moveItem(atPath: folder.file("copy"), toPath: copy)
        #expect(try IndependentProgram.frames(of: copy) == Int(mended.frames))
        #expect(try IndependentProgram.isWhole(copy))
    }
}
