import Glibc
import Linux
import Sound
import TestSupport
import Testing

@testable import AudioFile

/// The encoder's temporary file is found whatever becomes of its name.
@Suite struct ScratchFileTests {
    @Test(arguments: [false, true])
    func theFileIsFoundAlsoWhenItsNameIsGone(isSwept: Bool) throws {
        let folder = try TemporaryFolder()
        var open: [FileDescriptor] = []
        // Each is another file than those before it, which are still open.
        for number in 1...3 {
            let path = folder.file("\(number)-alac.tmp")
            let scratch = try ScratchFile.open(for: "memo") {
                guard let file = try? FileDescriptor(opening: path, flags: O_RDWR | O_CREAT) else {
                    return false
                }
                if isSwept { unlink(path) }
                open.append(file)
                return true
            }
            let stream = StreamFormat(rate: 48_000, channels: 1, bits: 16)
            try #require(scratch).reserve(frames: Int64(number) * 48_000, of: stream, name: "memo")
            #expect(access(path, F_OK) != 0)
            // The room is taken for this file, and not for one of the others.
            var status = stat()
            #expect(fstat(try #require(open.last).number, &status) == 0)
            #expect(Int(status.st_blocks) * 512 > number * 96_000)
        }
    }
}
