import Foundation
import Linux

/// What is given arbitrary bytes: by libFuzzer (Scripts/fuzz), and of its corpus by ``CorpusTests``.
struct FuzzTarget: Sendable {
    /// Its name: that of its folder below Corpus.
    let name: String
    /// The longest input that is worth trying.
    let mostBytes: Int
    /// Takes the bytes in. It traps where something does not hold that must.
    let body: @Sendable ([UInt8]) throws -> Void

    /// All targets.
    static let all = [
        FuzzTarget(name: "reading", mostBytes: 32_768, body: SoundFuzzing.read),
        FuzzTarget(name: "mending", mostBytes: 32_768, body: SoundFuzzing.mend),
        FuzzTarget(name: "store", mostBytes: 65_536, body: StoreFuzzing.open),
        FuzzTarget(name: "configuration", mostBytes: 2_000, body: TextFuzzing.configuration),
        FuzzTarget(name: "crontab", mostBytes: 2_000, body: TextFuzzing.crontab),
        FuzzTarget(name: "arguments", mostBytes: 500, body: TextFuzzing.arguments),
        FuzzTarget(name: "text", mostBytes: 300, body: TextFuzzing.text),
        FuzzTarget(name: "keys", mostBytes: 300, body: TextFuzzing.keys),
    ]

    /// The target of a name.
    static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }

    /// Traps, with words for whoever reads the fuzzer's output.
    static func require(_ holds: @autoclosure () -> Bool, _ words: @autoclosure () -> String) {
        if !holds() { fatalError(words()) }
    }

    /// A private folder, which goes with the process.
    static let folder: String = {
        var template = Array((FileManager.default.temporaryDirectory.path + "/fuzz-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else { fatalError("there is no place for a folder") }
        removedAtExit = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
        atexit { try? FileManager.default.removeItem(atPath: FuzzTarget.removedAtExit) }
        return removedAtExit
    }()
    private nonisolated(unsafe) static var removedAtExit = ""
}
