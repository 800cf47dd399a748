/// What was perhaps meant by a word that is none of ours.
public enum Spelling {
    /// The name that is nearest to a word, or nil where none is near: a third of its letters may be wrong, and one
    /// always. Of two that are equally near, it is the one that stands first. No number is near to another one.
    public static func nearest(to word: String, among names: some Sequence<String>) -> String? {
        let near = names.filter { $0.first?.isLetter == true }.map {
            (name: $0, distance: distance(word, $0))
        }.min { $0.distance < $1.distance }
        guard let near, near.distance <= max(1, min(word.count, mostLetters) / 3) else { return nil }
        return near.name
    }

    /// A word that is longer than this is nobody's slip of the finger, and not worth the table.
    private static let mostLetters = 40

    /// How many letters must be added, dropped, changed or swapped with their neighbour (Damerau and Levenshtein's
    /// distance, each letter touched once).
    static func distance(_ left: String, _ right: String) -> Int {
        let (a, b) = (Array(left), Array(right))
        if abs(a.count - b.count) > mostLetters { return abs(a.count - b.count) }
        var table = (0...a.count).map { row in (0...b.count).map { row == 0 ? $0 : $0 == 0 ? row : 0 } }
        for i in a.indices {
            for j in b.indices {
                let change = table[i][j] + (a[i] == b[j] ? 0 : 1)
                table[i + 1][j + 1] = min(change, table[i][j + 1] + 1, table[i + 1][j] + 1)
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
                    table[i + 1][j + 1] = min(table[i + 1][j + 1], table[i - 1][j - 1] + 1)
                }
            }
        }
        return table[a.count][b.count]
    }
}
