/// How a memo stands in its row.
extension Store {
    private static let columns = """
        id, title, category, file, format, started_at, utc_offset, show_at, expire_at, recorder, \
        rate, channels, bits, frames, bytes, peak_decibels, clips, gap_frames, interrupted, heard_at, \
        first_frame, end_frame, position, loudness
        """

    func memos(where condition: String, _ values: SQLValue...) throws(StoreError) -> [Memo] {
        let statement = try Self.rowsStatement(database, condition)
        statement.bind(values)
        var memos: [Memo] = []
        while try statement.step() { memos.append(Self.memo(statement)) }
        if memos.isEmpty { return [] }
        let markers = try Self.markers(
            in: database, where: "memo IN (SELECT id FROM memos WHERE \(condition))", values)
        if !markers.isEmpty {
            for index in memos.indices { memos[index].markers = markers[memos[index].id] ?? [] }
        }
        return memos
    }

    /// The files of rows: of which memo, and whether the take is finished.
    func files(
        where condition: String, _ values: SQLValue...
    ) throws(StoreError) -> [(id: Int64, name: String, isFinished: Bool)] {
        let statement = try Statement(
            database, "SELECT id, file, frames IS NOT NULL FROM memos WHERE \(condition)")
        statement.bind(values)
        var files: [(id: Int64, name: String, isFinished: Bool)] = []
        while try statement.step() {
            files.append((statement.int64(0), statement.text(1), statement.int64(2) != 0))
        }
        return files
    }

    static func rowsStatement(_ database: Database, _ condition: String) throws(StoreError) -> Statement {
        try Statement(database, "SELECT \(columns) FROM memos WHERE \(condition)")
    }

    /// The memo of a row that ``rowsStatement(_:_:)`` has read, without its markers.
    static func memo(_ row: Statement) -> Memo {
        let times = MemoTimes(
            startedAt: Timestamp(milliseconds: row.int64(5)),
            utcOffset: Int(max(-mostOffset, min(row.int64(6), mostOffset))),
            showAt: Timestamp(milliseconds: row.int64(7)), expireAt: Timestamp(milliseconds: row.int64(8)))
        let sound = row.optionalAmount(13).map { frames in
            MemoSound(
                rate: Int(max(1, min(row.amount(10), mostRate))), channels: Int(row.amount(11)),
                bits: Int(row.amount(12)), frames: frames, bytes: row.amount(14),
                peakDecibels: row.optionalReal(15),
                clips: row.optionalAmount(16).map { Int($0) }, gapFrames: row.optionalAmount(17),
                wasInterrupted: row.int64(18) != 0,
                trim: trim(row.optionalInt64(20), row.optionalInt64(21), frames: frames))
        }
        return Memo(
            id: row.int64(0), title: row.optionalText(1), category: row.optionalText(2), times: times,
            file: row.text(3), format: row.text(4), sound: sound,
            heardAt: row.optionalInt64(19).map { Timestamp(milliseconds: $0) },
            position: row.optionalAmount(22),
            loudness: row.optionalReal(23).flatMap { $0.isFinite ? $0 : nil },
            recorder: row.optionalInt64(9).map { Int32(truncatingIfNeeded: $0) })
    }

    /// In seconds: no zone is a week from UTC.
    private static let mostOffset: Int64 = 7 * 86_400
    /// No file has a rate that is greater (`AudioFileReader`).
    private static let mostRate: Int64 = 1_000_000

    /// The trim of a row, or nil where there is none or it makes no sense.
    private static func trim(_ first: Int64?, _ end: Int64?, frames: Int64) -> Range<Int64>? {
        guard let first, let end, first >= 0, first < end, end <= frames else { return nil }
        return first..<end
    }

    /// Writes a new row.
    ///
    /// - Parameter id: the number it is to have; nil gives it the next one.
    func insert(_ memo: Memo, id: Int64?) throws(StoreError) {
        let statement = try Statement(
            database,
            "INSERT INTO memos (\(Self.columns)) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)")
        let times = memo.times
        try statement.run(
            [
                .optional(id), .optional(memo.title), .optional(memo.category), .text(memo.file),
                .text(memo.format), .integer(times.startedAt.milliseconds), .integer(Int64(times.utcOffset)),
                .integer(times.showAt.milliseconds), .integer(times.expireAt.milliseconds),
                .optional(memo.recorder.map { Int64($0) }),
            ] + Self.values(memo.sound) + [
                .optional(memo.heardAt?.milliseconds), .optional(memo.sound?.trim?.lowerBound),
                .optional(memo.sound?.trim?.upperBound), .optional(memo.position), .optional(memo.loudness),
            ])
    }

    /// Writes what a finished take holds into its row, and says whether there is one.
    func update(_ memo: Memo) throws(StoreError) -> Bool {
        let statement = try Statement(
            database,
            """
            UPDATE memos SET title = ?, category = ?, rate = ?, channels = ?, bits = ?, frames = ?, bytes = ?, peak_decibels = ?, \
            clips = ?, gap_frames = ?, interrupted = ?, recorder = NULL WHERE id = ? AND file = ?
            """)
        try statement.run(
            [.optional(memo.title), .optional(memo.category)] + Self.values(memo.sound)
                + [.integer(memo.id), .text(memo.file)])
        return database.changes > 0
    }

    private static func values(_ sound: MemoSound?) -> [SQLValue] {
        guard let sound else { return Array(repeating: .null, count: 9) }
        return [
            .integer(Int64(sound.rate)), .integer(Int64(sound.channels)), .integer(Int64(sound.bits)),
            .integer(sound.frames), .integer(sound.bytes), .optional(sound.peakDecibels),
            .optional(sound.clips.map { Int64($0) }), .optional(sound.gapFrames),
            .integer(sound.wasInterrupted ? 1 : 0),
        ]
    }
}
