/// A place on Earth, in degrees of WGS 84.
public struct Coordinate: Hashable, Sendable {
    public let latitude: Double
    public let longitude: Double

    /// Returns nil for anything that is not on Earth: NaN, infinities, degrees out of range.
    public init?(latitude: Double, longitude: Double) {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
        self.latitude = latitude
        self.longitude = longitude
    }
}

extension Coordinate {
    /// Latitude 0, longitude 0, where nobody lives: many programs write it for "unknown". Includes a metre around it,
    /// for zeros that were rounded on the way.
    public var isNullIsland: Bool { abs(latitude) < 0.000_01 && abs(longitude) < 0.000_01 }
}

extension Double {
    /// All digits, without the exponent that Swift writes for small numbers, and many formats forbid.
    package var withoutExponent: String {
        let sign = self < 0 ? "-" : ""
        let parts = "\(magnitude)".split(separator: "e-")
        guard parts.count == 2, let exponent = Int(parts[1]) else { return sign + parts.joined() }
        return sign + "0." + String(repeating: "0", count: exponent - 1) + parts[0].filter { $0 != "." }
    }

    /// Seven decimals: of a degree, that is about a centimetre.
    package var sevenDecimals: String {
        let units = Int((magnitude * 1e7).rounded())
        let digits = String(units % 10_000_000)
        return (self < 0 && units > 0 ? "-" : "") + "\(units / 10_000_000)."
            + String(repeating: "0", count: 7 - digits.count) + digits
    }
}

extension Coordinate: Codable {
    private enum CodingKeys: String, CodingKey {
        case latitude, longitude
    }

    /// Throws if the coordinate is not on Earth.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let latitude = try values.decode(Double.self, forKey: .latitude)
        let longitude = try values.decode(Double.self, forKey: .longitude)
        guard let coordinate = Self(latitude: latitude, longitude: longitude) else {
            // Leaves out the numbers: they may be a person's home.
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "The coordinate is not on Earth."))
        }
        self = coordinate
    }
}
