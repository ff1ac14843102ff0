package import Geocoding
package import Postgres

/// Returns whether a coordinate surely lies in another country than that of this code.
package typealias BorderCheck = @Sendable (Coordinate, _ country: String) -> Bool

/// The knowledge of towns and borders that the program gives to its sets.
package struct PointGuide: Sendable {
    package var otherTowns: OtherTowns = { $0.map { _ in [] } }
    package var isAbroad: BorderCheck = { _, _ in false }

    package init() {}

    package init(otherTowns: @escaping OtherTowns, isAbroad: @escaping BorderCheck) {
        (self.otherTowns, self.isAbroad) = (otherTowns, isAbroad)
    }
}

/// Finds houses in a set of address points, with one or a few statements for a whole batch.
///
/// It uses the worker's connections, so a set costs no connection of its own.
package struct PointProvider: GeocodingProvider {
    package let name: String
    package let terms: ProviderTerms
    private let database: Database
    private let isRegion: Bool
    private let search: PointSearch
    private let region: RegionSearch
    /// The countries in which an address without one is searched.
    private let countries: [Country?]

    package init(_ set: PointSet, in database: Database, guide: PointGuide = PointGuide()) {
        (name, terms, self.database, isRegion) = (set.name, set.terms, database, set.isRegion)
        search = PointSearch(set: set.name, otherTowns: guide.otherTowns)
        region = RegionSearch(set: set.name, hasAreas: set.areas > 0, isAbroad: guide.isAbroad)
        countries = set.countries.count <= Self.mostCountries ? set.countries.map { Country($0) } : []
    }

    /// In data of more countries, an address without one is not searched.
    private static let mostCountries = 4

    package func geocode(_ queries: [Query]) async throws(ProviderError) -> [Answer] {
        let isRegion = isRegion
        let asked = queries.enumerated().flatMap { index, query in
            let known = Country.meant(by: query.address.country)
            return (known.map { [$0] } ?? countries).map {
                (index, AskedHouse(query.address, in: $0), isRegion ? DividedLine(query.address, in: $0) : nil)
            }
        }
        let found = try await look { [search, region] db throws in
            let houses = try search.candidates(for: asked.map(\.1), on: db)
            guard isRegion else { return houses }
            let towns = asked.map { $0.1.key.name.isEmpty && $0.1.number.isEmpty ? $0.1.key.town : nil }
            let places = try region.places(named: towns, on: db)
            let lines = asked.indices.map { houses[$0].isEmpty && places[$0].isEmpty ? asked[$0].2 : nil }
            let divided = try region.houses(in: lines, on: db)
            let found = try search.candidates(for: divided.flatMap(\.self), on: db)
            var rest = found[...]
            return asked.indices.map { index in
                let own = rest.prefix(divided[index].count)
                rest = rest.dropFirst(own.count)
                return houses[index] + places[index] + own.flatMap(\.self)
            }
        }
        var candidates = [[Candidate]](repeating: [], count: queries.count)
        for ((index, _, _), found) in zip(asked, found) { candidates[index] += found }
        return candidates.map { $0.isEmpty ? .notFound : .found($0) }
    }

    package func reverseGeocode(_ coordinates: [Coordinate]) async throws(ProviderError) -> [Answer] {
        let found = try await look { [region] in try region.nearest(to: coordinates, on: $0) }
        return found.map { $0.map { .found([$0]) } ?? .notFound }
    }

    /// Returns the areas that the set has of these relations of OpenStreetMap.
    package func areas(ofRelations ids: [Int]) async throws(ProviderError) -> [Int: Candidate] {
        guard isRegion else { return [:] }
        return try await look { [region] in try region.areas(ofRelations: ids, on: $0) }
    }

    private func look<Found: Sendable>(
        _ body: @Sendable (isolated Connection) throws -> Found
    ) async throws(ProviderError) -> Found {
        do { return try await database.run(body) } catch let error as AreaCell.Damage {
            throw .unavailable(reason: error.description)
        } catch {
            // The message of an error may contain values. Its code does not.
            let code = (error as? DatabaseError)?.sqlState ?? "no connection"
            throw .unavailable(reason: "the database could not look up points (\(code))")
        }
    }
}

/// The parts of an address by which its house is searched.
package struct AskedHouse: Hashable, Sendable {
    private(set) var address: Address
    package let street: String
    package let number: String
    var key: PointKey

    package init(_ address: Address, in country: Country?) {
        let parts = AddressParts(address.street, in: country)
        (street, number) = (parts.street, PointKey.number(parts.houseNumber))
        self.address = address
        if let country { self.address.country = country.code }
        key = PointKey(street: parts.street, city: address.city, postcode: address.postcode, in: country)
    }

    /// False if there is nothing to search by.
    var isSearchable: Bool { !key.name.isEmpty && (key.town != nil || key.postcode != nil) }
}
