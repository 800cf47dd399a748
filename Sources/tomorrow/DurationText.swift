/// A length of time as a person types it: `90`, `90s`, `1m30s`, `1:30`, `1:02:03.5`.
enum DurationText {
    /// The length in seconds, or nil when the text is none.
    static func seconds(_ text: String) -> Double? {
        guard !text.isEmpty, text.utf8.count < 32 else { return nil }
        let seconds = text.contains(":") ? clock(text) : units(text)
        return seconds.flatMap { $0 < 1e9 ? $0 : nil }
    }

    /// `M:SS` or `H:MM:SS`, the seconds with a fraction perhaps.
    private static func clock(_ text: String) -> Double? {
        let fields = text.split(separator: ":", omittingEmptySubsequences: false)
        guard fields.count <= 3, fields.dropLast().allSatisfy({ !$0.contains(".") }) else { return nil }
        let numbers = fields.compactMap(number)
        guard numbers.count == fields.count, numbers.dropFirst().allSatisfy({ $0 < 60 }) else { return nil }
        return numbers.reduce(0) { $0 * 60 + $1 }
    }

    /// A plain number of seconds, or numbers with `h`, `m` and `s`, each at most once and in that order.
    private static func units(_ text: String) -> Double? {
        if let seconds = number(text[...]) { return seconds }
        var total = 0.0
        var rest = text[...]
        for (unit, seconds) in [("h", 3600.0), ("m", 60.0), ("s", 1.0)] {
            guard let end = rest.firstIndex(of: Character(unit)) else { continue }
            guard let count = number(rest[..<end]) else { return nil }
            total += count * seconds
            rest = rest[rest.index(after: end)...]
        }
        return rest.isEmpty ? total : nil
    }

    /// Digits with at most one point between or behind them.
    private static func number(_ text: Substring) -> Double? {
        guard let first = text.utf8.first, (0x30...0x39).contains(first),
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2e })
        else { return nil }
        return Double(text)
    }
}
