import CSndFile
import Foundation
import Sound
import TestSupport
import Testing

@testable import AudioFile

@Suite struct ReadingTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    static let containers: [(name: String, format: Int)] = [
        ("WAV", Int(SF_FORMAT_WAV)), ("WAVEX", Int(SF_FORMAT_WAVEX)), ("RF64", Int(SF_FORMAT_RF64)),
        ("AIFF", Int(SF_FORMAT_AIFF)), ("AU", Int(SF_FORMAT_AU)), ("W64", Int(SF_FORMAT_W64)),
        ("CAF", Int(SF_FORMAT_CAF)), ("FLAC", Int(SF_FORMAT_FLAC)),
    ]
    /// The bits that each keeps of a sample of 32.
    static let encodings: [(format: Int, bits: Int)] = [
        (Int(SF_FORMAT_PCM_S8), 8), (Int(SF_FORMAT_PCM_U8), 8), (Int(SF_FORMAT_PCM_16), 16),
        (Int(SF_FORMAT_PCM_24), 24), (Int(SF_FORMAT_PCM_32), 32), (Int(SF_FORMAT_FLOAT), 32),
        (Int(SF_FORMAT_DOUBLE), 32), (Int(SF_FORMAT_ALAC_16), 16), (Int(SF_FORMAT_ALAC_24), 24),
    ]
    static let rates = [8_000, 11_025, 16_000, 22_050, 44_100, 48_000, 96_000, 192_000]

    @Test(arguments: containers.map(\.name))
    func everyDepthChannelAndRateComesOutAsItWentIn(container: String) throws {
        let containerFormat = try #require(Self.containers.first { $0.name == container }).format
        var generator = Noise.Generator(state: 5)
        var written = 0
        for (index, encoding) in Self.encodings.enumerated() {
            for channels in 1...8 {
                let rate = Self.rates[(index * 3 + channels) % Self.rates.count]
                let format = containerFormat | encoding.format
                guard SoundFiles.canWrite(format: format, rate: rate, channels: channels) else { continue }
                written += 1
                let mask = encoding.bits == 32 ? -1 : Int32.max << Int32(32 - encoding.bits)
                // Apple's coder fails with loud sound of 24 bits.
                let loudness: Int32 = encoding.format == Int(SF_FORMAT_ALAC_24) ? 1 << 28 : .max
                let samples =
                    (0..<700 * channels).map { _ in
                        Int32.random(in: -loudness...loudness, using: &generator) & mask
                    }
                let path = folder.file("memo")
                try SoundFiles.write(path, format: format, rate: rate, channels: channels, samples)
                let reader = try SoundFiles.open(path)
                let bits = encoding.bits <= 16 ? 16 : 24
                #expect(reader.stream == StreamFormat(rate: rate, channels: channels, bits: bits))
                #expect(reader.frames == 700)
                let nearest = samples.map {
                    Int32(min(8_388_607, (Double($0) / 256).rounded(.toNearestOrAwayFromZero))) << 8
                }
                let heard = try reader.rest()
                let same = zip(heard, nearest).allSatisfy {
                    abs($0 / 2 - $1 / 2) <= (encoding.bits == 32 ? 128 : 0)
                }
                #expect(heard.count == nearest.count && same, "\(container) \(encoding) \(channels)")
                #expect(heard.allSatisfy { $0 & 0xff == 0 })
                #expect(!reader.isDamaged)
            }
        }
        #expect(written >= (container == "FLAC" ? 24 : 40))
    }

    @Test(arguments: [SF_FORMAT_FLOAT, SF_FORMAT_DOUBLE].map { Int($0) })
    func floatsBeyondFullScaleAreCutAndNoNumberIsSilence(encoding: Int) throws {
        let path = folder.file("memo")
        var information = SF_INFO()
        information.format = Int32(Int(SF_FORMAT_WAV) | encoding)
        information.samplerate = 48_000
        information.channels = 1
        let handle = try #require(sf_open(path, Int32(SFM_WRITE), &information))
        let values = [0, 0.5, -0.5, 1, -1, 1.5, -1.5, 1e30, .infinity, -.infinity, .nan, 0x1p-23, 0x1p-30]
        #expect(sf_write_double(handle, values, sf_count_t(values.count)) == values.count)
        sf_close(handle)
        let most = Int32.max & ~0xff
        #expect(
            try SoundFiles.open(path).rest() == [
                0, 1 << 30, -1 << 30, most, .min, most, .min, most, most, .min, 0, 256, 0,
            ])
    }

    @Test(arguments: SoundFiles.lossy)
    func aLossyFileSoundsAsOtherDecodersHaveIt(file: SoundFiles.Encoded) throws {
        let path = try file.make(in: folder)
        let reader = try SoundFiles.open(path)
        #expect(reader.stream == StreamFormat(rate: file.rate, channels: file.channels, bits: 16))
        let heard = try reader.rest()
        #expect(Int64(heard.count / file.channels) == reader.frames)
        #expect(heard.allSatisfy { $0 & 0xffff == 0 })
        let expected = try decoded(path)
        // Where no header says what an encoder has added, FFmpeg takes away other amounts than we.
        let isBare = ["bare.mp3", "layer2.mp3"].contains(file.name)
        #expect(abs(heard.count - expected.count) <= (isBare ? 2 * 1_152 * file.channels : 0), "\(file.name)")
        guard !isBare else { return }
        let worst = zip(heard, expected).map { abs($0 / 2 - $1 / 2) }.max() ?? .max
        // They round otherwise, and some add noise to it; a shift by one frame would be a thousand times as much.
        #expect(worst <= 1 << 17, "\(file.name): \(worst)")
    }

    /// What another decoder makes of it: FFmpeg, but of Opus, where its own is another one, the standard's.
    private func decoded(_ path: String) throws -> [Int32] {
        let data: Data
        if path.hasSuffix(".opus") {
            let raw = folder.file("decoded.wav")
            try SoundFiles.run(["opusdec", "--quiet", "--float", "--no-dither", path, raw])
            data = try IndependentProgram.samples(of: raw)
        } else {
            data = try IndependentProgram.samples(of: path)
        }
        return data.withUnsafeBytes { Array($0.bindMemory(to: Int32.self)) }
    }
}
