import Formats
import Processes
import Tracking

/// Reads the points of tracks, of routes, and waypoints with a time: https://www.topografix.com/GPX/1/1/ and 1.0.
///
/// GPX has no accuracy in metres.
struct GPXTrack: HistoryReader {
    private let read: (UnsafeMutableRawBufferPointer) throws -> Int
    private let points = GPXPoints()
    private let parser: XMLStream
    private var waiting: ArraySlice<HistoryEntry> = []
    private var end: Result<Void, any Error>?
    private(set) var bytesRead = 0

    init(read: @escaping (UnsafeMutableRawBufferPointer) throws -> Int) {
        self.read = read
        // All that is read of a point is ASCII. Each byte is a letter of ISO 8859-1, so a file may have any encoding in
        // which ASCII is ASCII, whatever it declares.
        parser = XMLStream(points, encoding: "ISO-8859-1")
        points.parser = parser
    }

    mutating func next() throws -> HistoryEntry? {
        while waiting.isEmpty {
            if let end {
                try end.get()
                return nil
            }
            do { try parsePiece() } catch let error as XMLStream.Malformed {
                end = .failure(HistoryError(line: parser.line, error.problem))
            } catch {
                end = .failure(error)
            }
            // Points in front of an error are good.
            waiting = points.take()
        }
        return waiting.popFirst()
    }

    private mutating func parsePiece() throws {
        let piece = try [UInt8](from: read)
        bytesRead += piece.count
        try parser.parse(piece, isLast: piece.isEmpty)
        if piece.isEmpty { end = .success(()) }
    }
}

/// Finds the points among the tags.
private final class GPXPoints: XMLHandler {
    unowned var parser: XMLStream?
    private var found: [HistoryEntry] = []
    private var point: Point?
    /// The text of the point's time.
    private var time: [UInt8] = []
    /// The number of open elements.
    private var depth = 0
    private var isTime = false

    struct Point {
        let line: Int
        /// The number of elements that are open inside of it, with itself.
        let depth: Int
        let lat, lng: String?
    }

    private static let points: [StaticString] = ["trkpt", "rtept", "wpt"]
    private static let deepest = 200
    private static let longestTime = 1 << 20

    func take() -> ArraySlice<HistoryEntry> {
        defer { found = [] }
        return found[...]
    }

    func start(_ name: XMLName, _ attributes: XMLAttributes, at range: Range<Int>) throws {
        depth += 1
        let name = name.local
        guard depth > 1 || name == "gpx" else {
            throw error("the first element is \(name.text.prefix(40)) and not gpx")
        }
        guard depth <= Self.deepest else { throw error("elements are nested deeper than \(Self.deepest)") }
        if let point {
            guard depth == point.depth + 1, name == "time" else { return }
            time.removeAll(keepingCapacity: true)
            isTime = true
        } else if Self.points.contains(where: { name == $0 }) {
            time.removeAll(keepingCapacity: true)
            point = Point(
                line: parser?.line ?? 0, depth: depth, lat: attributes.text("lat"), lng: attributes.text("lon"))
        }
    }

    func end(_ name: XMLName, at range: Range<Int>) {
        if let point, depth == point.depth {
            found.append(HistoryEntry(line: point.line) { () throws(ReceivedFix.Unusable) in try point.fix(at: time) })
            self.point = nil
        } else if let point, depth == point.depth + 1 {
            isTime = false
        }
        depth -= 1
    }

    func text(_ bytes: UnsafeBufferPointer<UInt8>) throws {
        guard isTime else { return }
        time.append(contentsOf: bytes)
        guard time.count < Self.longestTime else { throw error("a text is too long") }
    }

    private func error(_ problem: String) -> HistoryError { HistoryError(line: parser?.line, problem) }
}

extension GPXPoints.Point {
    fileprivate func fix(at time: [UInt8]) throws(ReceivedFix.Unusable) -> Fix {
        guard let lat = lat.flatMap(Double.init(trimming:)), let lng = lng.flatMap(Double.init(trimming:)) else {
            throw .init(reason: "has no lat and lon that are numbers")
        }
        let time = String(decoding: time, as: UTF8.self).trimmedASCII
        guard !time.isEmpty else { throw .init(reason: "has no time") }
        // A time without an offset is UTC, as GPX requires.
        guard let timestamp = Timestamp.seconds(time) ?? Timestamp.seconds(time + "Z") else {
            throw .init(reason: "has a time that is not one such as 2026-11-22T15:00:00Z")
        }
        return Fix(lat: lat, lng: lng, timestamp: timestamp)
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
