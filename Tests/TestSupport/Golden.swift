import Foundation

/// Files that hold what is to come out. With TOMORROW_WRITE_GOLDEN in the environment they are written anew, and
/// the comparison still fails, so that nobody takes such a run for a test.
public enum Golden {
    /// What differs, in words, or nil where a text is what its file holds.
    ///
    /// - Parameters:
    ///   - name: of the file in the folder `Golden` beside the test.
    ///   - test: the test's file.
    public static func difference(_ text: String, from name: String, test: String = #filePath) -> String? {
        let file = URL(fileURLWithPath: test).deletingLastPathComponent().appendingPathComponent(
            "Golden/" + name)
        if ProcessInfo.processInfo.environment["TOMORROW_WRITE_GOLDEN"] != nil {
            try? FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try? Data(text.utf8).write(to: file)
            return "Golden/\(name) was written; look at it, and run the tests without TOMORROW_WRITE_GOLDEN"
        }
        guard let expected = try? String(contentsOf: file, encoding: .utf8) else {
            return "there is no Golden/\(name)"
        }
        if text == expected { return nil }
        let pairs = zip(
            text.components(separatedBy: "\n") + [""], expected.components(separatedBy: "\n") + [""])
        let first = pairs.enumerated().first { $0.element.0 != $0.element.1 }
        return "Golden/\(name):\((first?.offset ?? 0) + 1): “\(first?.element.0 ?? "")” is not "
            + "“\(first?.element.1 ?? "")”"
    }
}
