package import Geocoding
package import Postgres

/// Finds addresses in the built-in gazetteer: by postcode, then by city within region and country.
///
/// It needs no network and answers any number of addresses with one statement, or three where some of them are spelt in a
/// way that it has to think about. It knows towns and postcodes, no streets.
package struct GazetteerProvider: GeocodingProvider {
    package let name = "gazetteer"
    package let terms = ProviderTerms(
        batch: 500, forms: [.structured], canReverse: true, finest: .postcode,
        attribution: "© GeoNames (https://www.geonames.org), CC BY 4.0")
    private let database: Database

    package init(database: Database) {
        self.database = database
    }

    package func geocode(_ queries: [Query]) async throws(ProviderError) -> [Answer] {
        try await ask { try Gazetteer().look(up: queries.map(\.address), on: $0) }
    }

    package func reverseGeocode(_ coordinates: [Coordinate]) async throws(ProviderError) -> [Answer] {
        try await ask { try Gazetteer().nearest(to: coordinates, on: $0) }
    }

    private func ask(
        _ body: @Sendable (isolated Connection) throws -> [Answer]
    ) async throws(ProviderError) -> [Answer] {
        do {
            return try await database.run(body)
        } catch {
            // A database error quotes the statement, never its values.
            throw .unavailable(reason: "the gazetteer's tables could not be read: \(error)")
        }
    }
}
