import Foundation

/// What was synced of a rig's store, kept beside it while programs run with the library of Tests/FaultPoint, and
/// put in the store's place when the power is cut.
public final class PowerCut {
    private let rig: Rig
    private let store: String
    private let shadowPath: String

    /// Keeps from now on what is synced; all that is there already counts as synced. The store's folder itself
    /// has to be there.
    public init(_ rig: Rig) throws {
        self.rig = rig
        store = rig.folder.file("store")
        shadowPath = rig.folder.file("shadow")
        try? FileManager.default.removeItem(atPath: shadowPath)
        try FileManager.default.createDirectory(atPath: shadowPath, withIntermediateDirectories: true)
        try keep(store)
    }

    /// What a program that has the library preloaded is given in its environment.
    public var shadow: [String: String] { ["POWER_CUT_SHADOW": shadowPath] }

    /// Cuts the power: the store is what a disk would hold of it.
    ///
    /// - Parameter keepsUnsynced: asked of each file and folder; whether it is as it was at the cut, as the
    ///   kernel may have written more than it was told to.
    public func cut(keepsUnsynced: () -> Bool = { false }) throws {
        var lost: [UInt64: String] = [:]
        for name in FileManager.default.enumerator(atPath: store)?.compactMap({ $0 as? String }) ?? [] {
            let path = store + "/" + name
            if let inode = try? Self.inode(path) { lost[inode] = path }
        }
        let made = rig.folder.file("cut")
        try? FileManager.default.removeItem(atPath: made)
        try restore(Self.inode(store), from: store, lost, to: made, keepsUnsynced)
        try FileManager.default.removeItem(atPath: store)
        try FileManager.default.moveItem(atPath: made, toPath: store)
    }

    private func restore(
        _ inode: UInt64, from actual: String?, _ lost: [UInt64: String], to target: String,
        _ keepsUnsynced: () -> Bool
    ) throws {
        let private0700 = [FileAttributeKey.posixPermissions: 0o700]
        try FileManager.default.createDirectory(
            atPath: target, withIntermediateDirectories: true, attributes: private0700)
        var lines = try? String(contentsOfFile: shadowPath + "/\(inode)", encoding: .utf8)
        if let actual, keepsUnsynced() { lines = try Self.listing(actual) }
        for line in (lines ?? "").split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 2)
            let (number, path) = (UInt64(words[1])!, target + "/" + words[2])
            if words[0] == "d" {
                try restore(number, from: lost[number], lost, to: path, keepsUnsynced)
                continue
            }
            // One that was never synced has a name and nothing in it.
            var data = try? Data(contentsOf: URL(fileURLWithPath: shadowPath + "/\(number)"))
            if let actual = lost[number], keepsUnsynced() {
                data = try Data(contentsOf: URL(fileURLWithPath: actual))
            }
            try (data ?? Data()).write(to: URL(fileURLWithPath: path))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        }
    }

    /// Takes what is there for synced.
    private func keep(_ folder: String) throws {
        let listing = try Self.listing(folder)
        try Data(listing.utf8).write(to: URL(fileURLWithPath: shadowPath + "/\(Self.inode(folder))"))
        for line in listing.split(separator: "\n") {
            let words = line.split(separator: " ", maxSplits: 2)
            let path = folder + "/" + words[2]
            if words[0] == "d" {
                try keep(path)
            } else {
                try FileManager.default.copyItem(atPath: path, toPath: shadowPath + "/" + words[1])
            }
        }
    }

    /// A folder's names, as Tests/FaultPoint/power_cut.c writes them.
    private static func listing(_ folder: String) throws -> String {
        try FileManager.default.contentsOfDirectory(atPath: folder).map { name in
            let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/" + name)
            let isFolder = attributes[.type] as? FileAttributeType == .typeDirectory
            return "\(isFolder ? "d" : "f") \(attributes[.systemFileNumber] as? UInt64 ?? 0) \(name)\n"
        }.joined()
    }

    private static func inode(_ path: String) throws -> UInt64 {
        try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? UInt64 ?? 0
    }
}
