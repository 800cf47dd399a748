import CSndFile
import Glibc
public import Linux
public import Sound

/// Reads a file of sound, from its start or from any of its frames.
///
/// `@unchecked Sendable`: made on one thread and handed to the player's, which alone uses it from then on.
public final class AudioFileReader: @unchecked Sendable {
    /// What the file holds. Samples that are floats or have 32 bits are given as the nearest of 24 bits, those of
    /// a lossy file as the nearest of 16.
    public var stream: StreamFormat { decoder.stream }
    /// The frames that can be read, counted where the header does not say; nil where not even that tells.
    public var frames: Int64? { decoder.frames }
    /// Which of our formats the file is in, by its contents; nil where it is in none of them.
    public var format: AudioFileFormat? { decoder.format }
    /// What the file says that it is called, where a library finds that; nil where none does.
    public var title: String? { decoder.title }
    /// The next frame that is read, counted from the file's first.
    public private(set) var position: Int64 = 0

    private let name: String
    private let access: FileAccess
    private let decoder: any SoundDecoder
    private var end: Int64
    private var sawEnd = false
    private var endedEarly = false

    /// Opens a file: FLAC with libFLAC, MPEG with libmpg123, all others with libsndfile.
    ///
    /// - Parameters:
    ///   - descriptor: open for reading; reading begins at its first byte, and moves its position.
    ///   - name: what errors call it.
    /// - Throws: ``AudioFileError`` when it is no file of sound, or is cut in its header.
    public init(descriptor: FileDescriptor, name: String) throws(AudioFileError) {
        self.name = name
        access = FileAccess(descriptor)
        decoder = try Self.decoder(access, name)
        end = decoder.frames ?? .max
    }

    private static func decoder(
        _ access: FileAccess, _ name: String
    ) throws(AudioFileError) -> any SoundDecoder {
        let isMPEG: Bool
        let description: MPEGHeader.Description?
        do throws(SystemError) {
            isMPEG = try MPEGHeader.begins(access.descriptor)
            description = isMPEG ? try MPEGHeader.find(in: access.descriptor) : nil
        } catch {
            throw AudioFileError(attempt: "read \(name)", error)
        }
        if let description { return try MPEGDecoder(access, name: name, description: description) }
        // libsndfile would play it as noise, and has libmpg123 print on standard error what is wrong with it.
        if isMPEG { throw AudioFileError(attempt: "read \(name)", reason: SndFileDecoder.unknown) }
        do throws(AudioFileError) {
            let decoder = try SndFileDecoder(access, name: name)
            if decoder.container != Int32(SF_FORMAT_FLAC) { return decoder }
            return try FLACDecoder(
                access, name: name, stream: decoder.stream, claimed: decoder.claimed, title: decoder.title)
        } catch {
            // There may be junk in front of the sound.
            guard error.code == nil, let description = try? MPEGHeader.find(in: access.descriptor) else {
                throw error
            }
            return try MPEGDecoder(access, name: name, description: description)
        }
    }

    /// Whether something that the file once held was not there: reading came to the end of what was cut, or a
    /// decoder met damage on its way. What could be heard was heard.
    public var isDamaged: Bool {
        decoder.isDamaged || endedEarly || sawEnd && decoder.isCut
    }

    /// Goes on with a part of the file alone.
    ///
    /// - Parameter range: the part, in frames.
    /// - Throws: ``AudioFileError`` where the file cannot be read from there.
    public func restrict(to range: Range<Int64>) throws(AudioFileError) {
        end = min(range.upperBound, decoder.frames ?? .max)
        try seek(to: range.lowerBound)
    }

    /// Sets the frame that is read next: exactly that one, in lossy files too.
    ///
    /// - Parameter frame: counted from the file's first; beyond the end, or the end of the part that reading is
    ///   restricted to, it is the end.
    /// - Throws: ``AudioFileError`` where the file cannot be read from there.
    public func seek(to frame: Int64) throws(AudioFileError) {
        let target = max(0, min(frame, end))
        position = target
        // At the end there is nothing to be decoded.
        if target < end, !decoder.seek(to: target) {
            throw failure("it cannot be read from there")
        }
    }

    /// Reads the next frames.
    ///
    /// - Parameter samples: room for whole frames, interleaved, 32 bits a sample with the stream's own on top.
    /// - Returns: how many frames came: as many as there is room for, but at the end, where it is 0 at last.
    ///   Whether that came too early says ``isDamaged``.
    /// - Throws: ``AudioFileError`` where the kernel cannot read the file.
    public func read(into samples: UnsafeMutableBufferPointer<Int32>) throws(AudioFileError) -> Int {
        let channels = stream.channels
        let wanted = Int(min(end - position, Int64(samples.count / channels)))
        guard let memory = samples.baseAddress else { return 0 }
        var count = 0
        while count < wanted {
            let more = decoder.read(into: memory + count * channels, frames: wanted - count)
            if more == 0 {
                if count == 0, access.readFailure != nil { throw failure("") }
                sawEnd = true
                endedEarly = endedEarly || decoder.frames != nil
                break
            }
            count += more
        }
        position += Int64(count)
        if position == decoder.frames { sawEnd = true }
        return count
    }

    /// Reads what is left of the file, and gives its shape.
    ///
    /// - Throws: ``AudioFileError`` where the kernel cannot read the file.
    public func waveform() throws -> Waveform {
        var builder = WaveformBuilder(channels: stream.channels)
        try eachBlock { builder.measure($0) }
        return builder.finish()
    }

    /// Reads what is left of the file, and tells how loud that is.
    ///
    /// - Returns: its integrated loudness in LUFS (EBU R 128); nil where there is nothing but silence.
    /// - Throws: ``AudioFileError`` where the kernel cannot read the file.
    public func loudness() throws -> Double? {
        let loudness = Loudness(stream: stream)
        try eachBlock { loudness.measure($0) }
        return loudness.integratedLUFS
    }

    /// Small enough that whoever cancels does not wait, and one packet of ALAC.
    private static let blockFrames = 4_096

    /// Reads what is left of the file, block by block.
    ///
    /// - Parameter body: is given whole frames, interleaved, as ``read(into:)`` gives them.
    /// - Throws: ``AudioFileError`` where the kernel cannot read the file, and what the body throws.
    public func eachBlock(_ body: (UnsafeBufferPointer<Int32>) throws -> Void) throws {
        let block = UnsafeMutableBufferPointer<Int32>.allocate(capacity: Self.blockFrames * stream.channels)
        defer { block.deallocate() }
        while true {
            let count = try read(into: block)
            if count == 0 { return }
            try body(.init(rebasing: block[..<(count * stream.channels)]))
        }
    }

    private func failure(_ reason: String) -> AudioFileError {
        access.readFailure.map { AudioFileError(attempt: "read \(name)", $0) }
            ?? AudioFileError(attempt: "read \(name)", reason: reason)
    }
}
