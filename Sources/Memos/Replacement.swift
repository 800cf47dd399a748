public import Linux

/// A file in the making that is to take the place of a memo's own, locked by this process. Until then its name
/// is the memo's with the ending `part`, and it goes when nobody has it locked any more.
public struct Replacement: Sendable {
    /// The memo as it was when this began.
    public let memo: Memo
    /// The file, empty at first, open for reading and writing.
    public let file: FileDescriptor
    let name: AudioFileName

    /// The ending of a file that is not yet one of a memo.
    static let fileExtension = "part"
}
