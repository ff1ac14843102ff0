package import Geocoding
package import Postgres

/// Finds houses in a set of address points, with one or a few statements for a whole batch.
///
/// It uses the worker's connections, so a set costs no connection of its own.
package struct PointProvider: GeocodingProvider {
    package let name: String
    package let terms: ProviderTerms
    private let database: Database
    private let search: PointSearch
    /// The country of addresses without one, if all points are in one country.
    private let country: Country?

    package init(_ set: PointSet, in database: Database) {
        (name, terms, self.database) = (set.name, set.terms, database)
        search = PointSearch(set: set.name)
        country = set.countries.count == 1 ? Country(set.countries[0]) : nil
    }

    package func geocode(_ queries: [Query]) async throws(ProviderError) -> [Answer] {
        let asked = queries.map { AskedHouse($0.address, in: Country.meant(by: $0.address.country) ?? country) }
        let found = try await look { [search] in try search.candidates(for: asked, on: $0) }
        return found.map { $0.isEmpty ? .notFound : .found($0) }
    }

    package func reverseGeocode(_ coordinates: [Coordinate]) async throws(ProviderError) -> [Answer] {
        let found = try await look { [search] in try search.nearest(to: coordinates, on: $0) }
        return found.map { $0.map { .found([$0]) } ?? .notFound }
    }

    private func look<Found: Sendable>(
        _ body: @Sendable (isolated Connection) throws -> Found
    ) async throws(ProviderError) -> Found {
        do { return try await database.run(body) } catch {
            // The message of an error may contain values. Its code does not.
            let code = (error as? DatabaseError)?.sqlState ?? "no connection"
            throw .unavailable(reason: "the database could not look up points (\(code))")
        }
    }
}

/// The parts of an address by which its house is searched.
package struct AskedHouse: Hashable, Sendable {
    package let street: String
    package let number: String
    var key: PointKey

    package init(_ address: Address, in country: Country?) {
        let parts = AddressParts(address.street, in: country)
        (street, number) = (parts.street, PointKey.number(parts.houseNumber))
        key = PointKey(street: parts.street, city: address.city, postcode: address.postcode, in: country)
    }

    /// False if there is nothing to search by.
    var isSearchable: Bool { !key.name.isEmpty && (key.town != nil || key.postcode != nil) }
}
