package import Geocoding
import Glibc
package import Postgres

extension PointSearch {
    /// A house farther away, in metres, is not where somebody is.
    private static let reach = 100.0
    /// The same in degrees of latitude, and a little more.
    private static let margin = 0.00091

    /// Returns the nearest house of each place; nil if there is none within reach.
    package func nearest(
        to places: [Coordinate], on database: isolated Connection
    ) throws -> [Candidate?] {
        var found = [Candidate?](repeating: nil, count: places.count)
        // A degree of longitude is shorter than one of latitude by this factor.
        let shares = places.map { max(cos($0.latitude * .pi / 180), 0.01) }
        let rows = try database.query(
            """
            WITH current AS (SELECT id FROM point_sets WHERE name = \(set) AND is_current)
            SELECT asked.place, nearest.*, false AS is_town, false AS is_postcode, true AS is_exact,
                   NULL::text[] AS numbers, NULL::integer[] AS latitudes, NULL::integer[] AS longitudes
            FROM unnest(
                \(places.map(\.latitude)), \(places.map(\.longitude)), \(shares)
            ) WITH ORDINALITY AS asked (latitude, longitude, share, place)
            CROSS JOIN LATERAL (
                SELECT street, city, district, region, postcode, country, house.*
                FROM point_streets
                CROSS JOIN LATERAL (
                    SELECT house.*,
                           (house.latitude / 1e7::float8 - asked.latitude) ^ 2
                               + ((house.longitude / 1e7::float8 - asked.longitude) * asked.share) ^ 2 AS distance
                    FROM unnest(numbers, latitudes, longitudes) AS house (number, latitude, longitude)
                    ORDER BY distance
                    LIMIT 1
                ) AS house
                WHERE point_set = (SELECT id FROM current)
                  AND area && box(
                      point(asked.longitude - \(Self.margin) / asked.share, asked.latitude - \(Self.margin)),
                      point(asked.longitude + \(Self.margin) / asked.share, asked.latitude + \(Self.margin)))
                ORDER BY distance
                LIMIT 1
            ) AS nearest
            """)
        for row in rows {
            let place = try row.read("place", as: Int.self) - 1
            guard let street = try FoundStreet(row), street.middle.isWithin(Self.reach, of: places[place]) else {
                continue
            }
            found[place] = Candidate(street.placemark(street.number, at: street.middle), .rooftop)
        }
        return found
    }
}
