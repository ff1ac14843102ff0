import JSON
import Tracking

/// Reads the location histories of Google, in the formats in which Google has exported them.
///
/// Google documents none of them. `Records.json` and a month of Semantic Location History come from Takeout, a
/// `Timeline.json` from the phone. Positions in them are numbers of ten-millionths of a degree, texts such as `51.5°,
/// -0.1°`, or `geo:51.5,-0.1`.
struct GoogleHistory: HistoryReader {
    enum Kind { case records, semantic, timeline, timelineList }

    private let kind: Kind
    private var elements: JSONElements
    private var waiting: ArraySlice<HistoryEntry> = []
    private var isEnded = false

    var bytesRead: Int { elements.bytesRead }

    /// The longest element in bytes: a segment has a point every few minutes.
    private static let largest = 4 << 20

    init(_ kind: Kind, read: @escaping (UnsafeMutableRawBufferPointer) throws -> Int) {
        self.kind = kind
        let paths =
            switch kind {
            case .records: [["locations", "*"]]
            case .semantic: [["timelineObjects", "*"]]
            case .timeline: [["semanticSegments", "*"], ["rawSignals", "*", "position"]]
            case .timelineList: [["*"]]
            }
        elements = JSONElements(at: paths, largest: Self.largest, read: read)
    }

    mutating func next() throws -> HistoryEntry? {
        while waiting.isEmpty {
            do {
                guard let element = try elements.next() else { return nil }
                waiting = entries(of: element)[...]
            } catch let error as JSONError {
                throw HistoryError(line: error.line, "it is not JSON: \(error.problem.rawValue)")
            }
        }
        return waiting.popFirst()
    }

    private func entries(of element: JSONElement) -> [HistoryEntry] {
        let line = element.line
        guard let bytes = element.bytes else { return [.refused(line: line, reason: "is longer than 4 MiB")] }
        guard let value = try? JSONValue(parsing: bytes) else { return [.refused(line: line, reason: "is not JSON")] }
        guard let object = value.object else { return [.refused(line: line, reason: "is not an object")] }
        let members = MemberReader(object)
        switch kind {
        case .records: return [Self.record(members, line)]
        case .semantic: return Self.semantic(object, line)
        case .timeline where element.path == 1: return [Self.position(members, line)]
        case .timeline, .timelineList: return Self.segment(object, line)
        }
    }
}

// MARK: Takeout

extension GoogleHistory {
    private static func record(_ members: MemberReader, _ line: Int) -> HistoryEntry {
        HistoryEntry(line: line) { () throws(ReceivedFix.Unusable) in
            Fix(
                lat: try members.tenMillionths("latitudeE7"), lng: try members.tenMillionths("longitudeE7"),
                accuracy: try members.optionalNumber("accuracy"), timestamp: try members.moment("timestamp"))
        }
    }

    private static func semantic(_ object: [String: JSONValue], _ line: Int) -> [HistoryEntry] {
        if let visit = object["placeVisit"]?.object {
            return [
                HistoryEntry(line: line) { () throws(ReceivedFix.Unusable) in
                    let place = try MemberReader(visit).object("location")
                    let time = try MemberReader(visit).object("duration")
                    let start = try time.moment("startTimestamp")
                    return Fix(
                        lat: try place.tenMillionths("latitudeE7"), lng: try place.tenMillionths("longitudeE7"),
                        timestamp: start, waitTime: try time.moment("endTimestamp") - start)
                }
            ]
        }
        guard let activity = object["activitySegment"]?.object else { return [] }
        let ends = [("startLocation", "startTimestamp"), ("endLocation", "endTimestamp")].compactMap { place, time in
            // A trip end without a position has no fix.
            (activity[place]?.object).flatMap { $0["latitudeE7"] == nil ? nil : $0 }.map { place in
                HistoryEntry(line: line) { () throws(ReceivedFix.Unusable) in
                    let (place, times) = (MemberReader(place), try MemberReader(activity).object("duration"))
                    return Fix(
                        lat: try place.tenMillionths("latitudeE7"), lng: try place.tenMillionths("longitudeE7"),
                        timestamp: try times.moment(time))
                }
            }
        }
        let points = activity["simplifiedRawPath"]?.object?["points"]?.list ?? []
        return ends.prefix(1)
            + points.map { point in
                HistoryEntry(line: line) { () throws(ReceivedFix.Unusable) in
                    let point = MemberReader(point.object ?? [:])
                    return Fix(
                        lat: try point.tenMillionths("latE7"), lng: try point.tenMillionths("lngE7"),
                        accuracy: try point.optionalNumber("accuracyMeters"), timestamp: try point.moment("timestamp"))
                }
            } + ends.dropFirst(1)
    }
}

// MARK: From the phone

extension GoogleHistory {
    private static func position(_ members: MemberReader, _ line: Int) -> HistoryEntry {
        HistoryEntry(line: line) { () throws(ReceivedFix.Unusable) in
            let place = try members.degrees("LatLng")
            return Fix(
                lat: place.lat, lng: place.lng, accuracy: try members.optionalNumber("accuracyMeters"),
                timestamp: try members.timestamp("timestamp"))
        }
    }

    /// Reads a visit, a trip, or a part of a path. Other segments have no position.
    private static func segment(_ object: [String: JSONValue], _ line: Int) -> [HistoryEntry] {
        let segment = MemberReader(object)
        if let visit = object["visit"]?.object {
            return [
                HistoryEntry(line: line) { () throws(ReceivedFix.Unusable) in
                    let place = try MemberReader(visit).object("topCandidate").place("placeLocation")
                    let start = try segment.timestamp("startTime")
                    return Fix(
                        lat: place.lat, lng: place.lng, timestamp: start,
                        waitTime: try segment.timestamp("endTime") - start)
                }
            ]
        }
        if let activity = object["activity"]?.object {
            return [("start", "startTime"), ("end", "endTime")].compactMap { place, time in
                guard activity[place] != nil else { return nil }
                return HistoryEntry(line: line) { () throws(ReceivedFix.Unusable) in
                    let place = try MemberReader(activity).place(place)
                    return Fix(lat: place.lat, lng: place.lng, timestamp: try segment.timestamp(time))
                }
            }
        }
        return (object["timelinePath"]?.list ?? []).map { point in
            HistoryEntry(line: line) { () throws(ReceivedFix.Unusable) in
                let point = MemberReader(point.object ?? [:])
                let place = try point.degrees("point")
                // An iPhone writes minutes as a text.
                guard let minutes = try point.writtenNumber("durationMinutesOffsetFromStartTime") else {
                    return Fix(lat: place.lat, lng: place.lng, timestamp: try point.timestamp("time"))
                }
                return Fix(
                    lat: place.lat, lng: place.lng, timestamp: try segment.timestamp("startTime") + minutes * 60)
            }
        }
    }
}

extension MemberReader {
    /// Reads a number of ten-millionths of a degree. In some exports it has lost its sign in 32 bits.
    fileprivate func tenMillionths(_ name: String) throws(ReceivedFix.Unusable) -> Double {
        let number = try number(name)
        return (number > 1_800_000_000 && number < 4_294_967_296 ? number - 4_294_967_296 : number) / 1e7
    }

    /// Reads a time in RFC 3339. In older exports it is a text of milliseconds, under a name that ends in `Ms`.
    fileprivate func moment(_ name: String) throws(ReceivedFix.Unusable) -> Double {
        if let milliseconds = try writtenNumber(name + "Ms") { return milliseconds / 1_000 }
        return try timestamp(name)
    }

    /// Reads a position, either directly or under `latLng`.
    fileprivate func place(_ name: String) throws(ReceivedFix.Unusable) -> (lat: Double, lng: Double) {
        if let inner = try? object(name) { return try inner.degrees("latLng") }
        return try degrees(name)
    }

    /// Reads `51.5°, -0.1°`, or `geo:51.5,-0.1` (https://www.rfc-editor.org/rfc/rfc5870).
    fileprivate func degrees(_ name: String) throws(ReceivedFix.Unusable) -> (lat: Double, lng: Double) {
        guard let text = text(name) else { throw .init(reason: "has no \(name)") }
        // The degree sign and the space behind it do not belong to the number.
        let parts = text.utf8.dropFirst(text.hasPrefix("geo:") ? 4 : 0).prefix { $0 != UInt8(ascii: ";") }
            .split(separator: UInt8(ascii: ","))
            .map { part in Double(String(decoding: part.filter { $0 > 0x20 && $0 < 0x80 }, as: UTF8.self)) }
        guard parts.count >= 2, let lat = parts[0], let lng = parts[1] else {
            throw .init(reason: "has a \(name) that is not two numbers of degrees")
        }
        return (lat, lng)
    }

    /// Reads a number that may be written as a text; nil if it is missing.
    fileprivate func writtenNumber(_ name: String) throws(ReceivedFix.Unusable) -> Double? {
        guard let text = text(name) else { return try optionalNumber(name) }
        guard let number = Double(text) else { throw .init(reason: "has a \(name) that is not a number") }
        return number
    }
}
