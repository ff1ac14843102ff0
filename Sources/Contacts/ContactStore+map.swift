package import Formats
import Geocoding
package import Postgres

extension ContactStore {
    /// Returns up to `limit` of the account's located addresses in a box; if there are more, a fair sample of them.
    /// With a `name`, only addresses of friends whose names contain it.
    ///
    /// Without `isComplete`, a place has only its coordinate, precision, confidence and provider.
    package func places(
        in box: BoundingBox, named name: String? = nil, account: Int, limit: Int, isComplete: Bool = true,
        on database: isolated Connection
    ) throws -> [MappedPlace] {
        let search = try name.map { try NameSearch($0, on: database) }
        return try database.query(
            """
            \(part: Self.located(in: box, named: search, account: account, isComplete: isComplete))
            LIMIT \(limit)
            """
        ).map { try MappedPlace($0, isComplete: isComplete) }
    }

    /// Selects the located addresses of an account in a box.
    ///
    /// crosses rooms: an address has a place only through its hash, so the two tables are read as one.
    static func located(
        in box: BoundingBox, named search: NameSearch? = nil, account: Int, isComplete: Bool
    ) -> SQL {
        let ranges = MapRanges(covering: box)
        var addresses = Self.addresses(in: ranges, account: account)
        var named: SQL = ""
        switch search {
        case .few(let friends): addresses = Self.addresses(of: friends, account: account, in: ranges)
        case .many(let condition): named = "AND \(part: condition)"
        case nil: break
        }
        return """
            SELECT addresses.id, addresses.friend, friends.name, addresses.label, (addresses.map_key >> 58)::integer AS level,
                   \(part: isComplete ? Self.everything : Self.markers)
            FROM \(part: addresses)
            CROSS JOIN LATERAL (
                SELECT name FROM friends WHERE id = addresses.friend AND deleted_at IS NULL \(part: named) OFFSET 0
            ) AS friends
            CROSS JOIN LATERAL (\(part: KnownPlace.answer)) AS geocodes
            WHERE geocodes.status = 'located'
              AND geocodes.latitude BETWEEN \(box.south)::float8 AND \(box.north)::float8
              AND CASE WHEN \(box.crossesDateLine)
                       THEN geocodes.longitude >= \(box.west)::float8 OR geocodes.longitude <= \(box.east)::float8
                       ELSE geocodes.longitude BETWEEN \(box.west)::float8 AND \(box.east)::float8 END
            """
    }

    /// Selects the addresses in these ranges in the order of their keys.
    private static func addresses(in ranges: MapRanges, account: Int) -> SQL {
        """
        unnest(\(ranges.lows), \(ranges.highs)) AS range (low, high)
        CROSS JOIN LATERAL (
            SELECT *
            FROM addresses
            WHERE owner = \(account)::integer AND map_key BETWEEN range.low AND range.high
              AND \(part: ranges.condition)
            ORDER BY map_key
            OFFSET 0
        ) AS addresses
        """
    }

    /// Selects the addresses of these friends in the same ranges and the same order.
    private static func addresses(of friends: [Int], account: Int, in ranges: MapRanges) -> SQL {
        """
        (
            SELECT addresses.*
            FROM unnest(\(friends)) AS named (id)
            CROSS JOIN LATERAL (
                SELECT *
                FROM addresses
                WHERE friend = named.id AND (owner = \(account)::integer) IS TRUE AND \(part: ranges.condition)
                OFFSET 0
            ) AS addresses
            ORDER BY map_key
            OFFSET 0
        ) AS addresses
        """
    }

    private static let everything: SQL = """
        addresses.street, addresses.city, addresses.region, addresses.postcode, addresses.country,
        \(part: KnownPlace.columns)
        """

    private static let markers: SQL = """
        geocodes.latitude, geocodes.longitude, geocodes.precision, geocodes.confidence, geocodes.is_weak, geocodes.provider
        """

    /// Returns the attributions of these providers.
    ///
    /// crosses rooms: the attribution of a place is in its lane.
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

/// A part of the map. If its west is east of its east, it crosses the date line.
package struct BoundingBox: Hashable, Sendable {
    package let west: Double
    package let south: Double
    package let east: Double
    package let north: Double

    /// Returns nil unless all four are on Earth. A box whose south is north of its north is empty.
    package init?(west: Double, south: Double, east: Double, north: Double) {
        guard Coordinate(latitude: south, longitude: west) != nil, Coordinate(latitude: north, longitude: east) != nil
        else { return nil }
        self.west = west
        self.south = south
        self.east = east
        self.north = north
    }

    /// For degrees that are known to be on Earth.
    init(known west: Double, _ south: Double, _ east: Double, _ north: Double) {
        (self.west, self.south, self.east, self.north) = (west, south, east, north)
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
    /// The level of its `map_key()`: half of all addresses have the last level, a quarter the one before it.
    fileprivate let level: Int

    init(_ row: Row, isComplete: Bool) throws {
        id = try row.read("id")
        friend = try row.read("friend")
        name = try row.read("name")
        label = try row.read("label")
        level = try row.read("level")
        latitude = try row.read("latitude")
        longitude = try row.read("longitude")
        place = try isComplete ? KnownPlace(row) : KnownPlace(marker: row)
    }
}

extension Collection<MappedPlace> {
    /// The share that these are of all located addresses in their box, if the list was cut by a limit.
    ///
    /// They come level by level, so only the last level is incomplete. All levels before it have a known share of all
    /// addresses.
    package var shareIfCut: Double {
        guard let last = map(\.level).max(), last > 0 else { return 1 / Double(1 << (MapRanges.levels - 1)) }
        let whole = count { $0.level < last }
        guard whole > 0 else { return 1 / Double(1 << (MapRanges.levels - last)) }
        return Swift.min(1, Double(count) / (Double(whole) * Double(1 << (MapRanges.levels - last))))
    }
}
