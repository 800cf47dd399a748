public import Linux

/// A take in progress: its row in the store and its file, locked by this process.
///
/// The lock is what says that the take is running, to every other process, and the kernel lets go of it
/// when the process ends, however that comes.
public struct Take: Sendable {
    /// The row, in state `recording`.
    public let memo: Memo
    /// The file, open for reading and writing.
    public let file: FileDescriptor
}
