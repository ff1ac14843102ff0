/// The kinds of file that histories are read from.
package enum HistoryFormat: String, Sendable, CaseIterable {
    /// Tracks of GPS devices and apps.
    case gpx
    /// `Records.json` of Google Takeout, in older exports `Location History.json`.
    case records
    /// A month of Google Takeout's Semantic Location History.
    case semantic
    /// `Timeline.json`, which Google Maps exports on an Android phone.
    case timeline
    /// The same from an iPhone: `location-history.json`.
    case timelineList
    /// The files that OwnTracks Recorder stores.
    case ownTracks

    /// The format of a file with this beginning, in UTF-8; nil if it is none of them.
    package init?(beginning bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        let first = text.first { !$0.isWhitespace && $0 != "\u{FEFF}" }
        func has(_ names: String...) -> Bool { names.allSatisfy { text.contains("\"\($0)\"") } }
        func hasAny(_ names: String...) -> Bool { names.contains { text.contains("\"\($0)\"") } }
        switch first {
        case "<" where text.contains("<gpx") || text.contains(":gpx"): self = .gpx
        case "{" where hasAny("semanticSegments", "rawSignals"): self = .timeline
        case "{" where has("timelineObjects"): self = .semantic
        case "{" where has("locations") && hasAny("latitudeE7", "longitudeE7", "timestampMs", "deviceTag"):
            self = .records
        case "[" where hasAny("startTime", "endTime") && hasAny("visit", "activity", "timelinePath", "timelineMemory"):
            self = .timelineList
        default:
            guard OwnTracksRecording.isLikely(text) else { return nil }
            self = .ownTracks
        }
    }

    /// Returns a reader for the bytes that `read` puts into buffers.
    package func reader(_ read: @escaping (UnsafeMutableRawBufferPointer) throws -> Int) -> any HistoryReader {
        switch self {
        case .gpx: GPXTrack(read: read)
        case .records: GoogleHistory(.records, read: read)
        case .semantic: GoogleHistory(.semantic, read: read)
        case .timeline: GoogleHistory(.timeline, read: read)
        case .timelineList: GoogleHistory(.timelineList, read: read)
        case .ownTracks: OwnTracksRecording(read: read)
        }
    }
}
