import Memos

/// Memos for programs. Every key is always there.
struct MemoJSON {
    private let builder: JSONBuilder

    init() throws {
        builder = try JSONBuilder()
    }

    func text(_ value: String?) throws -> JSONText { try builder.string(value) }

    /// An object, its keys in this order.
    func object(_ members: KeyValuePairs<String, JSONText>) -> JSONText { builder.object(members) }

    /// An instant as ISO 8601, or null.
    func time(_ instant: Timestamp?) -> JSONText {
        .word(instant.map(HumanText.iso8601))
    }

    /// One memo.
    func memo(_ memo: Memo, at now: Timestamp) throws -> JSONText {
        let sound = memo.sound
        return builder.object([
            "id": .integer(memo.id),
            "title": try text(memo.title),
            "category": try text(memo.category),
            "state": .word(memo.state(at: now).rawValue),
            "created_at": time(memo.times.startedAt),
            "show_at": time(memo.times.showAt),
            "expire_at": time(memo.times.expireAt),
            "duration_seconds": .real(sound?.seconds),
            "format": .word(memo.format),
            "sample_rate": .integer(sound.map { Int64($0.rate) }),
            "channels": .integer(sound.map { Int64($0.channels) }),
            "bits": .integer(sound.map { Int64($0.bits) }),
            "bytes": .integer(sound?.bytes),
            "peak_dbfs": .real(sound?.peakDecibels.map { ($0 * 100).rounded() / 100 }),
            "clips": .integer(sound?.clips.map { Int64($0) }),
            "gap_seconds": .real(sound?.gapSeconds),
            "interrupted": .boolean(sound?.wasInterrupted ?? false),
            "heard_at": time(memo.heardAt),
            "position_seconds": .real(
                memo.position.flatMap { position in sound.map { $0.seconds(at: position) } }),
            "markers": .array(
                try memo.markers.map { marker in
                    builder.object([
                        "position_seconds": .real(sound?.seconds(at: marker.frame)),
                        "text": try text(marker.text),
                    ])
                }),
        ])
    }

    /// One object of the output's version, in a line.
    func line(_ members: KeyValuePairs<String, JSONText>) -> String {
        let text = builder.object(members).text
        let rest = text == "{}" ? "}" : "," + text.dropFirst()
        return "{\"version\":1" + rest + "\n"
    }

    /// Prints one object of the output's version.
    func print(_ members: KeyValuePairs<String, JSONText>) {
        Console.output(line(members))
    }
}
