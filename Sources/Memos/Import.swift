public import Linux

/// A memo in the making, from sound that somebody else has recorded. Until it is finished there is no row of it,
/// and its file has the ending `part`: it goes when nobody has it locked any more.
public struct Import: Sendable {
    /// The file, empty at first, open for reading and writing, locked by this process.
    public let file: FileDescriptor
    let name: AudioFileName
}
