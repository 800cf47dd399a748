// swift-tools-version: 6.0

import PackageDescription

/// Imports show in a module's interface only where they say `public`, and a member is only found
/// in a module that the file itself imports: who may know whom is then what the files say.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

let program: [Target.Dependency] = [
    "ALSA", "AudioFile", "CommandTable", "Desktop", "Engine", "Linux", "Memos", "Sound", "Terminal",
]
let fuzzing: [Target.Dependency] = [
    "AudioFile", "CommandTable", "Desktop", "Engine", "Linux", "Memos", "Sound", "Terminal", "tomorrow",
]

let package = Package(
    name: "tomorrow",
    products: [
        .executable(name: "tomorrow", targets: ["tomorrow"]),
        .library(name: "FaultyCard", type: .dynamic, targets: ["FaultyCard"]),
        .library(name: "PacedSpeaker", type: .dynamic, targets: ["PacedSpeaker"]),
        .library(name: "Trouble", type: .dynamic, targets: ["Trouble"]),
        .library(name: "FaultPoint", type: .dynamic, targets: ["FaultPoint"]),
    ],
    targets: [
        // C libraries, each with the one module that may call it.
        .systemLibrary(name: "CALSA", providers: [.apt(["libasound2-dev"])]),
        .systemLibrary(name: "CEBUR128", providers: [.apt(["libebur128-dev"])]),
        .systemLibrary(name: "CFLAC", providers: [.apt(["libflac-dev"])]),
        .systemLibrary(name: "CLinux"),
        .systemLibrary(name: "CMPG123", providers: [.apt(["libmpg123-dev"])]),
        .systemLibrary(name: "COgg", providers: [.apt(["libogg-dev"])]),
        .systemLibrary(name: "CSampleRate", providers: [.apt(["libsamplerate0-dev"])]),
        .systemLibrary(name: "CSndFile", providers: [.apt(["libsndfile1-dev"])]),
        .systemLibrary(name: "CSonic", providers: [.apt(["libsonic-dev"])]),
        .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
        .target(name: "CALSAMessages"),
        .target(name: "CArguments"),
        .target(name: "CMediaPlayer", dependencies: ["CSystemd"]),
        .target(name: "CSystemd"),
        .target(name: "CTerminalGuard"),

        // The house. Dependencies run one way; Tests/HouseTests holds the table.
        module("Linux", ["CArguments", "CLinux"]),
        module("Sound", ["CEBUR128", "CSampleRate", "CSonic"]),
        module("AudioFile", ["CFLAC", "CMPG123", "COgg", "CSndFile", "Linux", "Sound"]),
        module("Memos", ["CSQLite", "Linux"]),
        module("ALSA", ["CALSA", "CALSAMessages", "Linux", "Sound"]),
        module("Engine", ["AudioFile", "Linux", "Memos", "Sound"]),
        module("Terminal", ["CLinux", "CTerminalGuard", "Sound"]),
        module("Desktop", ["CLinux", "CMediaPlayer", "CSystemd", "Linux"]),
        module("CommandTable"),
        .executableTarget(name: "tomorrow", dependencies: program, swiftSettings: strict),

        // A sound card that fails when it is told to: a plugin that libasound loads by its file's name.
        .target(
            name: "FaultyCard", path: "Tests/FaultyCard", cSettings: [.define("PIC")],
            linkerSettings: [.linkedLibrary("asound")]),
        // A loudspeaker in real time that remembers what was heard: another such plugin.
        .target(
            name: "PacedSpeaker", path: "Tests/PacedSpeaker", cSettings: [.define("PIC")],
            linkerSettings: [.linkedLibrary("asound")]),

        // Troubles that a test cannot wait for, preloaded into the program.
        .target(
            name: "Trouble", path: "Tests/Trouble", cSettings: [.define("PIC")],
            linkerSettings: [.linkedLibrary("dl")]),
        // A kill, or an error, at the n-th call that changes a file, and what a power cut would leave: another one.
        .target(name: "FaultPoint", path: "Tests/FaultPoint", linkerSettings: [.linkedLibrary("dl")]),

        // The tests, each beside what it tests, and what they stand on.
        .target(
            name: "TestSupport", dependencies: ["Linux"], path: "Tests/TestSupport", swiftSettings: strict),
        .executableTarget(
            name: "Probe", dependencies: ["AudioFile", "Engine", "Linux", "Memos"], path: "Tests/Probe",
            swiftSettings: strict),
        tests("ALSATests", ["ALSA"]),
        tests("AudioFileTests", ["AudioFile", "CSndFile", "Linux", "Sound", "TestSupport"]),
        .testTarget(
            name: "CommandTableTests", dependencies: ["CommandTable", "TestSupport"], exclude: ["Golden"],
            swiftSettings: strict),
        tests("DesktopTests", ["Desktop", "Linux", "TestSupport"]),
        tests("EngineTests", ["AudioFile", "Engine", "Linux", "Sound", "TestSupport"]),
        .testTarget(
            name: "FuzzTests", dependencies: fuzzing, path: "Tests/Fuzz",
            exclude: ["Corpus", "LibFuzzer.swift"], swiftSettings: strict),
        tests("HouseTests", []),
        .testTarget(
            name: "MemosTests",
            dependencies: ["AudioFile", "Engine", "Linux", "Memos", "Probe", "Sound", "TestSupport"],
            exclude: ["Fixtures", "month_oracle.py", "rule_of_time_oracle.py"], swiftSettings: strict),
        .testTarget(
            name: "ProgramTests",
            dependencies: ["AudioFile", "CommandTable", "Linux", "Memos", "TestSupport", "tomorrow"],
            exclude: ["Golden", "Screens"], swiftSettings: strict),
        tests("SoundTests", ["Sound"]),
        tests("TerminalTests", ["Sound", "Terminal"]),
    ]
)

// Scripts/fuzz builds what it fuzzes, and the program with it as a library: the fuzzer has its own `main`.
if Context.environment["TOMORROW_FUZZ"] != nil {
    let mainOfItsOwn = ["-Xfrontend", "-entry-point-function-name", "-Xfrontend", "tomorrow_main"]
    package.products = []
    package.targets.removeAll { $0.path?.hasPrefix("Tests") ?? ($0.type == .test || $0.name == "tomorrow") }
    package.targets += [
        .target(
            name: "tomorrow", dependencies: program, swiftSettings: strict + [.unsafeFlags(mainOfItsOwn)]),
        .executableTarget(
            name: "Fuzz", dependencies: fuzzing, path: "Tests/Fuzz",
            exclude: ["Corpus", "CorpusTests.swift"], swiftSettings: strict),
    ]
}
