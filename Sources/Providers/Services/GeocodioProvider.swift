import FoundationEssentials
package import Geocoding
package import HTTP

/// Calls Geocodio, which covers the United States, Canada and Mexico: https://www.geocod.io/docs/
///
/// One call may contain 10,000 addresses. A hundred keep it short enough to be repeated when it fails.
package struct GeocodioProvider: HTTPProvider {
    package let name = "geocodio"
    /// 2,500 addresses a day are free, which are 25 full calls. Answers may be kept without a time limit.
    package let terms = ProviderTerms(
        batch: 100, canReverse: true, countries: ["CA", "MX", "US"],
        limits: [CallLimit(1_000, per: .seconds(60)), CallLimit(25, per: .seconds(86_400))],
        use: .geocodio)
    package let http: HTTPClient
    package let server: HTTPURL
    private let key: String

    package static let publicServer = HTTPURL(known: "https://api.geocod.io/v1.11")

    package init(key: String, http: HTTPClient, server: HTTPURL = Self.publicServer) {
        self.key = key
        self.http = http
        self.server = server
    }

    package func geocode(_ queries: [Query]) async throws(ProviderError) -> [Answer] {
        let asked = queries.filter { !$0.address.isEmpty }
        var found = try await answers(from: "geocode", to: asked.map(GeocodioQuery.init)).makeIterator()
        // A blank address would be an error in the reply, and would use up part of the day's quota.
        return queries.map { query in
            (query.address.isEmpty ? nil : found.next()) ?? .refused(reason: "the address is empty")
        }
    }

    package func reverseGeocode(_ coordinates: [Coordinate]) async throws(ProviderError) -> [Answer] {
        try await answers(from: "reverse", to: coordinates.map { .line("\($0.latitude),\($0.longitude)") })
    }

    private func answers(
        from endpoint: String, to queries: [GeocodioQuery]
    ) async throws(ProviderError) -> [Answer] {
        guard !queries.isEmpty else { return [] }
        switch try await call(request(endpoint, queries)) {
        case .none(let answer):
            // The reply does not show which of them is refused, and the others need an answer.
            guard queries.count == 1 else { throw .unavailable(reason: "\(name) refused a whole batch") }
            return [answer]
        case .body(let body):
            let items = try decode(GeocodioReply.self, from: body).results
            guard items.count == queries.count else { throw unreadable }
            return try items.map { item throws(ProviderError) in try answer(in: item.response) }
        }
    }

    private func request(_ endpoint: String, _ queries: [GeocodioQuery]) throws(ProviderError) -> HTTPRequest {
        guard let body = try? JSONEncoder().encode(queries) else {
            throw .unavailable(reason: "\(name) can't be called: the addresses are not JSON")
        }
        return HTTPRequest(
            .post, server.appending(path: endpoint).appending(query: ["limit": "5"]),
            headers: ["Authorization": "Bearer \(key)", "Content-Type": "application/json"], body: [UInt8](body))
    }

    private func answer(in response: GeocodioReply.Response) throws(ProviderError) -> Answer {
        guard let places = response.results else { return try answer(to: response.error) }
        let candidates = try places.map { place throws(ProviderError) in
            try candidate(place, place.location.lat, place.location.lng)
        }
        return candidates.isEmpty ? .notFound : .found(candidates)
    }

    /// Reads an error in place of one query's results. It applies to that query and not to the batch.
    private func answer(to error: String?) throws(ProviderError) -> Answer {
        guard let error else { throw unreadable }
        return error.contains("Could not geocode") ? .notFound : .refused(reason: "\(name) can't read an address")
    }

    /// 403 means a wrong key or a used-up day; only the text distinguishes them.
    func signal(of response: HTTPResponse) -> HTTPSignal {
        let isQuota = response.status == 403 && String(decoding: response.body, as: UTF8.self).contains("daily maximum")
        return isQuota ? .quotaExhausted : HTTPSignal(status: response.status)
    }
}

/// One item of a batch.
private enum GeocodioQuery: Encodable {
    case line(String)
    case parts([String: String])

    init(_ query: Query) {
        let address = query.address
        switch query.form {
        case .freeForm: self = .line(query.line)
        case .structured:
            let parts = [
                "street": address.street, "city": address.city, "state": address.region,
                "postal_code": address.postcode,
                "country": query.countryCode.flatMap { Self.countries[$0] } ?? address.country,
            ]
            self = .parts(
                parts.mapValues { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
                    .filter { !$0.value.isEmpty })
        }
    }

    /// It accepts only these names of its countries, and treats any other word as the United States.
    private static let countries = ["CA": "Canada", "MX": "Mexico", "US": "USA"]

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .line(let text): try container.encode(text)
        case .parts(let parts): try container.encode(parts)
        }
    }
}
