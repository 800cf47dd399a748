/// A key, as far as this program minds it.
public enum Key: Equatable, Sendable {
    /// A character that is shown, as it was typed.
    case character(Character)
    case enter, escape, backspace
    case up, down, left, right, home
    /// Ctrl-D: the end of the input.
    case end
    /// Ctrl-U: the whole line goes.
    case eraseLine
    /// One that has no meaning here, such as F1.
    case other
}

/// Makes keys of the bytes that a terminal sends.
///
/// The keys that have no character, arrows and the like, send several bytes of which the first is Escape: only
/// an Escape behind which nothing comes for a moment was the key of that name.
public struct KeyDecoder {
    private var bytes: [UInt8] = []

    /// For how long the rest of a key's bytes may take, in milliseconds: over a slow line they come apart.
    public static let patienceMilliseconds: Int32 = 80

    /// A decoder that has seen nothing.
    public init() {}

    /// Whether the beginning of a key is here and its rest may still come.
    public var isWaiting: Bool { !bytes.isEmpty }

    /// Takes in bytes, and gives the keys that are whole.
    public mutating func decode(_ more: some Sequence<UInt8>) -> [Key] {
        bytes += more
        var keys: [Key] = []
        while let (key, length) = next() {
            keys.append(key)
            bytes.removeFirst(length)
        }
        return keys
    }

    /// Gives what the bytes that wait mean when nothing follows them.
    public mutating func finish() -> [Key] {
        defer { bytes = [] }
        return bytes.isEmpty ? [] : bytes == [0x1b] ? [.escape] : [.other]
    }

    /// The first key and its bytes, or nil while more must come.
    private func next() -> (Key, Int)? {
        guard let first = bytes.first else { return nil }
        switch first {
        case 0x0a, 0x0d: return (.enter, 1)
        case 0x04: return (.end, 1)
        case 0x08, 0x7f: return (.backspace, 1)
        case 0x15: return (.eraseLine, 1)
        case 0x1b: return sequence()
        case 0x20..<0x7f: return (.character(Character(Unicode.Scalar(first))), 1)
        case 0..<0x80: return (.other, 1)
        default: return character(of: first)
        }
    }

    /// A key that begins with Escape: `ESC [ … letter`, `ESC O letter` (ECMA-48, 5.4), or Alt and a key.
    private func sequence() -> (Key, Int)? {
        guard bytes.count > 1 else { return nil }
        switch bytes[1] {
        case 0x1b: return (.escape, 1)
        case UInt8(ascii: "["):
            let end = bytes.dropFirst(2).firstIndex { (0x40..<0x7f).contains($0) }
            return end.map { (Self.named(bytes[2...$0]), $0 + 1) }
        case UInt8(ascii: "O"): return bytes.count > 2 ? (Self.named(bytes[2...2]), 3) : nil
        default: return (.other, 2)
        }
    }

    /// The key that a sequence is, by what comes behind `ESC [` or `ESC O`: as xterm and those after it send it.
    private static func named(_ sequence: ArraySlice<UInt8>) -> Key {
        switch String(decoding: sequence, as: UTF8.self) {
        case "A": .up
        case "B": .down
        case "C": .right
        case "D": .left
        case "H", "1~", "7~": .home
        default: .other
        }
    }

    /// A character outside ASCII, in UTF-8.
    private func character(of first: UInt8) -> (Key, Int)? {
        let length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1
        guard bytes.count >= length else { return nil }
        let text = String(decoding: bytes[..<length], as: UTF8.self)
        return (text.count == 1 ? .character(text.first!) : .other, length)
    }
}

extension Key {
    /// The key by which something is asked for: a character in lower case where it has one.
    public var lowercased: Key {
        guard case .character(let character) = self, let lower = character.lowercased().first else {
            return self
        }
        return .character(lower)
    }
}
