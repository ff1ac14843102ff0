package import Geocoding
import Towns

/// Finds addresses in the built-in gazetteer: by postcode, then by city within region and country.
///
/// It needs no network and no database. It contains towns and postcodes, but no streets.
package struct GazetteerProvider: GeocodingProvider {
    package let name = "gazetteer"
    package let terms = ProviderTerms(
        batch: 500, forms: [.structured], canReverse: true, finest: .postcode,
        use: .gazetteer)

    package init() {}

    package func geocode(_ queries: [Query]) async throws(ProviderError) -> [Answer] {
        await Self.each(of: queries) { query in
            let candidates = Gazetteer.shared.search(query.address)
            return candidates.isEmpty ? .notFound : .found(candidates)
        }
    }

    package func reverseGeocode(_ coordinates: [Coordinate]) async throws(ProviderError) -> [Answer] {
        await Self.each(of: coordinates) { Gazetteer.shared.nearest(to: $0).map { .found([$0]) } ?? .notFound }
    }

    /// Yields the thread now and then: a heartbeat must not wait for five hundred lookups.
    @concurrent private static func each<Asked: Sendable>(
        of all: [Asked], _ look: @Sendable (Asked) -> Answer
    ) async -> [Answer] {
        var answers: [Answer] = []
        answers.reserveCapacity(all.count)
        for (index, asked) in all.enumerated() {
            if index % 64 == 63 { await Task.yield() }
            answers.append(look(asked))
        }
        return answers
    }
}
