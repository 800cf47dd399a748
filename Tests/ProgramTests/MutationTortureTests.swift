import Foundation
import TestSupport
import Testing

/// Files of sound and databases with mistakes in them, given to the whole program.
@Suite struct MutationTortureTests {
    /// What a damaged file may cost, beside what the program maps when it is well.
    private static let bounded = ["prlimit", "--as=1000000000"]
    /// Short files of every format that is ours, and of some that are not.
    private static let endings = ["flac", "wav", "opus", "ogg", "mp3", "caf", "aiff", "au", "w64", "voc"]

    @Test func mutatedSoundDoesNoHarm() throws {
        let test = TortureCase("mutated sound", share: 0.12)
        let hostile = try HostileRig()
        let folder = hostile.rig.folder
        let whole = try Self.endings.map { ending in
            let path = folder.file("whole." + ending)
            let tool = ["aiff", "au", "w64", "voc"].contains(ending)
            if tool {
                _ = try hostile.rig.tool("sox", folder.file("in.wav"), path)
            } else {
                _ = try hostile.rig.run("export", "1", path, at: hostile.now)
                if !FileManager.default.fileExists(atPath: path) {
                    _ = try hostile.rig.tool("ffmpeg", "-v", "error", "-i", folder.file("in.wav"), path)
                }
            }
            return try Data(contentsOf: URL(fileURLWithPath: path))
        }
        while test.hasTime {
            for (ending, data) in zip(Self.endings, whole) where test.hasTime {
                let seed = UInt64.random(in: 0 ... .max)
                var generator = Noise.Generator(state: seed)
                try tryOut(
                    Mutation.of(data, &generator), whole: data, ending, hostile, test,
                    "\(ending), seed \(seed)")
            }
        }
        try test.report()
    }

    private func tryOut(
        _ data: Data, whole: Data, _ ending: String, _ hostile: HostileRig, _ test: TortureCase,
        _ what: String
    ) throws {
        let folder = hostile.rig.folder
        let way = HostileRig.Way(wrapper: Self.bounded)
        try hostile.reset()
        try folder.write("in.wav", data)
        try hostile.run(["import", "in.wav"], way, in: test, what)
        if try Data(contentsOf: URL(fileURLWithPath: folder.file("in.wav"))) != data {
            test.found(.lost, "the file that was imported was changed")
        }
        // In the place of a memo's own file, and as one of a store that has lost its database.
        try hostile.reset()
        try folder.write("in.wav", whole)
        _ = try hostile.rig.run("import", folder.file("in.wav"), at: hostile.now.adding(seconds: -86_400))
        let names = folder.names(in: "store/audio")
        guard let own = names.first(where: { $0.hasPrefix("3-") }) else {
            return test.found(.lost, "a whole \(ending) was not imported")
        }
        try folder.write("store/audio/" + own, data)
        try folder.write("store/audio/" + own.replacing(/^3/, with: "9"), data)
        for command in [
            ["list"], ["show", "3"], ["play", "3", "-D", "speaker"], ["export", "3", "out.wav"], ["expire"],
            ["status"], ["show", "9"], ["play", "9", "--even", "-D", "speaker"], ["doctor", "--fix"],
        ] {
            try hostile.run(command, way, in: test, what)
        }
        hostile.expectKept(test, what, without: false)
    }

    @Test func wrongBytesInTheDatabaseDoNoHarm() throws {
        let test = TortureCase("wrong bytes in the database", share: 0.08)
        let hostile = try HostileRig()
        let folder = hostile.rig.folder
        let whole = try Data(contentsOf: URL(fileURLWithPath: folder.file("template/memos.db")))
        while test.hasTime {
            // Each page in turn, mostly where its cells are described.
            for page in 0..<whole.count / 4_096 where test.hasTime {
                let seed = UInt64.random(in: 0 ... .max)
                var generator = Noise.Generator(state: seed)
                var data = whole
                for _ in 0..<Int.random(in: 1...4, using: &generator) {
                    let most = Bool.random(using: &generator) ? 110 : 4_096
                    let offset = page * 4_096 + Int.random(in: 0..<most, using: &generator)
                    data[offset] = UInt8.random(in: 0...255, using: &generator)
                }
                let what = "page \(page + 1), seed \(seed)"
                try hostile.reset()
                try folder.write("store/memos.db", data)
                for command in [
                    ["list", "--all"], ["status"], ["show", "1"], ["expire"], ["doctor"],
                    ["doctor", "--fix"],
                    ["list", "--all", "--json"],
                ] {
                    try hostile.run(command, in: test, what)
                }
                hostile.expectKept(test, what, without: false)
            }
        }
        try test.report()
    }
}
