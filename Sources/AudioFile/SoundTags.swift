import CSndFile

/// What a file of sound says of itself.
public struct SoundTags: Equatable, Sendable {
    /// What it is called.
    public var title: String?
    /// The day on which it was recorded, such as `2026-12-24`.
    public var date: String?
    /// What kind of sound it is.
    public var genre: String?

    /// Nothing, or as much as is given.
    public init(title: String? = nil, date: String? = nil, genre: String? = nil) {
        self.title = title
        self.date = date
        self.genre = genre
    }

    /// A longer one is no title.
    private static let mostTitleCharacters = 200

    /// The title that a library has found in a file; nil where there is none, or it is not UTF-8.
    static func title(_ text: UnsafePointer<CChar>?) -> String? {
        guard let text, let title = String(validatingCString: text), title.count <= mostTitleCharacters,
            !title.allSatisfy(\.isWhitespace)
        else { return nil }
        return title
    }

    /// The texts that there are, with libsndfile's numbers for them (`sf_set_string`).
    var texts: [(kind: Int32, text: String)] {
        [(SF_STR_TITLE, title), (SF_STR_DATE, date), (SF_STR_GENRE, genre)].compactMap { kind, text in
            text.map { (Int32(kind), $0) }
        }
    }

    /// The tag with which an MP3 file begins (ID3v2.4.0, in UTF-8); nil where there is nothing to say.
    var id3: [UInt8]? {
        let frames = [("TIT2", title), ("TDRC", date), ("TCON", genre)].flatMap { name, text -> [UInt8] in
            guard let text else { return [] }
            return Array(name.utf8) + Self.size(text.utf8.count + 1) + [0, 0, Self.utf8] + Array(text.utf8)
        }
        return frames.isEmpty ? nil : Array("ID3".utf8) + [4, 0, 0] + Self.size(frames.count) + frames
    }

    private static let utf8: UInt8 = 3

    /// A number of 28 bits, seven in a byte.
    private static func size(_ number: Int) -> [UInt8] {
        [21, 14, 7, 0].map { UInt8(number >> $0 & 0x7f) }
    }
}
