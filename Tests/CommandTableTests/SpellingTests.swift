import Testing

@testable import CommandTable

@Suite struct SpellingTests {
    /// Two words, and how many letters are between them.
    static let distances: [(String, String, Int)] = [
        ("record", "record", 0), ("recrod", "record", 1), ("recor", "record", 1), ("records", "record", 1),
        ("rexord", "record", 1), ("", "list", 4), ("list", "", 4), ("ab", "ba", 1), ("kitten", "sitting", 3),
    ]

    @Test(arguments: distances)
    func aLetterMoreLessChangedOrSwappedIsOne(left: String, right: String, distance: Int) {
        #expect(Spelling.distance(left, right) == distance)
        #expect(Spelling.distance(right, left) == distance)
    }

    @Test func whatIsFarFromEverythingIsNearNothing() {
        #expect(Spelling.nearest(to: "xyz", among: ["flac", "wav"]) == nil)
        #expect(Spelling.nearest(to: "wv", among: ["flac", "wav"]) == "wav")
        #expect(Spelling.nearest(to: "wav", among: []) == nil)
        #expect(Spelling.nearest(to: "", among: ["wav"]) == nil)
    }

    @Test func ofTwoThatAreEquallyNearTheFirstCounts() {
        #expect(Spelling.nearest(to: "aac", among: ["abc", "acc"]) == "abc")
    }

    @Test func aWordOfAnyLengthTakesNoTime() {
        let long = String(repeating: "x", count: 100_000)
        #expect(Spelling.nearest(to: long, among: ["record", String(repeating: "y", count: 30)]) == nil)
    }
}
