package import Geocoding
package import HTTP

/// Calls Google's Geocoding API: https://developers.google.com/maps/documentation/geocoding/requests-geocoding
///
/// It takes an address on one line. Errors are in the `status` of a reply whose HTTP status is 200. Its terms permit to
/// keep coordinates for 30 days: https://cloud.google.com/maps-platform/terms/maps-service-terms
package struct GoogleProvider: OneByOneProvider {
    package let name = "google"
    package let terms = ProviderTerms(
        forms: [.freeForm], canReverse: true, limits: [CallLimit(3_000, per: .seconds(60))],
        use: .google)
    package let http: HTTPClient
    package let server: HTTPURL
    private let key: String

    package static let publicServer = HTTPURL(known: "https://maps.googleapis.com/maps/api")

    package init(key: String, http: HTTPClient, server: HTTPURL = Self.publicServer) {
        self.key = key
        self.http = http
        self.server = server
    }

    func answer(to query: Query) async throws(ProviderError) -> Answer {
        try await answer(from: [
            "address": query.line, "components": query.countryCode.map { "country:\($0)" },
        ])
    }

    func answer(at coordinate: Coordinate) async throws(ProviderError) -> Answer {
        try await answer(from: ["latlng": "\(coordinate.latitude),\(coordinate.longitude)"])
    }

    private func answer(from items: KeyValuePairs<String, String?>) async throws(ProviderError) -> Answer {
        let url = server.appending(path: "geocode", "json").appending(query: items).appending(query: ["key": key])
        switch try await call(HTTPRequest(.get, url)) {
        case .none(let answer): return answer
        case .body(let body): return try answer(in: decode(GoogleReply.self, from: body))
        }
    }

    private func answer(in reply: GoogleReply) throws(ProviderError) -> Answer {
        switch reply.status {
        case "OK":
            let candidates = try (reply.results ?? []).prefix(5).map(candidate)
            guard !candidates.isEmpty else { throw unreadable }
            return .found(candidates)
        case "ZERO_RESULTS": return .notFound
        case "INVALID_REQUEST": return .refused(reason: "google answered INVALID_REQUEST")
        case "OVER_QUERY_LIMIT":
            // The same status means too fast and too many; only the message distinguishes them.
            if reply.error_message?.lowercased().contains("daily") == true { throw Self.quotaExhausted }
            throw .busy(retryAfter: .seconds(60))
        case "OVER_DAILY_LIMIT": throw Self.quotaExhausted
        case "REQUEST_DENIED":
            let said = FailureDigest.digest(reply.error_message ?? "")
            throw .unauthorized(reason: "google answered REQUEST_DENIED" + (said.isEmpty ? "" : ": \(said)"))
        // UNKNOWN_ERROR, which is an error of its server, and any future status.
        default: throw .unavailable(reason: "google answered neither OK nor why not")
        }
    }

    /// The reply does not contain when the day ends, which is at midnight in California, so retry every hour.
    private static var quotaExhausted: ProviderError { .quotaExhausted(resetIn: .seconds(3_600)) }

    /// A partial match may be a completely different place.
    private func candidate(_ place: GooglePlace) throws(ProviderError) -> Candidate {
        let location = place.geometry.location
        return try Candidate(
            place.placemark(at: coordinate(location.lat, location.lng)), place.precision,
            score: place.partial_match == true ? 0.5 : nil)
    }
}

private struct GoogleReply: Decodable {
    let status: String
    let error_message: String?
    /// Errors come with an empty list or without one.
    let results: [GooglePlace]?
}
