package import Geocodes
package import Geocoding
import JSON
import Postgres

/// What is known of where an address is: what all outputs and answers list of it.
package struct KnownPlace: Hashable, Sendable {
    package var status: GeocodeStatus
    package var coordinate: Coordinate?
    package var precision: Precision?
    /// From 0 to 1: what was asked against what came back.
    package var confidence: Double?
    package var provider: String?
    /// The place with the names that its provider gave it; nil where it gave none.
    package var placemark: Placemark?
    /// Why it is in doubt, not found or failed, or coarser than what was asked; nil where nothing is to be said.
    package var reason: String?
    /// When somebody last said so, as ISO 8601 writes it, in UTC.
    package var geocodedAt: String?
    /// Of the address, in hexadecimal digits; nil where it has none yet.
    package var hash: String?

    package init(
        status: GeocodeStatus, coordinate: Coordinate? = nil, precision: Precision? = nil, confidence: Double? = nil,
        provider: String? = nil, placemark: Placemark? = nil, reason: String? = nil, geocodedAt: String? = nil,
        hash: String? = nil
    ) {
        self.status = status
        self.coordinate = coordinate
        self.precision = precision
        self.confidence = confidence
        self.provider = provider
        self.placemark = placemark
        self.reason = reason
        self.geocodedAt = geocodedAt
        self.hash = hash
    }
}

extension KnownPlace {
    /// The columns that ``init(_:of:)`` reads.
    ///
    /// crosses rooms: an address has a place only through its hash, so the two tables are read as one.
    static let columns: SQL = """
        coalesce(geocodes.status, 'waiting') AS status, geocodes.latitude, geocodes.longitude, geocodes.precision,
        geocodes.confidence, geocodes.is_weak, geocodes.provider, geocodes.placemark::text AS placemark, geocodes.reason,
        to_char(geocodes.geocoded_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS geocoded_at,
        encode(addresses.hash, 'hex') AS hash
        """

    /// What a row of `addresses` and `geocodes` says of the place of `address`.
    init(_ row: Row, of address: Address) throws {
        status = try row.readIfPresent("status").flatMap(GeocodeStatus.init(rawValue:)) ?? .waiting
        coordinate = try Coordinate(row)
        precision = try row.readIfPresent("precision").flatMap(Precision.init(rawValue:))
        confidence = try row.readIfPresent("confidence")
        provider = try row.readIfPresent("provider")
        geocodedAt = try row.readIfPresent("geocoded_at")
        hash = try row.readIfPresent("hash")
        if let coordinate, let names: String = try row.readIfPresent("placemark") {
            placemark = Placemark(at: coordinate, names: names)
        }
        reason =
            if status == .located {
                try row.readIfPresent("is_weak") == true ? precision.flatMap(Doubt.coarseness) : nil
            } else {
                status.reason(try row.readIfPresent("reason"), provider: provider)
            }
    }
}

extension Placemark {
    /// Reads `geocodes.placemark`; nil where it has no names.
    fileprivate init?(at coordinate: Coordinate, names: String) {
        guard names != "{}", let members = (try? JSONValue(parsing: Array(names.utf8)))?.object else { return nil }
        self.init(
            coordinate: coordinate, name: members["name"]?.text, thoroughfare: members["thoroughfare"]?.text,
            subThoroughfare: members["subThoroughfare"]?.text, locality: members["locality"]?.text,
            subLocality: members["subLocality"]?.text, administrativeArea: members["administrativeArea"]?.text,
            subAdministrativeArea: members["subAdministrativeArea"]?.text, postalCode: members["postalCode"]?.text,
            countryCode: members["countryCode"]?.text, countryName: members["countryName"]?.text)
    }
}
