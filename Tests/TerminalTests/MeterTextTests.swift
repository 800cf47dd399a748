import Terminal
import Testing

@Suite struct MeterTextTests {
    @Test func theBarIsAsLongAsTheSoundIsLoud() {
        var meter = MeterText()
        #expect(
            meter.line(time: "0:01", decibels: -30, hint: "Enter stops", at: 0, columns: 60)
                == "● 0:01  ▮▮▮▮▮▮▮▮▮▮▮▮▮▮▮···············  -30 dB  Enter stops")
    }

    @Test(arguments: [-100.0, -60, -18.4, 0])
    func aLineFitsItsTerminal(decibels: Double) {
        for columns in [1, 10, 20, 40, 80, 200] {
            var meter = MeterText()
            let line = meter.line(
                time: "1:02:03", decibels: decibels, hint: "Enter stops", at: 0, columns: columns)
            #expect(VisibleText.columns(line) < max(columns, 20))
            #expect(line.contains("Enter stops") == (columns >= 80))
        }
    }

    @Test func thePeakIsHeldForAMoment() {
        var meter = MeterText()
        func line(_ decibels: Double, _ milliseconds: Int64) -> String {
            meter.line(time: "0:01", decibels: decibels, hint: "", at: milliseconds, columns: 40)
        }
        #expect(!line(-6, 0).contains("▯"))
        #expect(line(-40, 100).contains("▯"))
        #expect(line(-40, 1_400).contains("▯"))
        #expect(!line(-40, 1_600).contains("▯"))
    }

    @Test func silenceIsSaid() {
        var meter = MeterText()
        #expect(meter.line(time: "0:01", decibels: -150, hint: "", at: 0, columns: 40).hasSuffix("silent"))
    }
}
