import Foundation

/// A place where a user stayed, which is kept until the app's backend has confirmed it.
///
/// It begins with a fix, from which it has its id, its position and its timestamp. Fixes nearby that follow extend its wait time.
public struct PendingLocation: Hashable, Sendable, Identifiable {
    public let id: String
    public let user: String
    public let lat: Double
    public let lng: Double
    public let accuracy: Double?
    /// When the stay began, in seconds since 1970.
    public let timestamp: Double
    /// In seconds, from the timestamp to the end of the last fix there.
    public internal(set) var waitTime: Double
    /// Whether the backend has it as it is now.
    public internal(set) var uploaded: Bool
    /// A fix that came late has shown that this stay did not begin here. The backend must delete it; once it has, the
    /// location goes.
    public internal(set) var removed = false

    /// The fixes from its own on, up to the next location, in the order of time: a fix that comes late is put in its place among them.
    /// Those that were too fast to be true are here too, for a late fix may show that they are true.
    var fixes: [Fix]

    /// `fixes` is empty, and must begin with the start.
    init(_ start: Fix, user: String, waitTime: Double) {
        id = start.id
        self.user = user
        lat = start.lat
        lng = start.lng
        accuracy = start.accuracy
        timestamp = start.timestamp
        self.waitTime = waitTime
        uploaded = false
        fixes = []
    }

    /// The fix with which it began.
    var start: Fix { fixes[0] }

    /// Whether a backend would get the same from both.
    func says(theSameAs other: PendingLocation) -> Bool {
        waitTime == other.waitTime && lat == other.lat && lng == other.lng && accuracy == other.accuracy
            && removed == other.removed
    }
}

extension KeyedDecodingContainer {
    /// Seconds since 1970: a number in an app's own JSON, a text in RFC 3339 in what the cluster answers.
    fileprivate func decodeTimestamp(forKey key: Key) throws -> Double {
        if let seconds = try? decode(Double.self, forKey: key) { return seconds }
        let text = try decode(String.self, forKey: key)
        let formats = [true, false].map { Date.ISO8601FormatStyle(includingFractionalSeconds: $0) }
        guard let date = formats.lazy.compactMap({ try? $0.parse(text) }).first else {
            throw DecodingError.dataCorruptedError(
                forKey: key, in: self, debugDescription: "neither a number nor a time such as 2026-11-22T15:00:00Z")
        }
        return date.timeIntervalSince1970
    }
}

extension PendingLocation: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, user, lat, lng, accuracy, timestamp, uploaded, removed, fixes
        case waitTime = "wait_time"
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let start = Fix(
            id: try values.decode(String.self, forKey: .id), lat: try values.decode(Double.self, forKey: .lat),
            lng: try values.decode(Double.self, forKey: .lng),
            accuracy: try values.decodeIfPresent(Double.self, forKey: .accuracy),
            timestamp: try values.decodeTimestamp(forKey: .timestamp))
        self.init(
            start, user: try values.decode(String.self, forKey: .user),
            waitTime: try values.decode(Double.self, forKey: .waitTime))
        uploaded = try values.decode(Bool.self, forKey: .uploaded)
        removed = try values.decodeIfPresent(Bool.self, forKey: .removed) ?? false
        if let given = try values.decodeIfPresent([Fix].self, forKey: .fixes) { fixes = given }
        // A location that a server answers has none.
        if fixes.isEmpty { fixes = [start] }
    }
}
