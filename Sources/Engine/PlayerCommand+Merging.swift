/// Very many commands at once, as a program on the bus may send them: each jump costs the sound of a moment.
extension PlayerCommand {
    /// No file has so many frames, and two such numbers can be added.
    private static let mostFrames: Int64 = 1 << 60

    /// Fewer commands that come to the same: of several of one kind in a row the last one counts, and what is
    /// relative adds up.
    static func merged(_ commands: [PlayerCommand]) -> [PlayerCommand] {
        var merged: [PlayerCommand] = []
        for command in commands {
            switch (merged.last, command) {
            case (.pauseOrResume, .pauseOrResume): merged.removeLast()
            case (.move(let first), .move(let second)):
                merged[merged.count - 1] = .move(by: limited(limited(first) + limited(second)))
            case (.seek, .seek), (.move, .seek), (.pause, .pause), (.pause, .resume), (.resume, .pause),
                (.resume, .resume), (.speed, .speed), (.volume, .volume), (.passes, .passes):
                merged[merged.count - 1] = command
            default: merged.append(command)
            }
        }
        return merged
    }

    /// Frames that can be added to a place in any file.
    static func limited(_ frames: Int64) -> Int64 {
        min(max(frames, -mostFrames), mostFrames)
    }
}
