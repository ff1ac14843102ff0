package import Geocoding
package import Postgres

/// Returns for each address the places that its town surely means, once for each of their names.
package typealias OtherTowns = @Sendable ([Address]) -> [[Placemark]]

/// Reads `point_streets`. Each function runs the same statements for any number of addresses.
package struct PointSearch: Sendable {
    let set: String
    private let otherTowns: OtherTowns

    init(set: String, otherTowns: @escaping OtherTowns) {
        (self.set, self.otherTowns) = (set, otherTowns)
    }

    /// More streets of one name in one area do not help: they would be a tie of many.
    private static let mostStreets = 20
    private static let mostTypos = 2

    /// Returns the places of each house, the best first.
    package func candidates(
        for asked: [AskedHouse], on database: isolated Connection
    ) throws -> [[Candidate]] {
        var streets = try streets(of: asked, on: database)
        let unknown = asked.indices.filter { streets[$0].isEmpty && asked[$0].isSearchable }
        if !unknown.isEmpty {
            let meant = try spellings(of: unknown.map { asked[$0] }, on: database)
            let corrected = zip(unknown, meant).compactMap { index, meant in
                meant.name.map { name in
                    var house = asked[index]
                    house.key.name = name
                    return (index: index, house: house)
                }
            }
            let found = try self.streets(of: corrected.map(\.house), on: database)
            for ((index, house), found) in zip(corrected, found) {
                streets[index] = found.filter { PointKey.isTypo(house.street, of: $0.street) }
            }
            let elsewhere = zip(unknown, meant).filter { streets[$0].isEmpty && !$1.isTownKnown }.map(\.0)
            for (index, found) in try streetsInOtherTowns(of: elsewhere.map { asked[$0] }, on: database) {
                let isKnown = streets[elsewhere[index]].contains {
                    $0.street == found.street && $0.middle == found.middle
                }
                if !isKnown { streets[elsewhere[index]].append(found) }
            }
        }
        return zip(asked, streets).map { HouseChoice($0, among: $1).candidates }
    }

    /// Returns the streets in towns that the set calls otherwise than the addresses, with the index of the address.
    private func streetsInOtherTowns(
        of asked: [AskedHouse], on database: isolated Connection
    ) throws -> [(index: Int, street: FoundStreet)] {
        var tried: [(index: Int, house: AskedHouse, place: Coordinate)] = []
        for (index, towns) in zip(asked.indices, otherTowns(asked.map(\.address))) {
            var known = Set([asked[index].key.town])
            for town in towns {
                var house = asked[index]
                house.key.town = PointKey.town(town.locality ?? "", in: Country(house.address.country))
                if known.insert(house.key.town).inserted { tried.append((index, house, town.coordinate)) }
            }
        }
        return zip(tried, try streets(of: tried.map(\.house), on: database)).flatMap { tried, found in
            found.filter { $0.middle.isWithin(Self.townReach, of: tried.place) }
                .map { (tried.index, $0.called(tried.house.address.city)) }
        }
    }

    /// A house that is farther from its town, in metres, is in another town of the name.
    private static let townReach = 25_000.0

    /// Returns the streets with these names in these towns or postcodes.
    ///
    /// The set's current version is read in the same statement, so a new version is used from its first moment on.
    private func streets(of asked: [AskedHouse], on database: isolated Connection) throws -> [[FoundStreet]] {
        var found = [[FoundStreet]](repeating: [], count: asked.count)
        guard !asked.isEmpty else { return found }
        let rows = try database.query(
            """
            WITH current AS (SELECT id FROM point_sets WHERE name = \(set) AND is_current)
            SELECT asked.place, street, city, district, region, known.postcode, country, is_town, is_postcode,
                   is_interpolated, known.latitude IS NOT NULL AS is_whole, position IS NOT NULL AS is_exact,
                   EXISTS (
                       SELECT FROM point_streets
                       WHERE point_set = (SELECT id FROM current) AND postcode_key IS NOT NULL
                   ) AS has_postcodes, coalesce(known.numbers[at], '') AS number,
                   CASE WHEN position IS NULL THEN coalesce(known.latitude, known.latitudes[at])
                        ELSE known.latitudes[at] END AS latitude,
                   CASE WHEN position IS NULL THEN coalesce(known.longitude, known.longitudes[at])
                        ELSE known.longitudes[at] END AS longitude,
                   others.numbers, others.latitudes, others.longitudes
            FROM unnest(
                \(asked.map(\.key.name)), \(asked.map(\.key.town)), \(asked.map(\.key.postcode)), \(asked.map(\.number))
            ) WITH ORDINALITY AS asked (name, town, postcode, number, place)
            CROSS JOIN LATERAL (
                SELECT point_streets.*, array_position(numbers, asked.number) AS position,
                       coalesce(town_key = asked.town OR district_key = asked.town, false) AS is_town,
                       coalesce(postcode_key = asked.postcode, false) AS is_postcode
                FROM point_streets
                WHERE point_set = (SELECT id FROM current)
                  AND (town_key = asked.town AND point_streets.name = asked.name
                       OR district_key = asked.town AND point_streets.name = asked.name
                       OR postcode_key = asked.postcode AND point_streets.name = asked.name)
                ORDER BY array_position(numbers, asked.number) IS NULL, postcode_key = asked.postcode DESC NULLS LAST
                LIMIT \(Self.mostStreets)
            ) AS known
            CROSS JOIN LATERAL (SELECT coalesce(position, (cardinality(numbers) + 1) / 2) AS at) AS chosen
            -- All houses, if the number is missing; else further ones with the number, which only regions have.
            CROSS JOIN LATERAL (
                SELECT known.numbers, known.latitudes, known.longitudes WHERE position IS NULL AND asked.number <> ''
                UNION ALL
                SELECT array_agg(known.numbers[other]), array_agg(known.latitudes[other]),
                       array_agg(known.longitudes[other])
                FROM unnest(CASE WHEN known.numbers[position + 1] = asked.number
                                 THEN array_positions(known.numbers, asked.number) END) AS other
                WHERE other > position
                HAVING position IS NOT NULL OR asked.number = ''
            ) AS others
            """)
        for row in rows {
            if let street = try FoundStreet(row) { found[try row.read("place") - 1].append(street) }
        }
        return found
    }

    /// Returns the one name in the town or postcode of each street of which its name is a typo; nil if there is none, or
    /// more than one. Returns also whether the set has the town.
    private func spellings(
        of asked: [AskedHouse], on database: isolated Connection
    ) throws -> [(name: String?, isTownKnown: Bool)] {
        let rows = try database.query(
            """
            WITH current AS (SELECT id FROM point_sets WHERE name = \(set) AND is_current),
                 asked AS (
                     SELECT * FROM unnest(
                         \(asked.map(\.key.name)), \(asked.map(\.key.town)), \(asked.map(\.key.postcode))
                     ) WITH ORDINALITY AS asked (name, town, postcode, place))
            SELECT place, NULL AS name
            FROM asked
            CROSS JOIN LATERAL (
                -- With EXISTS, the planner may read all towns of the set.
                (SELECT FROM point_streets WHERE point_set = (SELECT id FROM current) AND town_key = town LIMIT 1)
                UNION ALL
                (SELECT FROM point_streets WHERE point_set = (SELECT id FROM current) AND district_key = town LIMIT 1)
            ) AS known
            UNION ALL
            SELECT asked.place, known.name
            FROM asked
            CROSS JOIN LATERAL (
                -- Three scans of nothing but an index each: the names of a town are many, and their rows are wide.
                SELECT name FROM point_streets WHERE point_set = (SELECT id FROM current) AND town_key = asked.town
                UNION
                SELECT name FROM point_streets WHERE point_set = (SELECT id FROM current) AND district_key = asked.town
                UNION
                SELECT name FROM point_streets
                WHERE point_set = (SELECT id FROM current) AND postcode_key = asked.postcode
            ) AS known
            WHERE octet_length(known.name) BETWEEN octet_length(asked.name) - \(Self.mostTypos)
                                               AND octet_length(asked.name) + \(Self.mostTypos)
            """)
        let letters = asked.map { Array($0.key.name.utf8) }
        var nearest = [(name: String?, typos: Int)](repeating: (nil, Self.mostTypos + 1), count: asked.count)
        var isTownKnown = [Bool](repeating: false, count: asked.count)
        for row in rows {
            let place = try row.read("place", as: Int.self) - 1
            guard let name: String = try row.readIfPresent("name") else {
                isTownKnown[place] = true
                continue
            }
            let limit = min(nearest[place].typos, Self.mostTypos)
            let typos = PointKey.typos(between: letters[place], and: Array(name.utf8), atMost: limit)
            guard typos <= limit else { continue }
            // Two names that are equally near: neither is the one that is meant.
            nearest[place] = (typos == nearest[place].typos ? nil : name, typos)
        }
        return zip(nearest, isTownKnown).map { ($0.name, $1) }
    }
}

/// A street that was found, with the house that was asked for or with all of its houses.
struct FoundStreet {
    let street, district, region, postcode, country: String
    private(set) var city: String
    /// It is in the town, and in the postcode, that were asked for.
    let isTown, isPostcode: Bool
    /// The houses lie between others, or their street is the nearest one.
    let isInterpolated: Bool
    /// The row stands for the street of a map, and not for houses that are called by its name.
    let isWhole: Bool
    /// Some street of the set has a postcode.
    let hasPostcodes: Bool
    /// Nil if the street does not have the number.
    let exact: Coordinate?
    let number: String
    /// The house in the middle of the numbers.
    var middle: Coordinate
    /// All houses, if the number is missing; otherwise further ones with the number.
    let houses: [(number: String, coordinate: Coordinate)]

    init?(_ row: Row) throws {
        street = try row.read("street")
        city = try row.read("city")
        district = try row.read("district")
        region = try row.read("region")
        postcode = try row.read("postcode")
        country = try row.read("country")
        isTown = try row.read("is_town")
        isPostcode = try row.read("is_postcode")
        isInterpolated = try row.read("is_interpolated")
        isWhole = try row.read("is_whole")
        hasPostcodes = try row.read("has_postcodes")
        number = try row.read("number")
        guard let latitude: Int = try row.readIfPresent("latitude"),
            let longitude: Int = try row.readIfPresent("longitude"), let place = Coordinate(stored: latitude, longitude)
        else { return nil }
        middle = place
        exact = try row.read("is_exact") ? place : nil
        let numbers = try row.readIfPresent("numbers", as: [String].self) ?? []
        let latitudes = try row.readIfPresent("latitudes", as: [Int].self) ?? []
        let longitudes = try row.readIfPresent("longitudes", as: [Int].self) ?? []
        houses = zip(numbers, zip(latitudes, longitudes)).compactMap { number, place in
            Coordinate(stored: place.0, place.1).map { (number, $0) }
        }
    }

    /// The street with the town's name from the address, if that name is not a spelling of its own: Breslau.
    func called(_ town: String) -> Self {
        var street = self
        let own = Candidate(placemark(nil, at: middle), .city)
        if Confidence(of: own, for: Address(city: town)).components[.city] == .different { street.city = town }
        return street
    }

    func candidate(_ number: String?, at coordinate: Coordinate, _ precision: Precision) -> Candidate {
        var candidate = Candidate(placemark(number, at: coordinate), precision)
        candidate.isOfSourceWithoutPostcodes = !hasPostcodes
        return candidate
    }

    func placemark(_ number: String?, at coordinate: Coordinate) -> Placemark {
        Placemark(
            coordinate: coordinate, thoroughfare: street, subThoroughfare: number, locality: city.nilIfEmpty,
            subLocality: district.nilIfEmpty, administrativeArea: region.nilIfEmpty, postalCode: postcode.nilIfEmpty,
            countryCode: country.nilIfEmpty)
    }
}

extension String {
    var nilIfEmpty: String? { isEmpty ? nil : self }
}

extension Coordinate {
    static let storedUnits = 10_000_000.0

    init?(stored latitude: Int, _ longitude: Int) {
        self.init(latitude: Double(latitude) / Self.storedUnits, longitude: Double(longitude) / Self.storedUnits)
    }
}
