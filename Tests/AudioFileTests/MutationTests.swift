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

    /// One file with a random mistake: wrong bytes, a hole, a cut, bytes that are missing or twice there.
    private func mutate(_ data: Data, _ generator: inout Noise.Generator) -> Data {
        var data = data
        let place = { (generator: inout Noise.Generator) in
            // Headers are where a mistake does most.
            Int.random(in: 0..<data.count, using: &generator)
                % (Bool.random(using: &generator) ? 200 : data.count)
        }
        switch Int.random(in: 0..<6, using: &generator) {
        case 0:
            let start = place(&generator)
            let end = min(data.count, start + Int.random(in: 1...600, using: &generator))
            data.replaceSubrange(start..<end, with: Data(count: end - start))
        case 1: data = data.prefix(max(1, place(&generator)))
        case 2:
            let start = place(&generator)
            data.removeSubrange(start..<min(data.count, start + 100))
        case 3:
            let start = place(&generator)
            data.insert(contentsOf: data[start..<min(data.count, start + 300)], at: start)
        case 4:
            let start = place(&generator)
            data.replaceSubrange(start..<min(data.count, start + 4), with: [0xff, 0xff, 0xff, 0x7f])
        default:
            for _ in 0..<Int.random(in: 1...20, using: &generator) {
                data[place(&generator)] = UInt8.random(in: 0...255, using: &generator)
            }
        }
        return Data(data)
    }

    private func mostKilobytes() -> Int {
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
        let before = mostKilobytes()
        let begun = MonotonicClock.milliseconds
        var opened = 0
        let block = UnsafeMutableBufferPointer<Int32>.allocate(capacity: 4_096 * 256)
        defer { block.deallocate() }
        for _ in 0..<300 {
            let path = try folder.write("wrong", mutate(data, &generator))
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
        #expect(mostKilobytes() - before < 300_000)
    }
}
