import CSndFile
import Foundation
import Linux
import Sound
import TestSupport
import Testing

@testable import AudioFile

/// Files of sound to be read, made by others than our writer.
enum SoundFiles {
    /// A file that FFmpeg makes of some seconds of sweeping tones in noise, in which no moment is like another.
    struct Encoded: Sendable, CustomTestStringConvertible {
        let name: String
        let options: [String]
        var seconds = 4
        var rate = 48_000
        var channels = 1

        var testDescription: String { name }

        func make(in folder: TemporaryFolder) throws -> String {
            let path = folder.file(name)
            let sound =
                "aevalsrc='0.3*sin(2*PI*(200+150*t)*t)+0.1*(random(0)-0.5)':d=\(seconds):s=\(rate)"
            try SoundFiles.run(
                ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", sound, "-ac", "\(channels)"] + options
                    + [path])
            return path
        }
    }

    static let lossy = [
        Encoded(name: "speech.opus", options: ["-c:a", "libopus", "-b:a", "24k"]),
        Encoded(name: "stereo.opus", options: ["-c:a", "libopus", "-frame_duration", "60"], channels: 2),
        Encoded(name: "mono.ogg", options: ["-c:a", "libvorbis"]),
        Encoded(name: "stereo.ogg", options: ["-c:a", "libvorbis", "-q", "8"], rate: 44_100, channels: 2),
        Encoded(name: "low.ogg", options: ["-c:a", "libvorbis"], rate: 8_000),
        Encoded(name: "variable.mp3", options: ["-c:a", "libmp3lame", "-q:a", "2"], rate: 44_100),
        Encoded(name: "constant.mp3", options: ["-c:a", "libmp3lame", "-b:a", "128k"], channels: 2),
        Encoded(
            name: "bare.mp3", options: ["-c:a", "libmp3lame", "-q:a", "4", "-write_xing", "0"],
            channels: 2),
        Encoded(name: "low.mp3", options: ["-c:a", "libmp3lame", "-b:a", "8k"], rate: 8_000),
        Encoded(name: "layer2.mp3", options: ["-c:a", "mp2", "-f", "mp2"], rate: 44_100),
    ]

    /// Writes a file with libsndfile.
    ///
    /// - Parameters:
    ///   - format: of libsndfile.
    ///   - samples: interleaved, of 32 bits; of files of floats 2³¹ is full scale.
    ///   - times: how often they are written, but of floats.
    static func write(
        _ path: String, format: Int, rate: Int, channels: Int, _ samples: [Int32], times: Int = 1
    ) throws {
        var information = SF_INFO()
        information.format = Int32(format)
        information.samplerate = Int32(rate)
        information.channels = Int32(channels)
        let handle = try #require(sf_open(path, Int32(SFM_WRITE), &information), "\(path)")
        defer { sf_close(handle) }
        let count = sf_count_t(samples.count)
        if [Int(SF_FORMAT_FLOAT), Int(SF_FORMAT_DOUBLE)].contains(format & Int(SF_FORMAT_SUBMASK)) {
            let values = samples.map { Double($0) / 2_147_483_648 }
            #expect(sf_write_double(handle, values, count) == count)
        } else {
            for _ in 0..<times { #expect(sf_write_int(handle, samples, count) == count) }
        }
    }

    /// Whether libsndfile can write such a file.
    static func canWrite(format: Int, rate: Int, channels: Int) -> Bool {
        var information = SF_INFO()
        information.format = Int32(format)
        information.samplerate = Int32(rate)
        information.channels = Int32(channels)
        return sf_format_check(&information) != 0
    }

    static func open(_ path: String) throws -> AudioFileReader {
        let file = try FileDescriptor(opening: path, flags: O_RDONLY)
        return try AudioFileReader(descriptor: file, name: "memo")
    }

    /// Runs a program that must do well.
    static func run(_ command: [String]) throws {
        let ended = try Child(command, environment: ["PATH": "/usr/bin:/bin"]).finish()
        try #require(ended.status == 0, "\(command): \(ended.notes)")
    }
}

extension AudioFileReader {
    /// The next frames, fewer at the end.
    func next(_ count: Int) throws -> [Int32] {
        let block = UnsafeMutableBufferPointer<Int32>.allocate(capacity: count * stream.channels)
        defer { block.deallocate() }
        return try Array(block[..<(read(into: block) * stream.channels)])
    }

    /// All that is left.
    func rest() throws -> [Int32] {
        var all: [Int32] = []
        while true {
            let more = try next(4_096)
            if more.isEmpty { return all }
            all += more
        }
    }
}
