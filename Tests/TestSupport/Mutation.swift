public import Foundation

/// Files with mistakes in them.
public enum Mutation {
    /// A file with one random mistake: wrong bytes, a hole, a cut, bytes that are missing or twice there.
    public static func of(_ data: Data, _ generator: inout Noise.Generator) -> Data {
        var data = data
        let place = { (generator: inout Noise.Generator) in
            // Headers are where a mistake does most.
            Int.random(in: 0..<data.count, using: &generator)
                % (Bool.random(using: &generator) ? 200 : data.count)
        }
        switch Int.random(in: 0..<6, using: &generator) {
        case 0:
            let start = place(&generator)
            let end = min(data.count, start + Int.random(in: 1...600, using: &generator))
            data.replaceSubrange(start..<end, with: Data(count: end - start))
        case 1: data = data.prefix(max(1, place(&generator)))
        case 2:
            let start = place(&generator)
            data.removeSubrange(start..<min(data.count, start + 100))
        case 3:
            let start = place(&generator)
            data.insert(contentsOf: data[start..<min(data.count, start + 300)], at: start)
        case 4:
            let start = place(&generator)
            data.replaceSubrange(start..<min(data.count, start + 4), with: [0xff, 0xff, 0xff, 0x7f])
        default:
            for _ in 0..<Int.random(in: 1...20, using: &generator) {
                data[place(&generator)] = UInt8.random(in: 0...255, using: &generator)
            }
        }
        return Data(data)
    }
}
