/// Memory for samples that grows to what the longest block needs, and then stays as it is.
final class GrowingBuffer<Sample: BitwiseCopyable> {
    /// How many samples are in it.
    private(set) var count = 0
    private var capacity = 0
    private var memory: UnsafeMutablePointer<Sample>?

    deinit {
        memory?.deallocate()
    }

    /// All that is in it, valid until it grows.
    var contents: UnsafeMutableBufferPointer<Sample> { .init(start: memory, count: count) }

    /// Takes everything out.
    func clear() {
        count = 0
    }

    /// Makes it longer, and gives the new part, which holds nothing of meaning yet.
    func extend(by more: Int) -> UnsafeMutableBufferPointer<Sample> {
        if count + more > capacity {
            let larger = UnsafeMutablePointer<Sample>.allocate(capacity: 2 * (count + more))
            if let memory {
                larger.update(from: memory, count: count)
                memory.deallocate()
            }
            memory = larger
            capacity = 2 * (count + more)
        }
        defer { count += more }
        return .init(start: memory.map { $0 + count }, count: more)
    }

    /// Puts samples behind those that are in it.
    func append(_ samples: UnsafeMutableBufferPointer<Sample>) {
        guard let base = samples.baseAddress, samples.count > 0 else { return }
        extend(by: samples.count).baseAddress!.update(from: base, count: samples.count)
    }

    /// Takes samples out at the end.
    func removeLast(_ samples: Int) {
        count -= samples
    }

    /// Takes samples out at the front.
    func removeFirst(_ samples: Int) {
        guard let memory, samples > 0 else { return }
        memory.update(from: memory + samples, count: count - samples)
        count -= samples
    }
}
