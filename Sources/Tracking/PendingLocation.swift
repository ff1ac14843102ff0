#if canImport(Darwin)
    import Foundation
#else
    import FoundationEssentials
#endif

/// A place where a user stayed. It is kept until the app's backend has confirmed it.
///
/// It begins with a fix, and has the id, position and timestamp of that fix. Later fixes nearby extend its wait time.
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
    /// True if the backend has the location in its present state.
    public internal(set) var uploaded: Bool
    /// True if a late fix has shown that this stay did not begin here. The backend must delete the location. Then it is
    /// deleted here too.
    public internal(set) var removed = false

    /// The fixes from its own up to the next location, in the order of time. A late fix is inserted in its place. Fixes
    /// that were too fast to be true are included, because a late fix may show that they are true.
    var fixes: [Fix]

    /// Leaves `fixes` empty. The caller must fill it, beginning with the start.
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

    /// The first fix.
    var start: Fix { fixes[0] }

    /// True if a backend would receive the same from both.
    func says(theSameAs other: PendingLocation) -> Bool {
        waitTime == other.waitTime && lat == other.lat && lng == other.lng && accuracy == other.accuracy
            && removed == other.removed
    }
}

extension KeyedDecodingContainer {
    /// Reads seconds since 1970: a number in an app's own JSON, a text in RFC 3339 in replies of the cluster.
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
        // A location in a reply of a server has no fixes.
        if fixes.isEmpty { fixes = [start] }
    }
}
