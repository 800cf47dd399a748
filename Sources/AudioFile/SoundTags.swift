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

    /// The texts that there are, with libsndfile's numbers for them (`sf_set_string`).
    var texts: [(kind: Int32, text: String)] {
        [(SF_STR_TITLE, title), (SF_STR_DATE, date), (SF_STR_GENRE, genre)].compactMap { kind, text in
            text.map { (Int32(kind), $0) }
        }
    }
}
