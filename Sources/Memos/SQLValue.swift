/// A value as SQLite's STRICT tables know it.
enum SQLValue {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])

    static func optional(_ text: String?) -> SQLValue { text.map { .text($0) } ?? .null }
    static func optional(_ integer: Int64?) -> SQLValue { integer.map { .integer($0) } ?? .null }
    static func optional(_ real: Double?) -> SQLValue { real.map { .real($0) } ?? .null }
}
