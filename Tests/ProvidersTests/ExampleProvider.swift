package import Geocoding
package import HTTP

@testable import Providers

/// Calls the invented service of docs/providers.md, under the name `atlas`.
package struct AtlasProvider: OneByOneProvider {
    package let name = "atlas"
    package let terms = ProviderTerms(
        forms: [.freeForm], limits: [CallLimit(5, per: .seconds(1))], attribution: "© Atlas", storage: .days(30))
    package let http: HTTPClient
    package let server: HTTPURL
    private let key: String

    package init(server: HTTPURL, key: String, http: HTTPClient) {
        self.server = server
        self.key = key
        self.http = http
    }

    func answer(to query: Query) async throws(ProviderError) -> Answer {
        let url = server.appending(path: "find").appending(query: ["q": query.line, "limit": "5"])
        switch try await call(HTTPRequest(.get, url, headers: ["X-Key": key])) {
        case .none(let answer): return answer
        case .body(let body):
            let candidates = try decode([Place].self, from: body).map(candidate)
            return candidates.isEmpty ? .notFound : .found(candidates)
        }
    }

    private func candidate(_ place: Place) throws(ProviderError) -> Candidate {
        let placemark = Placemark(
            coordinate: try coordinate(place.lat, place.lon), thoroughfare: place.street?.text,
            subThoroughfare: place.number?.text, locality: place.city, postalCode: place.zip?.text,
            countryCode: place.country)
        return Candidate(placemark, place.number != nil ? .rooftop : place.street != nil ? .street : .city)
    }

    private struct Place: Decodable {
        let lat, lon: LenientNumber
        let street, number, zip: LenientText?
        let city, country: String?
    }
}
