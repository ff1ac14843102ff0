package import Formats
import Geocoding
package import Postgres

extension ContactStore {
    /// The account's located addresses in a box, up to `limit`.
    ///
    /// crosses rooms: an address has a place only through its hash, so the two tables are read as one.
    package func places(
        in box: BoundingBox, account: Int, limit: Int, on database: isolated Connection
    ) throws -> [MappedPlace] {
        try database.query(
            """
            SELECT addresses.id, addresses.friend, friends.name, addresses.label, addresses.street, addresses.city,
                   addresses.region, addresses.postcode, addresses.country, \(part: KnownPlace.columns)
            FROM addresses
            JOIN friends ON friends.id = addresses.friend
            JOIN geocodes ON geocodes.hash = addresses.hash
            WHERE friends.account = \(account) AND friends.deleted_at IS NULL AND geocodes.status = 'located'
              AND geocodes.latitude BETWEEN \(box.south)::float8 AND \(box.north)::float8
              AND CASE WHEN \(box.crossesDateLine)
                       THEN geocodes.longitude >= \(box.west)::float8 OR geocodes.longitude <= \(box.east)::float8
                       ELSE geocodes.longitude BETWEEN \(box.west)::float8 AND \(box.east)::float8 END
            ORDER BY addresses.id
            LIMIT \(limit)
            """
        ).map(MappedPlace.init)
    }

    /// The attributions of these providers.
    ///
    /// crosses rooms: a place's lane knows whose data it is.
    package func attributions(of providers: [String], on database: isolated Connection) throws -> [String] {
        try database.query(
            """
            SELECT DISTINCT attribution
            FROM lanes
            WHERE name = ANY (\(providers)) AND attribution <> ''
            ORDER BY attribution
            """
        ).map { try $0.read("attribution") }
    }
}

/// A part of the map. Its west may be east of its east: then it reaches across the date line.
package struct BoundingBox: Hashable, Sendable {
    package let west: Double
    package let south: Double
    package let east: Double
    package let north: Double

    /// Nil unless all four are on Earth. Nothing lies in a box whose south is north of its north.
    package init?(west: Double, south: Double, east: Double, north: Double) {
        guard Coordinate(latitude: south, longitude: west) != nil, Coordinate(latitude: north, longitude: east) != nil
        else { return nil }
        self.west = west
        self.south = south
        self.east = east
        self.north = north
    }

    var crossesDateLine: Bool { west > east }
}

/// An address on the map.
package struct MappedPlace: Identifiable, Sendable {
    package let id: Int
    package let friend: Int
    package let name: String
    package let label: String
    package let latitude: Double
    package let longitude: Double
    package let place: KnownPlace

    init(_ row: Row) throws {
        id = try row.read("id")
        friend = try row.read("friend")
        name = try row.read("name")
        label = try row.read("label")
        latitude = try row.read("latitude")
        longitude = try row.read("longitude")
        place = try KnownPlace(row, of: Address(row))
    }
}
