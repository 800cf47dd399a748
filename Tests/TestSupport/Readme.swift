import Foundation

/// The project's README, as far as tests keep it true.
public enum Readme {
    /// The lines of a section that stand there as typed or shown: those that are indented, without the empty ones.
    public static func lines(of section: String) throws -> [String] {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("README.md")
        let text = try String(contentsOf: path, encoding: .utf8)
        let parts = text.components(separatedBy: "\n## ").filter { $0.hasPrefix(section + "\n") }
        return parts.flatMap { $0.split(separator: "\n") }.filter { $0.hasPrefix("    ") }
            .map { String($0.dropFirst(4)) }
    }
}
