import Tracking
import Wording

/// Reads the points of tracks, of routes, and waypoints with a time: https://www.topografix.com/GPX/1/1/ and 1.0.
///
/// GPX has no accuracy in metres.
struct GPXTrack: HistoryReader {
    private var tokens: XMLTokens
    private var point: Point?

    fileprivate struct Point {
        let line: Int
        /// How many elements are open inside it.
        let depth: Int
        let lat, lng: String?
        var time: String?
    }

    private static let points: Set<String> = ["trkpt", "rtept", "wpt"]

    var bytesRead: Int { tokens.bytesRead }

    init(read: @escaping (UnsafeMutableRawBufferPointer) throws -> Int) { tokens = XMLTokens(read: read) }

    mutating func next() throws -> HistoryEntry? {
        while let token = try tokens.next() {
            switch token {
            case .opens(let name, let attributes): try open(name, attributes)
            case .closes(let name):
                guard let found = point else { continue }
                if tokens.open.count == found.depth, name == "time", tokens.keepsText {
                    point?.time = tokens.text
                    tokens.keepsText = false
                } else if tokens.open.count < found.depth {
                    point = nil
                    return HistoryEntry(line: found.line) { () throws(ReceivedFix.Unusable) in try found.fix }
                }
            }
        }
        return nil
    }

    private mutating func open(_ name: String, _ attributes: [(name: String, value: String)]) throws {
        let depth = tokens.open.count
        if depth == 1, name != "gpx" {
            throw HistoryError(line: tokens.line, "the first element is \(name.prefix(40)) and not gpx")
        }
        if let point {
            if depth == point.depth + 1, name == "time" { tokens.keepsText = true }
        } else if Self.points.contains(name) {
            point = Point(
                line: tokens.line, depth: depth, lat: attributes.first { $0.name == "lat" }?.value,
                lng: attributes.first { $0.name == "lon" }?.value)
        }
    }
}

extension GPXTrack.Point {
    fileprivate var fix: Fix {
        get throws(ReceivedFix.Unusable) {
            guard let lat = lat.flatMap(Double.init(trimming:)), let lng = lng.flatMap(Double.init(trimming:)) else {
                throw .init(reason: "has no lat and lon that are numbers")
            }
            guard let time = time?.trimmedASCII, !time.isEmpty else { throw .init(reason: "has no time") }
            // A time without an offset is UTC, as GPX requires.
            guard let timestamp = Timestamp.seconds(time) ?? Timestamp.seconds(time + "Z") else {
                throw .init(reason: "has a time that is not one such as 2026-11-22T15:00:00Z")
            }
            return Fix(lat: lat, lng: lng, timestamp: timestamp)
        }
    }
}

extension Double {
    fileprivate init?(trimming text: String) { self.init(text.trimmedASCII) }
}

extension String {
    /// The text without surrounding white space.
    var trimmedASCII: String {
        guard let first = utf8.first, let last = utf8.last, first <= 0x20 || last <= 0x20 else { return self }
        let start = utf8.firstIndex { $0 > 0x20 } ?? endIndex
        let end = utf8.lastIndex { $0 > 0x20 }.map { utf8.index(after: $0) } ?? start
        return String(self[start..<end])
    }
}
