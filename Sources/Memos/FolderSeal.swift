import Linux

/// How the store knows that the folder's files are exactly those of its rows, without looking at each.
///
/// The transaction that leaves the two in agreement gives the folder a time of change with a fraction of a second
/// drawn by lot, and keeps that in `state.seal`. Whatever changes the folder's names afterwards, be it a person, a
/// backup that is copied back or a process that is killed half-way, gives it another time, as the kernel does with
/// every change. Then the next ``Store/expire(at:dryRun:force:)`` compares all files and rows.
extension Store {
    /// Whether nobody has changed the folder since it was sealed, nor added or taken away a row past the store.
    func isSealed() throws -> Bool {
        let seal = try database.number(
            "SELECT seal FROM state WHERE sealed_count = (SELECT count(*) FROM memos)")
        return seal != nil && audio.stamp == seal
    }

    /// Seals the folder, in the transaction that has brought files and rows into agreement.
    func seal() throws {
        let seal = audio.restamp()
        try database.run(
            "UPDATE state SET seal = ?, sealed_count = (SELECT count(*) FROM memos)", .optional(seal))
    }

    /// Changes the folder and the rows in one transaction that leaves them in agreement if it found them so.
    func changeFolder<Result>(_ body: () throws -> Result) throws -> Result {
        try write {
            let wasSealed = try isSealed()
            let result = try body()
            if wasSealed { try seal() }
            return result
        }
    }
}
