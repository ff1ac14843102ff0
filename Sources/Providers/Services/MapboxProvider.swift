package import Geocoding
package import HTTP

/// Calls Mapbox's Geocoding API v6: https://docs.mapbox.com/api/search/geocoding/
///
/// Normal results may be used at once but not be kept. Results that may be kept cost more, and need `permanent`.
package struct MapboxProvider: OneByOneProvider {
    package let name = "mapbox"
    package let terms: ProviderTerms
    package let http: HTTPClient
    package let server: HTTPURL
    private let key: String
    private let isPermanent: Bool

    package static let publicServer = HTTPURL(known: "https://api.mapbox.com/search/geocode/v6")

    package init(key: String, permanent: Bool, http: HTTPClient, server: HTTPURL = Self.publicServer) {
        self.key = key
        self.http = http
        self.server = server
        isPermanent = permanent
        terms = ProviderTerms(
            canReverse: true, limits: [CallLimit(1_000, per: .seconds(60))],
            use: permanent ? .permanentMapbox : .mapbox)
    }

    func answer(to query: Query) async throws(ProviderError) -> Answer {
        // With autocomplete, the beginning of a word would match.
        let url = url(for: query).appending(query: ["limit": "5", "autocomplete": "false"])
        return try await answer(from: url)
    }

    func answer(at coordinate: Coordinate) async throws(ProviderError) -> Answer {
        let url = server.appending(path: "reverse").appending(query: [
            "longitude": "\(coordinate.longitude)", "latitude": "\(coordinate.latitude)",
        ])
        return try await answer(from: url)
    }

    private func answer(from url: HTTPURL) async throws(ProviderError) -> Answer {
        let url = url.appending(query: ["permanent": isPermanent ? "true" : "false", "access_token": key])
        switch try await call(HTTPRequest(.get, url)) {
        case .none(let answer): return answer
        case .body(let body):
            let candidates = try decode(MapboxReply.self, from: body).features.map(candidate)
            return candidates.isEmpty ? .notFound : .found(candidates)
        }
    }

    private func url(for query: Query) -> HTTPURL {
        let address = query.address
        let search = server.appending(path: "forward")
        switch query.form {
        case .structured:
            return search.appending(query: [
                "address_line1": written(address.street), "place": written(address.city),
                "region": written(address.region), "postcode": written(address.postcode),
                "country": query.countryCode ?? written(address.country),
            ])
        case .freeForm:
            return search.appending(query: ["q": written(query.line), "country": query.countryCode])
        }
    }

    /// Returns a part on one line, without the semicolons that it refuses; nil if it is blank.
    private func written(_ text: String) -> String? {
        let words = text.split { $0 == ";" || $0.isWhitespace }
        return words.isEmpty ? nil : words.joined(separator: " ")
    }

    private func candidate(_ feature: MapboxReply.Feature) throws(ProviderError) -> Candidate {
        let place = feature.properties
        return try Candidate(
            place.placemark(at: coordinate(place.coordinates.latitude, place.coordinates.longitude)), place.precision,
            score: place.score)
    }
}

private struct MapboxReply: Decodable {
    let features: [Feature]

    struct Feature: Decodable {
        let properties: MapboxPlace
    }
}
