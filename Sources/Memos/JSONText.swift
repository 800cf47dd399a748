/// JSON whose strings SQLite has written (`json_quote`): it escapes rightly, and is loaded anyway.
public struct JSONText: Sendable {
    /// The text of one JSON value.
    public let text: String

    private init(text: String) {
        self.text = text
    }

    /// `null`.
    public static let null = JSONText(text: "null")

    /// `true` or `false`.
    public static func boolean(_ value: Bool) -> JSONText {
        JSONText(text: value ? "true" : "false")
    }

    /// A string that needs no escaping, such as a time or a state, or `null`.
    public static func word(_ value: String?) -> JSONText {
        value.map { JSONText(text: "\"" + $0 + "\"") } ?? .null
    }

    /// A whole number, or `null`.
    public static func integer(_ value: Int64?) -> JSONText {
        value.map { JSONText(text: String($0)) } ?? .null
    }

    /// A number with a fraction, or `null`; what JSON has no number for is `null` too.
    public static func real(_ value: Double?) -> JSONText {
        value.flatMap { $0.isFinite ? JSONText(text: $0.description) : nil } ?? .null
    }

    /// An array.
    public static func array(_ values: [JSONText]) -> JSONText {
        JSONText(text: "[" + values.map(\.text).joined(separator: ",") + "]")
    }
}

/// Builds JSON with a connection of its own to SQLite, without a file.
public final class JSONBuilder {
    private let database: Database
    private var quote: Statement?

    /// - Throws: ``StoreError`` when there is no memory for it.
    public init() throws {
        database = try Database(path: ":memory:")
    }

    /// A string (`json_quote`), or `null`.
    public func string(_ value: String?) throws -> JSONText {
        guard let value else { return .null }
        let statement = try quote ?? Statement(database, "SELECT json_quote(?)")
        quote = statement
        statement.bind([.text(value)])
        defer { statement.reset() }
        _ = try statement.step()
        return JSONText(quoted: statement.text(0))
    }

    /// An object, its keys in this order. Keys are plain words of ours.
    public func object(_ members: KeyValuePairs<String, JSONText>) -> JSONText {
        var text = ""
        for (key, value) in members {
            text += text.isEmpty ? "{\"" : ",\""
            text += key
            text += "\":"
            text += value.text
        }
        return JSONText(quoted: text.isEmpty ? "{}" : text + "}")
    }
}

extension JSONText {
    fileprivate init(quoted text: String) {
        self.init(text: text)
    }
}
