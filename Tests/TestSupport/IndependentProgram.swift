public import Foundation

/// What programs that are not ours say of a file.
public enum IndependentProgram {
    private static let environment = ["PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"]

    /// The length of a file in frames: as SoX has it, and for Opus as its own decoder has it. MP3 and
    /// ALAC are decoded by FFmpeg.
    public static func frames(of path: String) throws -> Int? {
        let folder = try TemporaryFolder()
        if [".mp3", ".caf"].contains(where: path.hasSuffix) {
            let decoded = folder.file("decoded.wav")
            guard try run("ffmpeg", "-v", "error", "-i", path, decoded).status == 0 else { return nil }
            return try number("soxi", "-s", decoded)
        }
        guard path.hasSuffix(".opus") else { return try number("soxi", "-s", path) }
        let decoded = folder.file("decoded.wav")
        guard try run("opusdec", "--quiet", path, decoded).status == 0 else { return nil }
        return try number("soxi", "-s", decoded)
    }

    /// The length of a file in frames, as FFmpeg has it; of a WAV, whose time is counted in frames.
    public static func framesByFFmpeg(of path: String) throws -> Int? {
        try number(
            "ffprobe", "-v", "error", "-of", "csv=p=0", "-show_entries", "stream=duration_ts", path)
    }

    /// The length of a file in seconds, as FFmpeg reads it from its header.
    public static func secondsByFFmpeg(of path: String) throws -> Double? {
        let output = try run(
            "ffprobe", "-v", "error", "-of", "csv=p=0", "-show_entries", "format=duration", path
        ).output
        return Double(output.split(separator: "\n").first ?? "")
    }

    /// Whether the format's own tool finds nothing wrong with a file.
    public static func isWhole(_ path: String) throws -> Bool {
        if path.hasSuffix(".flac") { return try run("flac", "--test", "--silent", path).status == 0 }
        if path.hasSuffix(".opus") {
            return try run("opusinfo", "-q", path).output.contains("WARNING") == false
        }
        if [".ogg", ".mp3", ".caf"].contains(where: path.hasSuffix) {
            return try run("ffmpeg", "-v", "warning", "-i", path, "-f", "null", "-").notes.isEmpty
        }
        return try run("soxi", path).notes.isEmpty
    }

    /// The samples of a file as FFmpeg decodes it, little-endian, 32 bits each.
    public static func samples(of path: String) throws -> Data {
        let folder = try TemporaryFolder()
        let decoded = folder.file("decoded.raw")
        _ = try run("ffmpeg", "-v", "error", "-i", path, "-f", "s32le", decoded)
        return try Data(contentsOf: URL(fileURLWithPath: decoded))
    }

    private static func run(_ command: String...) throws -> Child.Result {
        try Child(command, environment: environment).finish()
    }

    private static func number(_ command: String...) throws -> Int? {
        Int(try Child(command, environment: environment).finish().output.split(separator: "\n").first ?? "")
    }
}
