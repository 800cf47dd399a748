import Terminal
import Testing

@Suite struct MeterTextTests {
    @Test func theBarShowsMeanPeakAndHeldPeak() {
        var meter = MeterText()
        func line(_ peak: Double, _ rms: Double, at milliseconds: Int64) -> String {
            meter.line(label: "", peak: peak, rms: rms, at: milliseconds, columns: 39)
        }
        #expect(line(-10, -30, at: 0) == "▮▮▮▮▮▮▮▮▮▮▮▮▮▮▮▯▯▯▯▯▯▯▯▯▯·····   -10 dB")
        #expect(line(-40, -50, at: 500) == "▮▮▮▮▮▯▯▯▯▯··············│·····   -40 dB")
        // A peak is held for a second and a half.
        #expect(line(-40, -50, at: 1_600) == "▮▮▮▮▮▯▯▯▯▯····················   -40 dB")
        #expect(line(-150, -150, at: 4_000) == "······························  <-60 dB")
        #expect(line(0, 0, at: 4_100) == "▮▮▮▮▮▮▮▮▮▮▮▮▮▮▮▮▮▮▮▮▮▮▮▮▮▮▮▮▮▮     0 dB")
    }

    @Test func whereThereIsRoomBothAreFigures() {
        var meter = MeterText()
        let line = meter.line(label: "L ", peak: -6, rms: -20.4, at: 0, columns: 60)
        #expect(line.hasSuffix("  peak   -6  rms  -20 dBFS"))
        #expect(line.count == 60 && line.hasPrefix("L ▮"))
    }

    @Test func aNarrowTerminalKeepsTheFigure() {
        var meter = MeterText()
        #expect(meter.line(label: "", peak: -6, rms: -20, at: 0, columns: 5) == "    -6 dB")
    }
}
