/// A position that a phone measured.
public struct Fix: Hashable, Sendable {
    /// What the phone calls it, or ``derivedID(user:)``. With the timestamp it tells a fix that comes twice.
    public var id: String
    /// In degrees of WGS 84.
    public var lat: Double
    public var lng: Double
    /// The radius, in metres, within which the phone is with a chance of about two in three. Nil where it doesn't say.
    public var accuracy: Double?
    /// In seconds since 1970, to the millisecond.
    public var timestamp: Double {
        didSet { timestamp = timestamp.inMilliseconds }
    }
    /// For how many seconds the phone stayed there, where it has counted that itself.
    public var waitTime: Double

    public init(
        id: String = "", lat: Double, lng: Double, accuracy: Double? = nil, timestamp: Double, waitTime: Double = 0
    ) {
        self.id = id
        self.lat = lat
        self.lng = lng
        self.accuracy = accuracy
        self.timestamp = timestamp.inMilliseconds
        self.waitTime = waitTime
    }

    /// When the phone was last seen there.
    var end: Double { timestamp + waitTime }

    /// Fixes are in the order of their time. The id decides between two of the same moment, so that the order is always the
    /// same.
    func comesBefore(_ other: Fix) -> Bool {
        timestamp == other.timestamp ? id.utf8.lexicographicallyPrecedes(other.id.utf8) : timestamp < other.timestamp
    }

    func isSame(as other: Fix) -> Bool { timestamp == other.timestamp && id == other.id }

    /// An id for a fix that has none: 20 letters and digits, the same for the same user, time and place.
    public func derivedID(user: String) -> String {
        let numbers = [timestamp.bitPattern, lat.bitPattern, lng.bitPattern]
        let bytes =
            Array(user.utf8)
            + numbers.flatMap { number in (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } }
        return bytes.spelled(startingWith: 0xcbf2_9ce4_8422_2325) + bytes.spelled(startingWith: 0x6c62_272e_07bb_0142)
    }
}

extension Double {
    /// Rounded so that PostgreSQL, which counts microseconds, has the very same number.
    var inMilliseconds: Double { (self * 1_000).rounded() / 1_000 }
}

extension [UInt8] {
    /// FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv/), in ten letters and digits.
    fileprivate func spelled(startingWith basis: UInt64) -> String {
        var hash = reduce(basis) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        let letters: [Character] = .init("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
        var text = ""
        for _ in 0..<10 {
            text.append(letters[Int(hash % 62)])
            hash /= 62
        }
        return text
    }
}

extension Fix: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, lat, lng, accuracy, timestamp
        case waitTime = "wait_time"
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            id: try values.decodeIfPresent(String.self, forKey: .id) ?? "",
            lat: try values.decode(Double.self, forKey: .lat), lng: try values.decode(Double.self, forKey: .lng),
            accuracy: try values.decodeIfPresent(Double.self, forKey: .accuracy),
            timestamp: try values.decode(Double.self, forKey: .timestamp),
            waitTime: try values.decodeIfPresent(Double.self, forKey: .waitTime) ?? 0)
    }
}
