import AudioFile
import Sound

/// What is heard, which is behind what was read: the device and what is before it hold some.
extension PlayerLoop {
    /// The frames of the device that are between the file and the ear.
    var framesAhead: Double {
        guard let chain, let stream = output.stream else { return 0 }
        return chain.insideFrames / framesPerDeviceFrame
            + Double(pending.count / stream.channels + output.delayFrames)
    }

    /// How many frames of the file make one of the device's.
    var framesPerDeviceFrame: Double {
        guard let stream = output.stream else { return 1 }
        return settings.speed * Double(item.reader.stream.rate) / Double(stream.rate)
    }

    /// The frame of the file that is heard next.
    var heardFrame: Int64 {
        let behind = Int64((framesAhead * framesPerDeviceFrame).rounded())
        return min(max(item.reader.position - behind, item.range.lowerBound), item.range.upperBound)
    }

    /// Has the caller told of something when what was read up to now is heard.
    func note(_ event: Player.Event, before: Player.Position? = nil) {
        let ahead = Int64(framesAhead.rounded()) - Int64(output.delayFrames)
        changes.append(Change(heardFrames: output.givenFrames + ahead, event: event, before: before))
    }

    /// Tells what was noted; the rest of it will not be heard any more.
    func flush() {
        for change in changes { player.events.post(change.event) }
        changes = []
    }

    func publish() {
        if !changes.isEmpty {
            let heard = output.givenFrames - Int64(output.delayFrames)
            while let change = changes.first, change.heardFrames <= heard {
                player.events.post(change.event)
                changes.removeFirst()
            }
        }
        player.publish(
            changes.lazy.compactMap(\.before).first
                ?? Player.Position(number: item.number, frame: heardFrame))
    }
}
