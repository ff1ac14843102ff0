import Foundation
import Geocoding
import HTTP
import Postgres
import Providers
import SpellingTesting
import Testing

/// The server started by `.ci/with-nominatim`.
struct RealNominatim: Sendable {
    let url: HTTPURL
    private let database: String
    private let log: URL

    /// Nil if none runs; then its tests are skipped.
    static let running: RealNominatim? = {
        let environment = ProcessInfo.processInfo.environment
        guard let url = environment["WAYPOST_NOMINATIM_URL"].flatMap({ HTTPURL($0) }),
            let database = environment["WAYPOST_NOMINATIM_DATABASE"], let log = environment["WAYPOST_NOMINATIM_LOG"]
        else { return nil }
        return RealNominatim(url: url, database: database, log: URL(filePath: log))
    }()

    /// Houses on the map with street and town, then streets, until there are enough different questions. None has a
    /// comma, because the part before a comma may be a company, which is not sent.
    func addresses(_ count: Int) async throws -> [Address] {
        let database = Database(url: database, options: .init(size: 1))
        let addresses = try await database.run { db in
            try db.query(
                """
                SELECT DISTINCT housenumber IS NULL AS is_street, address->'street' || ' ' || housenumber AS street,
                       address->'city' AS city, '' AS postcode, upper(country_code) AS country
                FROM placex
                WHERE housenumber ~ '^[0-9]+[a-z]?$' AND address->'street' !~ '^$|,' AND address->'city' !~ '[0-9]'
                UNION
                SELECT true, name->'name', '', postcode, upper(country_code)
                FROM placex
                WHERE class = 'highway' AND rank_address = 26 AND name->'name' <> '' AND postcode <> ''
                ORDER BY is_street, street, city, postcode
                """
            ).map {
                try Address(
                    street: $0.read("street"), city: $0.read("city"), postcode: $0.read("postcode"),
                    country: $0.read("country"))
            }
        }
        await database.close()
        var seen: Set<AddressHash> = []
        return Array(addresses.filter { seen.insert(AddressHash($0)).inserted }.prefix(count))
    }

    /// Houses with street, town and postcode that are in one place only, and whose street is on the map, which is cut
    /// from a larger one.
    func houses() async throws -> [MappedHouse] {
        let database = Database(url: database, options: .init(size: 1))
        var houses: [String: MappedHouse] = [:]
        let rows = try await database.run { db in
            try db.query(
                """
                SELECT address->'street' AS street, housenumber AS number, address->'city' AS city,
                       coalesce(address->'postcode', postcode) AS postcode, upper(country_code) AS country,
                       ST_Y(centroid) AS latitude, ST_X(centroid) AS longitude
                FROM placex
                WHERE housenumber ~ '^[0-9]+$' AND address->'street' <> '' AND address->'city' ~ '^[[:alpha:]]+$'
                  AND coalesce(address->'postcode', postcode) ~ '^[0-9]+$' AND rank_search = 30
                  AND address->'street' IN (SELECT name->'name' FROM placex WHERE class = 'highway')
                ORDER BY country, street, number, postcode, place_id
                """
            ).map { row in
                let place = try Coordinate(latitude: row.read("latitude"), longitude: row.read("longitude"))
                return try MappedHouse(
                    street: row.read("street"), number: row.read("number"), city: row.read("city"),
                    postcode: row.read("postcode"), country: row.read("country"), places: place.map { [$0] } ?? [])
            }
        }
        await database.close()
        for row in rows {
            houses["\(row.country) \(row.city) \(row.street) \(row.number)", default: row].places += row.places
        }
        return houses.values
            .filter { house in house.places.allSatisfy { $0.distance(to: house.places[0]) <= 100 } }
            .sorted { ($0.country, $0.city, $0.street, $0.number) < ($1.country, $1.city, $1.street, $1.number) }
    }

    /// The searches in the server's log so far, one text each.
    func searches() throws -> [String] {
        try String(contentsOf: log, encoding: .utf8).split(separator: "\n")
            .compactMap { $0.split(separator: "\"").dropFirst().first.map(String.init) }
            .filter { $0.hasPrefix("GET /search") }
    }

    func provider(_ client: HTTPClient) -> NominatimProvider {
        NominatimProvider(server: url, language: "en", http: client)
    }
}

extension Trait where Self == ConditionTrait {
    static var realNominatim: Self {
        .enabled(if: RealNominatim.running != nil, "`make test-nominatim` runs it beside a real server")
    }
}
