import AudioFile
import Glibc
import Linux
import Sound
import TestSupport
import Testing

@Suite struct AudioFileFormatTests {
    @Test func theTableHasEachNameAndEndingOnce() {
        let all = AudioFileFormat.all
        #expect(Set(all.map(\.name)).count == all.count && Set(all.map(\.fileExtension)).count == all.count)
        for format in all { #expect(AudioFileFormat.named(format.name) == format) }
        // A take must always be able to begin.
        #expect(all[0].isWrittenLive)
    }

    /// What the table says can be kept, libsndfile takes, and what it says cannot, is said in words.
    @Test(
        arguments: AudioFileFormat.all.map(\.name),
        [8_000, 11_025, 16_000, 22_050, 44_100, 48_000, 65_535, 88_200, 96_000, 176_400, 191_999, 192_000])
    func whatTheTableAllowsCanBeWritten(name: String, rate: Int) throws {
        let format = try #require(AudioFileFormat.named(name))
        let folder = try TemporaryFolder()
        for (channels, bits) in [(1, 16), (2, 24), (8, 16)] {
            let stream = StreamFormat(rate: rate, channels: channels, bits: bits)
            guard let live = format.live(for: stream) else {
                Issue.record("nothing keeps \(stream)")
                continue
            }
            #expect(live.isWrittenLive)
            if let objection = format.objection(to: stream) {
                #expect(objection.hasPrefix("\(name) holds "))
                #expect(live.name != name)
            } else if format.isWrittenLive {
                #expect(live == format)
            }
            let file = try FileDescriptor(opening: folder.file("take"), flags: O_RDWR | O_CREAT | O_TRUNC)
            let writer = try AudioFileWriter(descriptor: file, name: "take", format: live, stream: stream)
            try [Int32](repeating: 1 << 20, count: 1_000 * channels).withUnsafeBufferPointer {
                try writer.write($0)
            }
            try writer.close()
            #expect(try AudioFileReader(descriptor: file, name: "take").frames == 1_000)
        }
    }

    @Test func aRateThatFLACCannotNumberIsKeptAsWAV() {
        let odd = StreamFormat(rate: 191_999, channels: 1, bits: 16)
        #expect(AudioFileFormat.named("flac")?.live(for: odd)?.name == "wav")
        #expect(AudioFileFormat.named("vorbis")?.live(for: odd)?.name == "wav")
        #expect(AudioFileFormat.named("flac")?.objection(to: odd)?.contains("191999") == true)
    }
}
