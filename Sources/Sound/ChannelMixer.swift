/// Makes of the channels that a file has those that a device has, as floats of full scale 1.
///
/// One channel goes to all. Of two, one is the mean. More of them are mixed down with the weights of ITU-R
/// BS.775: what has no place of its own goes to its neighbours at 0.71, the low-frequency effects to nobody.
/// Weights are made smaller, all alike, so that full scale is never exceeded. Where the target has a place
/// for a channel, it goes there as it is.
struct ChannelMixer {
    /// Target by target, how much of each source goes in.
    let weights: [[Float]]
    private let mixed = GrowingBuffer<Float>()
    private let sources: Int

    init(from sources: Int, to targets: Int) {
        self.sources = sources
        weights = Self.weights(from: sources, to: targets)
    }

    /// Mixes whole frames, 32 bits a sample, interleaved.
    ///
    /// - Returns: as many frames of the target, valid until the next call. 24 bits of each sample arrive
    ///   unchanged where nothing needs mixing.
    func mix(_ samples: UnsafeBufferPointer<Int32>) -> UnsafeMutableBufferPointer<Float> {
        let frames = samples.count / sources
        let targets = weights.count
        mixed.clear()
        let output = mixed.extend(by: frames * targets)
        guard let from = samples.baseAddress, let to = output.baseAddress else { return output }
        for target in 0..<targets {
            var isFirst = true
            for source in 0..<sources where weights[target][source] != 0 {
                let scale = weights[target][source] * 0x1p-31
                var frame = 0
                if isFirst {
                    while frame < frames {
                        to[frame &* targets &+ target] = Float(from[frame &* sources &+ source]) * scale
                        frame &+= 1
                    }
                } else {
                    while frame < frames {
                        to[frame &* targets &+ target] += Float(from[frame &* sources &+ source]) * scale
                        frame &+= 1
                    }
                }
                isFirst = false
            }
            if isFirst { for frame in 0..<frames { to[frame * targets + target] = 0 } }
        }
        return output
    }

    private static func weights(from sources: Int, to targets: Int) -> [[Float]] {
        if sources == targets {
            return (0..<targets).map { target in (0..<sources).map { $0 == target ? 1 : 0 } }
        }
        if sources == 1 { return Array(repeating: [1], count: targets) }
        if targets == 1 {
            let stereo = sources == 2 ? [[1, 0], [0, 1]] : weights(from: sources, to: 2)
            return withinFullScale([zip(stereo[0], stereo[1]).map { ($0 + $1) / 2 }])
        }
        let places = ChannelPosition.layout(channels: targets)
        var table = [[Float]](repeating: Array(repeating: 0, count: sources), count: targets)
        for (source, position) in ChannelPosition.layout(channels: sources).enumerated() {
            if position != .unknown, let target = places.firstIndex(of: position) {
                table[target][source] = 1
            } else if let substitute = position.substitutes.first(where: { $0.allSatisfy(places.contains) }) {
                for place in substitute {
                    table[places.firstIndex(of: place)!][source] = Float(0.5).squareRoot()
                }
            }
        }
        return withinFullScale(table)
    }

    /// All weights made smaller alike, as much as the fullest target needs.
    private static func withinFullScale(_ table: [[Float]]) -> [[Float]] {
        let most = table.map { $0.reduce(0, +) }.max() ?? 1
        return most > 1 ? table.map { $0.map { $0 / most } } : table
    }
}
