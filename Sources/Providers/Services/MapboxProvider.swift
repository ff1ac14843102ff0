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
        return try await call(HTTPRequest(.get, url)).answer { body throws(ProviderError) in
            try decode(MapboxReply.self, from: body).features.map { feature throws(ProviderError) in
                let place = feature.properties
                return try candidate(place, place.coordinates.latitude, place.coordinates.longitude)
            }
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
}

private struct MapboxReply: Decodable {
    let features: [Feature]

    struct Feature: Decodable {
        let properties: MapboxPlace
    }
}
