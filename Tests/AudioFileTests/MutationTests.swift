import CSndFile
import Foundation
import Linux
import Sound
import TestSupport
import Testing

@testable import AudioFile

/// Small files with random mistakes in them: whatever comes out, it ends, soon, and needs little memory.
@Suite struct MutationTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The most memory that this process has had, in kilobytes.
    static func mostKilobytes() -> Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
        return Int(line.filter(\.isNumber)) ?? 0
    }

    @Test(arguments: HostileFileTests.cuttable.map(\.0))
    func aMistakeAnywhereIsSurvived(name: String) throws {
        let format = try #require(HostileFileTests.cuttable.first { $0.0 == name }).1
        var generator = Noise.Generator(state: 77)
        let samples = (0..<12_000).map { _ in Int32.random(in: -1 << 26...1 << 26, using: &generator) }
        let path = folder.file("whole")
        try SoundFiles.write(path, format: format, rate: 16_000, channels: 1, samples)
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        let before = Self.mostKilobytes()
        let begun = MonotonicClock.milliseconds
        var opened = 0
        let block = UnsafeMutableBufferPointer<Int32>.allocate(capacity: 4_096 * 256)
        defer { block.deallocate() }
        for _ in 0..<300 {
            let path = try folder.write("wrong", Mutation.of(data, &generator))
            guard let reader = try? SoundFiles.open(path) else { continue }
            opened += 1
            for fraction in [0, 0.7, 0.3, 0.99] {
                let frames = reader.frames ?? 12_000
                try? reader.seek(to: Int64(Double(frames) * fraction))
                // A header may promise silence without an end; what is read is bounded by whoever reads.
                for _ in 0..<10 where try reader.read(into: block) == 0 { break }
                #expect(reader.position <= frames)
            }
        }
        #expect(opened > 30)
        #expect(MonotonicClock.milliseconds - begun < 60_000)
        #expect(Self.mostKilobytes() - before < 300_000)
    }
}
