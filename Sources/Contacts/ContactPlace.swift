package import Geocodes
package import Geocoding
import Postgres

/// One address of one friend, and its place if it has one.
package struct ContactPlace: Identifiable, Hashable, Sendable {
    package var id: Int
    /// The friend's number in the database, and which of the friend's addresses this is: 1, 2, …
    package var friend: Int
    package var position: Int
    package var sourceKey: String
    package var name: String
    /// The parts of the name, blank where the source does not tell them apart.
    package var firstName = ""
    package var lastName = ""
    package var nickname = ""
    package var label: String
    package var address: Address
    /// ISO 3166-1 alpha-2, where the spelling of the country is known.
    package var countryCode: String?
    package var status: GeocodeStatus
    package var coordinate: Coordinate?
    package var precision: Precision?
    /// From 0 to 1: what was asked against what came back.
    package var confidence: Double?
    package var provider: String?

    /// A place without a database to read it from.
    package init(
        id: Int, friend: Int? = nil, position: Int = 1, sourceKey: String, name: String, label: String,
        address: Address, status: GeocodeStatus, coordinate: Coordinate? = nil, precision: Precision? = nil,
        confidence: Double? = nil, provider: String? = nil
    ) {
        self.id = id
        self.friend = friend ?? id
        self.position = position
        self.sourceKey = sourceKey
        self.name = name
        self.label = label
        self.address = address
        self.status = status
        self.coordinate = coordinate
        self.precision = precision
        self.confidence = confidence
        self.provider = provider
    }
}

extension ContactPlace {
    /// Hundredths are all that a confidence means.
    var confidenceText: String? { confidence.map { "\(($0 * 100).rounded() / 100)" } }
}

extension ContactPlace {
    init(_ row: Row) throws {
        let address = try Address(row)
        self.init(
            id: try row.read("id"), friend: try row.read("friend"), position: try row.read("position"),
            sourceKey: try row.read("source_key"), name: try row.read("name"), label: try row.read("label"),
            address: address, status: try GeocodeStatus(rawValue: row.read("status")) ?? .waiting,
            precision: try row.readIfPresent("precision").flatMap(Precision.init(rawValue:)),
            confidence: try row.readIfPresent("confidence"), provider: try row.readIfPresent("provider"))
        firstName = try row.read("first_name")
        lastName = try row.read("last_name")
        nickname = try row.read("nickname")
        countryCode = try row.readIfPresent("country_code")
        coordinate = try Coordinate(row)
    }
}
