/// An address of a friend with its label and, once it is located, its place. An element of `addresses` in the API's
/// `GET /v1/friends`.
public struct FriendAddress: Hashable, Identifiable, Sendable {
    public let id: Int
    /// Such as `home`; may be blank.
    public let label: String
    public let address: Address
    /// ISO 3166-1 alpha-2, in upper case; nil if the spelling of the country is not known.
    public let countryCode: String?
    public let status: GeocodeStatus
    /// The reason why it is not located, or coarser than the question; nil if neither is the case.
    public let reason: String?
    public let place: FoundPlace?

    /// The label to show. Never blank.
    public var displayLabel: String { label.allSatisfy(\.isWhitespace) ? "Address" : label }

    /// Its position on a map; nil while it is not located.
    public var coordinate: Coordinate? { place?.placemark.coordinate }
}

extension FriendAddress: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, label, status, reason, place
        case countryCode = "country_code"
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        id = try values.decode(Int.self, forKey: .id)
        label = try values.decodeIfPresent(String.self, forKey: .label) ?? ""
        address = try Address(from: decoder)
        countryCode = try values.decodeIfPresent(String.self, forKey: .countryCode)
        status = try values.decode(GeocodeStatus.self, forKey: .status)
        reason = try values.decodeIfPresent(String.self, forKey: .reason)
        place = try values.decodeIfPresent(FoundPlace.self, forKey: .place)
    }

    public func encode(to encoder: any Encoder) throws {
        try address.encode(to: encoder)
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(id, forKey: .id)
        try values.encode(label, forKey: .label)
        try values.encodeIfPresent(countryCode, forKey: .countryCode)
        try values.encode(status, forKey: .status)
        try values.encodeIfPresent(reason, forKey: .reason)
        try values.encodeIfPresent(place, forKey: .place)
    }
}
