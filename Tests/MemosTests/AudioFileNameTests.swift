import Memos
import Testing

@Suite struct AudioFileNameTests {
    static let name = "7-1796006220662-1796083200000-1796169600000.flac"

    @Test func aNameSaysWhenItsMemoMayBeHeardAndWhenItGoes() throws {
        let name = try #require(AudioFileName(Self.name))
        #expect(name.id == 7)
        #expect(name.startedAt.milliseconds == 1_796_006_220_662)
        #expect(name.showAt.milliseconds == 1_796_083_200_000)
        #expect(name.expireAt.milliseconds == 1_796_169_600_000)
        #expect(name.fileExtension == "flac")
        #expect(name.text == Self.name)
    }

    @Test(arguments: [
        "", "notes.txt", "7.flac", "7-1-2.flac", "07-1796006220662-1796083200000-1796169600000.flac",
        "0-1796006220662-1796083200000-1796169600000.flac",
        "-7-1796006220662-1796083200000-1796169600000.flac",
        "7-1796006220662-1796083200000-1796169600001.flac",
        "7-1796083200001-1796083200000-1796169600000.flac",
        "7-1796006220662-1796083200000-1796169600000",
        "7-1796006220662-1796083200000-1796169600000.flac.bak",
        "7-1796006220662-1796083200000-1796169600000-.flac",
        "../7-1796006220662-1796083200000-1796169600000.flac",
        "7-1796006220662-1796083200000-99999999999999999999.flac",
        "٧-1796006220662-1796083200000-1796169600000.flac",
    ])
    func anyOtherNameIsNotOurs(text: String) {
        #expect(AudioFileName(text) == nil)
    }
}
