/// The name of a memo's file, `ID-STARTED-SHOW-EXPIRE.ext`: it alone says when the memo may be heard and
/// when it goes, so that a lost database is no lost memo.
public struct AudioFileName: Equatable, Sendable {
    /// The number the memo had.
    public let id: Int64
    /// When the take began.
    public let startedAt: Timestamp
    /// From when it can be heard.
    public let showAt: Timestamp
    /// From when it is gone.
    public let expireAt: Timestamp
    /// The ending, without the dot.
    public let fileExtension: String

    /// A greater number, which only a stranger can have given, would leave none for the memos to come.
    static let mostID: Int64 = 1 << 50

    /// The name of a new memo's file.
    public init(id: Int64, times: MemoTimes, fileExtension: String) {
        self.id = id
        startedAt = times.startedAt
        showAt = times.showAt
        expireAt = times.expireAt
        self.fileExtension = fileExtension
    }

    /// Reads a name, or gives nil when it is not exactly of our form: such a file is never touched.
    public init?(_ text: String) {
        // By bytes, as a folder may hold a hundred thousand.
        var rest = text.utf8[...]
        func number(before end: Unicode.Scalar) -> Int64? {
            guard let place = rest.firstIndex(of: UInt8(ascii: end)) else { return nil }
            let digits = rest[..<place]
            rest = rest[place...].dropFirst()
            // Leading zeros: another name for the same numbers is not ours.
            if digits.first == UInt8(ascii: "0"), digits.count > 1 { return nil }
            return WholeNumber(Substring(digits)).map { Int64($0.value) }
        }
        guard let id = number(before: "-"), let startedAt = number(before: "-"),
            let showAt = number(before: "-"), let expireAt = number(before: "."),
            (1...Self.mostID).contains(id), startedAt < showAt,
            expireAt - showAt == MemoTimes.availableMilliseconds, expireAt <= Timestamp.mostMilliseconds,
            !rest.contains(UInt8(ascii: "."))
        else { return nil }
        self.id = id
        self.startedAt = Timestamp(milliseconds: startedAt)
        self.showAt = Timestamp(milliseconds: showAt)
        self.expireAt = Timestamp(milliseconds: expireAt)
        fileExtension = String(Substring(rest))
    }

    /// The name of the same memo's file in another format.
    func with(fileExtension: String) -> AudioFileName {
        AudioFileName(id: id, times: times, fileExtension: fileExtension)
    }

    var times: MemoTimes {
        MemoTimes(
            startedAt: startedAt, utcOffset: LocalTime(at: startedAt).utcOffset, showAt: showAt,
            expireAt: expireAt)
    }

    /// Whether these are its times; the zone in which the memo began is in no name.
    func says(_ times: MemoTimes) -> Bool {
        (startedAt, showAt, expireAt) == (times.startedAt, times.showAt, times.expireAt)
    }

    /// The name as it stands in the folder.
    public var text: String { "\(memo).\(fileExtension)" }

    /// Whether the file is still being made.
    var isPart: Bool { fileExtension == Replacement.fileExtension }

    /// What says whose file it is: all but the ending. Two files that have it in common are of the same memo.
    var memo: String {
        "\(id)-\(startedAt.milliseconds)-\(showAt.milliseconds)-\(expireAt.milliseconds)"
    }
}
