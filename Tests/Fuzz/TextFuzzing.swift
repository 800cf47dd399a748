import CommandTable
import Foundation
import Linux
import Memos
import Terminal

@testable import Desktop
@testable import tomorrow

/// Command lines that the store's fuzzing looks at memos with.
enum Parsed {
    static var list: Invocation { get throws { try Parser.parse(["list"]) } }
    static var play: Invocation { get throws { try Parser.parse(["play"]) } }
    static var playPart: Invocation {
        get throws { try Parser.parse(["play", "--from", "0.5", "--to", "900000000"]) }
    }
}

/// Text that nobody has typed.
enum TextFuzzing {
    /// Reads a configuration file.
    @Sendable static func configuration(_ bytes: [UInt8]) throws {
        let path = FuzzTarget.folder + "/config"
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        let configuration = Configuration(path: path)
        for mistake in configuration.mistakes { requireVisible(VisibleText.of(mistake)) }
        FuzzTarget.require(Configuration.rates.contains(configuration.rate), "rate")
        FuzzTarget.require(PlayOptions.speeds.number("\(configuration.speed)") != nil, "speed")
        FuzzTarget.require(PlayOptions.volumes.number("\(configuration.volumePercent)") != nil, "volume")
    }

    /// Puts our line into a crontab and takes it away again: every other byte stays.
    @Sendable static func crontab(_ bytes: [UInt8]) throws {
        let text = CrontabText(bytes)
        _ = CrontabText(listed: bytes)
        _ = (text.interval, text.mayShowReturnsAsText)
        let job = Job(program: "/usr/bin/tomorrow", arguments: ["expire"], variables: [:])
        for interval in [JobInterval.all[0], JobInterval.all.last!] {
            let installed = try text.installing(job, every: interval)
            FuzzTarget.require(installed.interval == interval, "our line is not there")
            FuzzTarget.require(installed.removing() == text.removing(), "other bytes than there were")
            FuzzTarget.require(try! installed.installing(job, every: interval) == installed, "twice")
        }
        if text.line == nil { FuzzTarget.require(text.removing() == text, "nothing was ours") }
    }

    /// Parses arguments, each of which ends with a line, and understands what they say.
    @Sendable static func arguments(_ bytes: [UInt8]) throws {
        let words = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
            String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        do {
            let invocation = try Parser.parse(words)
            FuzzTarget.require(invocation.operands.count == invocation.operandPlaces.count, "places")
            for (operand, place) in zip(invocation.operands, invocation.operandPlaces) {
                FuzzTarget.require(words[place] == operand, "another operand")
            }
            let context = Context(invocation)
            _ = try? RecordOptions(context)
            _ = try? PlayOptions(context)
        } catch {
            requireVisible(VisibleText.of(error.message + error.advice))
        }
    }

    /// Reads a text as everything that a text can be, and shows it.
    @Sendable static func text(_ bytes: [UInt8]) throws {
        let text = String(decoding: bytes, as: UTF8.self)
        _ = VisibleText.prepare()
        if let name = AudioFileName(text) { FuzzTarget.require(name.text == text, "another name") }
        if let seconds = DurationText.seconds(text) { FuzzTarget.require(seconds >= 0, "a length below 0") }
        _ = ClockTime(text)?.next(after: StoreFuzzing.now)
        let today = DayStart.midnight.localDay(at: StoreFuzzing.now)
        if let day = DeliveryDay(text)?.resolved(from: today) {
            FuzzTarget.require(day > today, "a day that is over")
        }
        requireVisible(ASCIIText.of(VisibleText.of(text)))
        let visible = VisibleText.of(text)
        requireVisible(visible)
        for width in [0, 1, 7, 80] {
            let cut = VisibleText.cut(visible, columns: width)
            FuzzTarget.require(VisibleText.columns(cut) <= max(1, width), "wider than \(width)")
            // Fewer where a sign of Arabic joins the space behind it.
            let fitted = VisibleText.columns(VisibleText.fitted(visible, columns: width))
            FuzzTarget.require(fitted <= max(1, width), "\(fitted) columns and not \(width)")
            _ = VisibleText.wrapped(visible, columns: width)
        }
    }

    /// Types the bytes, at once and one by one: the keys are the same.
    @Sendable static func keys(_ bytes: [UInt8]) throws {
        var (whole, slow) = (KeyDecoder(), KeyDecoder())
        let atOnce = whole.decode(bytes) + whole.finish()
        let oneByOne = bytes.flatMap { slow.decode([$0]) } + slow.finish()
        FuzzTarget.require(atOnce == oneByOne, "other keys one by one")
        FuzzTarget.require(!whole.isWaiting, "a key that never ends")
    }

    /// Nothing that moves the cursor.
    private static func requireVisible(_ text: String, direction: Bool = true) {
        for scalar in text.unicodeScalars {
            FuzzTarget.require(
                scalar.properties.generalCategory != .control, "U+\(String(scalar.value, radix: 16)) is shown"
            )
            let turns = (0x202a...0x202e).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
            FuzzTarget.require(!direction || !turns, "U+\(String(scalar.value, radix: 16)) is shown")
        }
    }
}
