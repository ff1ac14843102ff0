/// A position that a phone measured.
public struct Fix: Hashable, Sendable {
    /// The phone's id for the fix, or ``derivedID(user:)``. Together with the timestamp it identifies a fix that comes
    /// twice.
    public package(set) var id: String
    /// In degrees of WGS 84.
    public package(set) var lat: Double
    public package(set) var lng: Double
    /// The radius in metres within which the phone is with a probability of about two in three. Nil if the phone does
    /// not report it.
    public package(set) var accuracy: Double?
    /// In seconds since 1970, to the millisecond.
    public package(set) var timestamp: Double {
        didSet { timestamp = timestamp.inMilliseconds }
    }
    /// How many seconds the phone stayed there, if it has counted them itself.
    public package(set) var waitTime: Double

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

    /// Fixes are ordered by time. The id decides between two fixes of the same moment, so that the order is always the
    /// same.
    package func comesBefore(_ other: Fix) -> Bool {
        timestamp == other.timestamp ? id.utf8.lexicographicallyPrecedes(other.id.utf8) : timestamp < other.timestamp
    }

    package func isSame(as other: Fix) -> Bool { timestamp == other.timestamp && id == other.id }

    /// Returns an id for a fix that has none: 20 letters and digits, the same for the same user, time and place.
    public func derivedID(user: String) -> String {
        var first = Spelling(startingWith: 0xcbf2_9ce4_8422_2325)
        var second = Spelling(startingWith: 0x6c62_272e_07bb_0142)
        for byte in user.utf8 {
            first.take(byte)
            second.take(byte)
        }
        for number in [timestamp.bitPattern, lat.bitPattern, lng.bitPattern] {
            for shift in stride(from: 0, to: 64, by: 8) {
                first.take(UInt8(truncatingIfNeeded: number >> shift))
                second.take(UInt8(truncatingIfNeeded: number >> shift))
            }
        }
        return String(unsafeUninitializedCapacity: 20) { bytes in
            first.write(to: bytes, from: 0)
            second.write(to: bytes, from: 10)
            return 20
        }
    }
}

extension Double {
    /// Rounded to milliseconds, so that PostgreSQL, which stores microseconds, has exactly the same number.
    var inMilliseconds: Double { (self * 1_000).rounded() / 1_000 }
}

/// FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv/), in ten letters and digits.
private struct Spelling {
    private var hash: UInt64

    init(startingWith basis: UInt64) { hash = basis }

    mutating func take(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }

    func write(to bytes: UnsafeMutableBufferPointer<UInt8>, from place: Int) {
        var rest = hash
        for offset in 0..<10 {
            let digit = UInt8(truncatingIfNeeded: rest % 62)
            bytes[place + offset] = digit + (digit < 10 ? 0x30 : digit < 36 ? 0x41 - 10 : 0x61 - 36)
            rest /= 62
        }
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
