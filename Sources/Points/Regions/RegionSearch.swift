import Formats
import Geocoding
import Glibc
import Postgres

/// Looks up what only regions have: towns and villages by name, and what is around a coordinate.
struct RegionSearch: Sendable {
    let set: String
    /// False if no border was complete, as in an extract that was cut by a box.
    let hasAreas: Bool
    let isAbroad: BorderCheck

    // MARK: Names

    /// Returns the places of each name of a town, without doubles.
    func places(named keys: [Int?], on database: isolated Connection) throws -> [[Candidate]] {
        var found = [[Candidate]](repeating: [], count: keys.count)
        let rows = try database.query(
            """
            SELECT asked.place, name, city, region, country, latitude, longitude, known.area_id
            FROM unnest(\(keys)) WITH ORDINALITY AS asked (town, place)
            CROSS JOIN LATERAL (
                SELECT * FROM point_places
                WHERE point_set = (SELECT id FROM point_sets WHERE name = \(set) AND is_current)
                  AND town_key = asked.town
                -- A town with a border before its middle, and a city before a hamlet.
                ORDER BY kind
                LIMIT 5
            ) AS known
            """)
        var known: [Int: Set<Int>] = [:]
        for row in rows {
            let place = try row.read("place", as: Int.self) - 1
            // A town and the village in its middle are one.
            if let area: Int = try row.readIfPresent("area_id"), !known[place, default: []].insert(area).inserted {
                continue
            }
            if let settlement = try Settlement(row) { found[place].append(Candidate(settlement.placemark, .city)) }
        }
        return found
    }

    private struct Settlement {
        let placemark: Placemark

        init?(_ row: Row) throws {
            guard let place = try Coordinate(stored: row.read("latitude"), row.read("longitude")) else { return nil }
            let (name, city): (String, String) = (try row.read("name"), try row.read("city"))
            placemark = Placemark(
                coordinate: place, locality: city, subLocality: name == city ? nil : name,
                administrativeArea: try row.read("region", as: String.self).nilIfEmpty,
                countryCode: try row.read("country", as: String.self).nilIfEmpty)
        }
    }

    /// Returns the areas of these relations of OpenStreetMap.
    func areas(ofRelations ids: [Int], on database: isolated Connection) throws -> [Int: Candidate] {
        let rows = try database.query(
            """
            WITH RECURSIVE current AS (SELECT id FROM point_sets WHERE name = \(set) AND is_current),
            areas AS (
                SELECT osm_id AS asked, 1 AS step, * FROM point_areas
                WHERE point_set = (SELECT id FROM current) AND osm_id = ANY(\(ids))
                UNION ALL
                SELECT asked, step + 1, outer_area.*
                FROM areas
                JOIN point_areas AS outer_area ON outer_area.point_set = areas.point_set AND outer_area.id = areas.parent
                WHERE step < 12
            )
            SELECT asked, id, level, is_town, name, code, latitude, longitude FROM areas ORDER BY asked, step
            """)
        let ways = try Dictionary(grouping: rows) { try $0.read("asked", as: Int.self) }
        return try ways.compactMapValues { rows in
            let areas = try rows.map { try Names.Area($0) }
            guard let own = areas.first,
                let place = try Coordinate(stored: rows[0].read("latitude"), rows[0].read("longitude"))
            else { return nil }
            let placemark = Names.placemark(of: areas.first(where: \.isTown), nil, at: place, in: areas)
            let precision: Precision =
                own.isTown ? .city : own.level == 0 ? .postcode : own.level == 2 ? .country : .region
            return Candidate(placemark, precision)
        }
    }

    // MARK: Coordinates

    /// The areas, houses, streets and settlements around a coordinate.
    private struct Surroundings {
        var areas: [Int] = []
        /// The nearest houses, each with the town of its street.
        var houses: [(house: FoundStreet, town: Int?, distance: Double)] = []
        var streets: [(street: FoundStreet, town: Int?, distance: Double)] = []
        var settlements: [(town: Int?, place: Placemark, distance: Double)] = []
    }

    private static let houseReach = 100.0
    private static let streetReach = 200.0
    /// A degree of latitude, in metres, is a little more.
    private static let degree = 111_000.0

    /// Returns the house, the street or the settlement at each coordinate, with its town; nil outside the region.
    func nearest(to places: [Coordinate], on database: isolated Connection) throws -> [Candidate?] {
        let around = try surroundings(of: places, on: database)
        let names = try Names(of: around.flatMap(\.areas), in: set, on: database)
        return zip(places, around).map { place, around in
            let town = names.town(of: around.areas)
            // The region's own borders are finer.
            func isHere(_ country: String) -> Bool { !around.areas.isEmpty || !isAbroad(place, country) }
            // A house across the border is not where somebody is. Outside all towns any near house is.
            if let house = around.houses.first(where: {
                (town == nil || $0.town == nil || $0.town == town?.id) && isHere($0.house.country)
            }) {
                return Candidate(
                    house.house.placemark(house.house.number, at: house.house.middle),
                    house.house.isInterpolated ? .interpolated : .rooftop)
            }
            if hasAreas, around.areas.isEmpty { return nil }
            if let street = around.streets.first(where: {
                (town == nil || $0.town == town?.id) && isHere($0.street.country)
            }) {
                return Candidate(street.street.placemark(nil, at: street.street.middle), .street)
            }
            let settlement = around.settlements.first { $0.town == town?.id && isHere($0.place.countryCode ?? "") }
            guard let town else { return settlement.map { Candidate($0.place, .city) } }
            return Candidate(names.placemark(of: town, settlement?.place, at: place, in: around.areas), .city)
        }
    }

    private func surroundings(of places: [Coordinate], on database: isolated Connection) throws -> [Surroundings] {
        var around = [Surroundings](repeating: Surroundings(), count: places.count)
        let positions = places.map(MapPosition.init)
        let shares = places.map { max(cos($0.latitude * .pi / 180), 0.01) }
        let (near, far) = (Self.houseReach / Self.degree, Self.streetReach / Self.degree)
        let rows = try database.query(
            """
            WITH current AS (SELECT id FROM point_sets WHERE name = \(set) AND is_current)
            SELECT asked.place, leaf.cell, leaf.depth, leaf.inside, leaf.edge, found.*, false AS is_town,
                   false AS is_postcode, true AS is_exact, true AS is_whole, true AS has_postcodes,
                   NULL::text[] AS numbers, NULL::integer[] AS latitudes, NULL::integer[] AS longitudes
            FROM unnest(
                \(places.map(\.latitude)), \(places.map(\.longitude)), \(shares), \(positions.map { AreaCell.number(at: $0) })
            ) WITH ORDINALITY AS asked (latitude, longitude, share, cell, place)
            LEFT JOIN LATERAL (
                SELECT cell, depth, inside, edge FROM point_cells
                WHERE point_set = (SELECT id FROM current) AND point_cells.cell <= asked.cell
                ORDER BY point_cells.cell DESC
                LIMIT 1
            ) AS leaf ON true
            LEFT JOIN LATERAL (
                WITH houses AS MATERIALIZED (
                    -- The nearest one of each town.
                    SELECT DISTINCT ON (area_id) 'house' AS kind, street, city, district, region, postcode, country, area_id, is_interpolated,
                           house.*, NULL::bytea AS line
                    FROM point_streets
                    CROSS JOIN LATERAL (
                        SELECT house.number, house.latitude, house.longitude,
                               (house.latitude / 1e7::float8 - asked.latitude) ^ 2
                                   + ((house.longitude / 1e7::float8 - asked.longitude) * asked.share) ^ 2 AS distance
                        FROM unnest(numbers, latitudes, longitudes) AS house (number, latitude, longitude)
                        ORDER BY distance
                        LIMIT 1
                    ) AS house
                    WHERE point_set = (SELECT id FROM current) AND NOT is_alias AND distance < \(near * near)
                      AND area && box(
                          point(asked.longitude - \(near) / asked.share, asked.latitude - \(near)),
                          point(asked.longitude + \(near) / asked.share, asked.latitude + \(near)))
                    ORDER BY area_id, distance
                )
                SELECT * FROM houses
                UNION ALL
                SELECT 'street', street, city, district, region, postcode, country, area_id, is_interpolated, '',
                       latitude, longitude, 0, line
                FROM point_streets
                WHERE point_set = (SELECT id FROM current) AND line IS NOT NULL AND NOT EXISTS (SELECT FROM houses)
                  AND area && box(
                      point(asked.longitude - \(far) / asked.share, asked.latitude - \(far)),
                      point(asked.longitude + \(far) / asked.share, asked.latitude + \(far)))
                UNION ALL
                SELECT 'place', name, city, '', region, '', country, area_id, false, '', latitude, longitude,
                       (latitude / 1e7::float8 - asked.latitude) ^ 2
                           + ((longitude / 1e7::float8 - asked.longitude) * asked.share) ^ 2, NULL
                FROM point_places
                WHERE point_set = (SELECT id FROM current) AND NOT EXISTS (SELECT FROM houses)
                  AND area @> point(asked.longitude, asked.latitude)
            ) AS found ON true
            """)
        for row in rows {
            let index = try row.read("place", as: Int.self) - 1
            let metres = LocalMetres(around: positions[index])
            if around[index].areas.isEmpty, let number: Int64 = try row.readIfPresent("cell") {
                let cell = try AreaCell(
                    cell: number, depth: row.read("depth"), inside: row.read("inside"),
                    edge: row.read("edge", as: Bytes.self).bytes)
                around[index].areas = try cell.areas(containing: positions[index])
            }
            guard let kind: String = try row.readIfPresent("kind"), let street = try FoundStreet(row) else {
                continue
            }
            let town: Int? = try row.readIfPresent("area_id")
            let distance = metres.distance(to: MapPosition(street.middle))
            switch kind {
            case "house": around[index].houses.append((street, town, distance))
            case "street":
                let lines = StreetLine.lines(in: try row.readIfPresent("line", as: Bytes.self)?.bytes ?? [])
                guard let nearest = lines.compactMap({ metres.nearest(on: $0) }).min(by: { $0.distance < $1.distance }),
                    nearest.distance <= Self.streetReach, let middle = nearest.position.coordinate
                else { continue }
                var street = street
                street.middle = middle
                around[index].streets.append((street, town, nearest.distance))
            default:
                let city = street.city
                let place = Placemark(
                    coordinate: street.middle, locality: city, subLocality: street.street == city ? nil : street.street,
                    administrativeArea: street.region.nilIfEmpty, countryCode: street.country.nilIfEmpty)
                around[index].settlements.append((town, place, distance))
            }
        }
        for index in around.indices {
            around[index].houses.sort { $0.distance < $1.distance }
            around[index].streets.sort { $0.distance < $1.distance }
            around[index].settlements.sort { $0.distance < $1.distance }
        }
        return around
    }

    /// The names of areas.
    private struct Names {
        struct Area {
            let id: Int
            let level: Int
            let isTown: Bool
            let name: String
            let code: String

            init(_ row: Row) throws {
                (id, level) = (try row.read("id"), try row.read("level"))
                isTown = try row.read("is_town")
                (name, code) = (try row.read("name"), try row.read("code"))
            }
        }

        private var areas: [Int: Area] = [:]

        init(of ids: [Int], in set: String, on database: isolated Connection) throws {
            let asked = Array(Set(ids))
            guard !asked.isEmpty else { return }
            let rows = try database.query(
                """
                SELECT id, level, is_town, name, code
                FROM point_areas
                WHERE point_set = (SELECT id FROM point_sets WHERE name = \(set) AND is_current) AND id = ANY(\(asked)::integer[])
                """)
            for area in try rows.map({ try Area($0) }) { areas[area.id] = area }
        }

        func town(of ids: [Int]) -> Area? {
            ids.compactMap { areas[$0] }.filter(\.isTown).max { $0.level < $1.level }
        }

        func placemark(of town: Area, _ settlement: Placemark?, at place: Coordinate, in ids: [Int]) -> Placemark {
            Self.placemark(of: town, settlement, at: place, in: ids.compactMap { areas[$0] })
        }

        static func placemark(
            of town: Area?, _ settlement: Placemark?, at place: Coordinate, in around: [Area]
        ) -> Placemark {
            let country = around.first { $0.level == 2 && $0.code.utf8.count == 2 }?.code
            let part = settlement?.subLocality ?? settlement?.locality
            return Placemark(
                coordinate: settlement?.coordinate ?? place, locality: town?.name,
                subLocality: part == town?.name ? nil : part,
                administrativeArea: around.first { $0.level == 4 }?.name,
                subAdministrativeArea: around.first { (5...7).contains($0.level) && !$0.isTown }?.name,
                postalCode: around.first { $0.level == 0 }?.name, countryCode: country ?? settlement?.countryCode)
        }
    }
}

extension MapPosition {
    init(_ coordinate: Coordinate) {
        self.init(
            latitude: Int32(clamping: Int((coordinate.latitude * Coordinate.storedUnits).rounded())),
            longitude: Int32(clamping: Int((coordinate.longitude * Coordinate.storedUnits).rounded())))
    }

    var coordinate: Coordinate? { Coordinate(stored: Int(latitude), Int(longitude)) }
}
