import Testing

@testable import ALSA

@Suite struct SampleFormatTests {
    static let samples: [Int32] = [0, 1 << 16, -1 << 16, .max, .min, 0x1234_5678, -0x1234_5678]

    @Test(arguments: SampleFormat.allCases)
    func samplesComeBackWithTheBitsThatTheFormatHas(format: SampleFormat) {
        let kept = format == .bits16 ? Int32(-1) << 16 : format == .bits32 ? -1 : Int32(-1) << 8
        let bytes = UnsafeMutableRawPointer.allocate(
            byteCount: Self.samples.count * format.bytes, alignment: 16)
        defer { bytes.deallocate() }
        Self.samples.withUnsafeBufferPointer { format.pack($0, into: bytes) }
        var came = [Int32](repeating: 7, count: Self.samples.count)
        came.withUnsafeMutableBufferPointer { format.unpack(bytes, into: $0) }
        #expect(came == Self.samples.map { $0 & kept })
    }

    @Test func theByteAbove24BitsDoesNotMatter() {
        // A device may leave anything there.
        var word = Int32(0x7700_0001).littleEndian
        var came: [Int32] = [0]
        came.withUnsafeMutableBufferPointer { SampleFormat.bits24.unpack(&word, into: $0) }
        #expect(came == [0x100])
    }

    @Test func packedSamplesAreLittleEndian() {
        var bytes: [UInt8] = [0, 0, 0]
        let samples: [Int32] = [0x1234_5600]
        samples.withUnsafeBufferPointer { SampleFormat.bits24Packed.pack($0, into: &bytes) }
        #expect(bytes == [0x56, 0x34, 0x12])
    }

    @Test func theFormatThatKeepsEveryBitIsAskedForFirst() {
        #expect(SampleFormat.preferred(forBits: 16).first == .bits16)
        #expect(SampleFormat.preferred(forBits: 24).first == .bits32)
        #expect(SampleFormat.preferred(forBits: 24).last == .bits16)
        for bits in [16, 24] { #expect(Set(SampleFormat.preferred(forBits: bits)).count == 4) }
    }
}
