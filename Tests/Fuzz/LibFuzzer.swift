import Foundation

/// The target that the environment names.
private let target: FuzzTarget = {
    let name = ProcessInfo.processInfo.environment["TOMORROW_FUZZ_TARGET"] ?? ""
    guard let target = FuzzTarget.named(name) else { fatalError("TOMORROW_FUZZ_TARGET names no target") }
    return target
}()

/// What libFuzzer calls with each input (https://llvm.org/docs/LibFuzzer.html).
@_cdecl("LLVMFuzzerTestOneInput")
public func takeOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    try? target.body(Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
}
