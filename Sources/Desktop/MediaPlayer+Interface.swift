internal import CSystemd
import Glibc
import Linux

/// The methods and properties of a media player, by their names; which there are, and of which types, stands
/// in CMediaPlayer.
extension MediaPlayer {
    typealias BusError = UnsafeMutablePointer<sd_bus_error>

    /// Answers a call of a method.
    ///
    /// - Returns: 0, or less when it is refused.
    func call(_ message: OpaquePointer, _ error: BusError?) -> Int32 {
        switch String(cString: sd_bus_message_get_member(message)) {
        case "Play": commands.append(.play)
        case "Pause": commands.append(.pause)
        case "PlayPause": commands.append(.playPause)
        case "Stop", "Quit": commands.append(.stop)
        case "Next" where state.canGoNext: commands.append(.next)
        case "Previous": commands.append(.previous)
        case "Seek":
            var offset: Int64 = 0
            sd_bus_message_read_basic(message, type("x"), &offset)
            commands.append(.move(microseconds: offset))
        case "SetPosition":
            var path: UnsafePointer<CChar>?
            var place: Int64 = 0
            sd_bus_message_read_basic(message, type("o"), &path)
            sd_bus_message_read_basic(message, type("x"), &place)
            // Whoever means a track that is over by now, or a place outside of it, means nothing.
            guard let path, let track = state.track, String(cString: path) == track.path,
                0...track.microseconds ~= place
            else { break }
            commands.append(.seek(microseconds: place))
        case "OpenUri":
            return refuse(error, "NotSupported", "tomorrow plays nothing but its memos")
        default: break
        }
        return 0
    }

    /// Puts a property's value into an answer.
    func get(_ property: String, into reply: OpaquePointer) -> Int32 {
        let reply = BusMessage(owning: sd_bus_message_ref(reply))
        do throws(SystemError) {
            switch property {
            case "Identity": try reply.append("Tomorrow")
            case "SupportedUriSchemes", "SupportedMimeTypes": try reply.appendEmptyArray(of: "s")
            case "CanQuit", "CanPlay", "CanPause", "CanSeek", "CanControl": try reply.append(true)
            case "CanGoNext": try reply.append(state.canGoNext)
            case "CanGoPrevious": try reply.append(state.canGoPrevious)
            case "CanRaise", "HasTrackList", "Shuffle": try reply.append(false)
            case "PlaybackStatus": try reply.append(state.status)
            case "LoopStatus": try reply.append(state.repeats ? "Track" : "None")
            case "Rate": try reply.append(state.rate)
            case "MinimumRate": try reply.append(rates.lowerBound)
            case "MaximumRate": try reply.append(rates.upperBound)
            case "Volume": try reply.append(state.volume)
            case "Position": try reply.append(state.microseconds)
            case "Metadata": try appendMetadata(to: reply)
            default: return -ENOENT
            }
            return 0
        } catch {
            return -error.code
        }
    }

    /// Takes a property's new value.
    func set(_ property: String, from value: OpaquePointer, _ error: BusError?) -> Int32 {
        switch property {
        case "Rate", "Volume":
            var number = 0.0
            sd_bus_message_read_basic(value, type("d"), &number)
            guard number.isFinite else { return refuse(error, "InvalidArgs", "\(property) is no number") }
            if property == "Volume" {
                commands.append(.volume(max(0, number)))
            } else {
                // By the specification 0 is a pause.
                commands.append(number == 0 ? .pause : .rate(number))
            }
        case "LoopStatus":
            var text: UnsafePointer<CChar>?
            sd_bus_message_read_basic(value, type("s"), &text)
            switch text.map({ String(cString: $0) }) {
            case "None": commands.append(.repeats(false))
            case "Track": commands.append(.repeats(true))
            case "Playlist": return refuse(error, "NotSupported", "several memos are played once")
            default: return refuse(error, "InvalidArgs", "LoopStatus is None or Track")
            }
        case "Shuffle":
            var isOn: Int32 = 0
            sd_bus_message_read_basic(value, type("b"), &isOn)
            if isOn != 0 { return refuse(error, "NotSupported", "memos are played in their order") }
        default: return -ENOENT
        }
        return 0
    }

    private func appendMetadata(to reply: borrowing BusMessage) throws(SystemError) {
        guard let track = state.track else { return try reply.appendEmptyArray(of: "{sv}") }
        try reply.appendArray(of: "{sv}") { () throws(SystemError) in
            try reply.appendEntry("mpris:trackid", "o") { () throws(SystemError) in
                try reply.append(path: track.path)
            }
            try reply.appendEntry("mpris:length", "x") { () throws(SystemError) in
                try reply.append(track.microseconds)
            }
            try reply.appendEntry("xesam:title", "s") { () throws(SystemError) in
                try reply.append(NotificationText.plain(track.title, isOneLine: true))
            }
            try reply.appendEntry("xesam:genre", "as") { () throws(SystemError) in
                try reply.appendArray(of: "s") { () throws(SystemError) in
                    for genre in track.genres {
                        try reply.append(NotificationText.plain(genre, isOneLine: true))
                    }
                }
            }
            try reply.appendEntry("xesam:contentCreated", "s") { () throws(SystemError) in
                try reply.append(track.created)
            }
        }
    }

    private func refuse(_ error: BusError?, _ name: String, _ words: String) -> Int32 {
        sd_bus_error_set(error, "org.freedesktop.DBus.Error." + name, words)
    }

    private func type(_ letter: Unicode.Scalar) -> CChar { CChar(letter.value) }
}
