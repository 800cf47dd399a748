/// Where a channel is heard from.
///
/// The order is that of WAV files (Microsoft, “Multiple Channel Audio Data and WAVE Files”), which libsndfile
/// keeps. ALSA's own, for more than four, is another one.
enum ChannelPosition {
    case frontLeft, frontRight, frontCentre, lowFrequency, backLeft, backRight, backCentre, sideLeft,
        sideRight
    /// From everywhere: the one channel of mono.
    case everywhere
    /// Nobody knows: what comes after the eighth.
    case unknown

    /// The positions of so many channels, in their order.
    static func layout(channels: Int) -> [ChannelPosition] {
        switch channels {
        case 1: [.everywhere]
        case 2: [.frontLeft, .frontRight]
        case 3: [.frontLeft, .frontRight, .frontCentre]
        case 4: [.frontLeft, .frontRight, .backLeft, .backRight]
        case 5: [.frontLeft, .frontRight, .frontCentre, .backLeft, .backRight]
        case 6: [.frontLeft, .frontRight, .frontCentre, .lowFrequency, .backLeft, .backRight]
        case 7: [.frontLeft, .frontRight, .frontCentre, .lowFrequency, .backCentre, .sideLeft, .sideRight]
        default:
            [
                .frontLeft, .frontRight, .frontCentre, .lowFrequency, .backLeft, .backRight, .sideLeft,
                .sideRight,
            ] + Array(repeating: .unknown, count: channels - 8)
        }
    }

    /// Where to send a channel that the target has no place for: the first of these that it has all of.
    /// Half the power goes where two take it, and 0.71 of the amplitude where the place is another one
    /// (ITU-R BS.775, table 2).
    var substitutes: [[ChannelPosition]] {
        switch self {
        case .frontCentre: [[.frontLeft, .frontRight]]
        case .backLeft: [[.sideLeft], [.frontLeft]]
        case .backRight: [[.sideRight], [.frontRight]]
        case .sideLeft: [[.backLeft], [.frontLeft]]
        case .sideRight: [[.backRight], [.frontRight]]
        case .backCentre: [[.backLeft, .backRight], [.frontLeft, .frontRight]]
        case .frontLeft, .frontRight, .lowFrequency, .everywhere, .unknown: []
        }
    }

    /// −1 left, 1 right, 0 neither.
    var side: Double {
        switch self {
        case .frontLeft, .backLeft, .sideLeft: -1
        case .frontRight, .backRight, .sideRight: 1
        default: 0
        }
    }
}
