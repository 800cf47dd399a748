import AudioFile
import CommandTable
import Linux
import Memos
import Sound

/// How long the store's disk has room for a take.
struct DiskRoom {
    private let path: String
    private let format: AudioFileFormat
    private let stream: StreamFormat
    private var nextLook: Int64 = 0
    private var hasWarned = false

    /// With less than so many seconds left a person is warned.
    private static let warningSeconds = 600.0
    private static let lookMilliseconds: Int64 = 5_000

    /// - Parameters:
    ///   - path: the store's folder.
    ///   - stream: the layout that is recorded.
    init(path: String, format: AudioFileFormat, stream: StreamFormat) {
        self.path = path
        self.format = format
        self.stream = stream
    }

    /// For how many seconds there is room, as a take of this kind usually grows; nil where nobody knows.
    var seconds: Double? {
        guard let bytes = try? FileSystem.freeBytes(at: path) else { return nil }
        return Double(bytes) / format.usualBytesPerSecond(of: stream)
    }

    /// Refuses a take for which there is no room from its beginning.
    ///
    /// - Parameter wanted: how long it is to be, in seconds.
    /// - Throws: ``Failure``, storage.
    func require(seconds wanted: Double) throws {
        guard let seconds, seconds < wanted else { return }
        throw Failure(
            .storage,
            "cannot record \(HumanText.length(seconds: wanted)): the disk of \(path) has room for "
                + "about \(HumanText.length(seconds: seconds))",
            advice: "A shorter --for, '--format opus', or 'tomorrow delete' makes it fit.")
    }

    /// Says once, while a take runs, that not much room is left.
    mutating func warn() {
        let now = MonotonicClock.milliseconds
        guard !hasWarned, now >= nextLook else { return }
        nextLook = now + Self.lookMilliseconds
        guard let seconds, seconds < Self.warningSeconds else { return }
        hasWarned = true
        Console.note(
            "The disk is almost full: there is room for about \(HumanText.length(seconds: seconds)) more. What is "
                + "recorded by then is kept.")
    }
}
