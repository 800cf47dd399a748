import COgg
import Glibc
import Linux

/// The last whole page of a cut Ogg file (libogg, which checks each page's sum).
struct OggTail {
    /// The first byte behind the page; 0 when the file has no page.
    private(set) var endOffset: Int64 = 0
    /// Whether the page says that it is the stream's last, as it does where the writer came to its end.
    private(set) var isLast = false
    /// The number of the stream that the page belongs to.
    private(set) var serial: UInt32 = 0
    /// The time at which the page begins, in the codec's frames; 0 when none is before it.
    private(set) var beginning: Int64 = 0
    private var ending: Int64 = 0
    private var header: [UInt8] = []
    private var bytes = 0

    /// A page is at most 65,307 bytes: some of them always fit.
    private static let tailBytes: Int64 = 512 << 10
    /// The least that a page has.
    private static let headerBytes: Int64 = 27
    /// In a page's header, its flags (RFC 3533, 6): the one that says it is the stream's last.
    private static let flagsOffset = 5
    private static let endOfStream: UInt8 = 4

    /// - Parameter descriptor: open for reading; its position does not matter and is not moved.
    init(_ descriptor: FileDescriptor) throws(SystemError) {
        let length = try descriptor.status().bytes
        var tail = Self.tailBytes
        while endOffset == 0 {
            try search(descriptor, from: max(0, length - tail), to: length)
            if tail >= length { return }
            // What follows the last page may be long.
            tail *= 8
        }
    }

    private mutating func search(
        _ descriptor: FileDescriptor, from start: Int64, to end: Int64
    ) throws(SystemError) {
        var state = ogg_sync_state()
        ogg_sync_init(&state)
        defer { ogg_sync_clear(&state) }
        var position = start
        var unread = start
        while true {
            var page = ogg_page()
            let step = ogg_sync_pageseek(&state, &page)
            // 0: what is here is no whole page. Below 0: so many bytes were no page.
            if step == 0 {
                let wanted = Int(min(Self.tailBytes, end - unread))
                let (buffer, offset) = (ogg_sync_buffer(&state, wanted), off_t(unread))
                let count = try retryingInterrupts { pread(descriptor.number, buffer, wanted, offset) }
                if count == 0 {
                    if end - position < Self.headerBytes { return }
                    // What begins here is longer than the file; a page may be in what it takes for its own.
                    position += 1
                    unread = position
                    ogg_sync_reset(&state)
                    continue
                }
                ogg_sync_wrote(&state, count)
                unread += Int64(count)
                continue
            }
            position += Int64(abs(step))
            guard step > 0 else { continue }
            endOffset = position
            bytes = Int(step)
            // A page within which no packet ends has −1.
            beginning = max(beginning, ending)
            ending = Int64(ogg_page_granulepos(&page))
            serial = UInt32(bitPattern: ogg_page_serialno(&page))
            isLast = page.header[Self.flagsOffset] & Self.endOfStream != 0
            // With the end's flag and the sum that goes with it, whether or not it has them already.
            page.header[Self.flagsOffset] |= Self.endOfStream
            ogg_page_checksum_set(&page)
            header = Array(UnsafeBufferPointer(start: page.header, count: Int(page.header_len)))
        }
    }

    /// Cuts the file behind the page, and makes it the stream's last, as if the writer had closed the file. A
    /// file without a page stays as it is.
    ///
    /// - Returns: whether anything had to be changed.
    func apply(to descriptor: FileDescriptor) throws(SystemError) -> Bool {
        guard endOffset > 0 else { return false }
        let headerOffset = off_t(endOffset) - off_t(bytes)
        var old = header
        try retryingInterrupts { pread(descriptor.number, &old, old.count, headerOffset) }
        if old == header, try descriptor.status().bytes == endOffset { return false }
        try retryingInterrupts { ftruncate(descriptor.number, off_t(endOffset)) }
        try retryingInterrupts { pwrite(descriptor.number, header, header.count, headerOffset) }
        try descriptor.sync()
        return true
    }
}
