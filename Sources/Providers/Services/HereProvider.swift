package import Geocoding
package import HTTP

/// Calls HERE's Geocoding & Search API v7: https://docs.here.com/geocoding-and-search
///
/// Thirty days is the cautious reading of its terms; a contract may permit to keep answers longer.
package struct HereProvider: OneByOneProvider {
    package let name = "here"
    /// The limits are those of the free plan.
    package let terms = ProviderTerms(
        canReverse: true, limits: [CallLimit(5, per: .seconds(1)), CallLimit(1_000, per: .seconds(86_400))],
        use: .here)
    package let http: HTTPClient
    package let server: HTTPURL
    private let reverseServer: HTTPURL
    private let key: String

    package static let publicServer = HTTPURL(known: "https://geocode.search.hereapi.com/v1")
    static let publicReverseServer = HTTPURL(known: "https://revgeocode.search.hereapi.com/v1")

    package init(
        key: String, http: HTTPClient, server: HTTPURL = Self.publicServer,
        reverseServer: HTTPURL = Self.publicReverseServer
    ) {
        self.key = key
        self.http = http
        self.server = server
        self.reverseServer = reverseServer
    }

    func answer(to query: Query) async throws(ProviderError) -> Answer {
        let url = server.appending(path: "geocode")
        return switch query.form {
        case .structured: try await answer(from: url.appending(query: ["qq": qualified(query.address), "limit": "5"]))
        case .freeForm: try await answer(from: url.appending(query: ["q": query.line, "limit": "5"]))
        }
    }

    func answer(at coordinate: Coordinate) async throws(ProviderError) -> Answer {
        let url = reverseServer.appending(path: "revgeocode").appending(query: [
            "at": "\(coordinate.latitude),\(coordinate.longitude)"
        ])
        return try await answer(from: url)
    }

    private func answer(from url: HTTPURL) async throws(ProviderError) -> Answer {
        switch try await call(HTTPRequest(.get, url.appending(query: ["apiKey": key]))) {
        case .none(let answer): return answer
        case .body(let body):
            let candidates = try decode(HereReply.self, from: body).items.map(candidate)
            return candidates.isEmpty ? .notFound : .found(candidates)
        }
    }

    /// Writes `street=…;city=…`, without blank parts. A semicolon in a part would begin another.
    private func qualified(_ address: Address) -> String {
        let parts = [
            ("street", address.street), ("city", address.city), ("state", address.region),
            ("postalCode", address.postcode), ("country", Country(address.country)?.name ?? address.country),
        ]
        return
            parts
            .map { name, text in (name, text.split { $0 == ";" || $0.isWhitespace }.joined(separator: " ")) }
            .filter { _, text in !text.isEmpty }
            .map { name, text in "\(name)=\(text)" }
            .joined(separator: ";")
    }

    private func candidate(_ place: HerePlace) throws(ProviderError) -> Candidate {
        try Candidate(
            place.placemark(at: coordinate(place.position.lat, place.position.lng)), place.precision,
            score: place.scoring?.queryScore)
    }
}

private struct HereReply: Decodable {
    let items: [HerePlace]
}
