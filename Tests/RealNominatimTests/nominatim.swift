import Foundation
import Geocoding
import HTTP
import Postgres
import Providers
import Testing

/// The server that `.ci/with-nominatim` runs.
struct RealNominatim: Sendable {
    let url: HTTPURL
    private let database: String
    private let log: URL

    /// Nil where none runs, and then its tests are skipped.
    static let running: RealNominatim? = {
        let environment = ProcessInfo.processInfo.environment
        guard let url = environment["WAYPOST_NOMINATIM_URL"].flatMap({ HTTPURL($0) }),
            let database = environment["WAYPOST_NOMINATIM_DATABASE"], let log = environment["WAYPOST_NOMINATIM_LOG"]
        else { return nil }
        return RealNominatim(url: url, database: database, log: URL(filePath: log))
    }()

    /// Houses on its map that know their street and town, and then streets, as many different questions.
    func addresses(_ count: Int) async throws -> [Address] {
        let database = Database(url: database, options: .init(size: 1))
        let addresses = try await database.run { db in
            try db.query(
                """
                SELECT DISTINCT housenumber IS NULL AS is_street, address->'street' || ' ' || housenumber AS street,
                       address->'city' AS city, '' AS postcode, upper(country_code) AS country
                FROM placex
                WHERE housenumber ~ '^[0-9]+[a-z]?$' AND address->'street' <> '' AND address->'city' !~ '[0-9]'
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

    /// The searches that it wrote down so far, one text each.
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
