package import Geocoding
import Glibc
package import HTTP

/// Calls the OpenCage Geocoding API: https://opencagedata.com/api
///
/// It takes an address on one line. Names are returned in the language of the place, which is usually that of the
/// written address. `no_record` keeps our queries out of its logs.
package struct OpenCageProvider: OneByOneProvider {
    package let name = "opencage"
    /// The limits are those of the free trial. Answers may be kept without a time limit.
    package let terms = ProviderTerms(
        forms: [.freeForm], canReverse: true,
        limits: [CallLimit(1, per: .seconds(1)), CallLimit(2_500, per: .seconds(86_400))],
        use: .opencage)
    package let http: HTTPClient
    package let server: HTTPURL
    private let key: String

    package static let publicServer = HTTPURL(known: "https://api.opencagedata.com")

    package init(key: String, http: HTTPClient, server: HTTPURL = Self.publicServer) {
        self.key = key
        self.http = http
        self.server = server
    }

    func answer(to query: Query) async throws(ProviderError) -> Answer {
        try await answer(from: [
            "q": query.line, "countrycode": query.countryCode?.lowercased(), "limit": "5",
        ])
    }

    func answer(at coordinate: Coordinate) async throws(ProviderError) -> Answer {
        try await answer(from: ["q": "\(coordinate.latitude),\(coordinate.longitude)"])
    }

    private func answer(from items: KeyValuePairs<String, String?>) async throws(ProviderError) -> Answer {
        let url = server.appending(path: "geocode", "v1", "json").appending(query: items).appending(query: [
            "no_annotations": "1", "no_record": "1", "language": "native", "key": key,
        ])
        switch try await call(HTTPRequest(.get, url)) {
        case .none(let answer): return answer
        case .body(let body):
            let candidates = try decode(OpenCageReply.self, from: body).results.map(candidate)
            return candidates.isEmpty ? .notFound : .found(candidates)
        }
    }

    /// Its confidence is the size of the found feature and not the quality of the match, so there is no score.
    private func candidate(_ place: OpenCagePlace) throws(ProviderError) -> Candidate {
        try Candidate(
            place.placemark(at: coordinate(place.geometry.lat, place.geometry.lng)), place.components.precision)
    }

    /// 410 means that a query is too long.
    func signal(of response: HTTPResponse) -> HTTPSignal {
        response.status == 410 ? .refused : HTTPSignal(status: response.status)
    }

    func quotaReset(in response: HTTPResponse) -> Duration? {
        Self.quotaReset(in: response, now: time(nil))
    }

    /// Reads the moment at which the free quota is reset, in seconds since 1970. The wait is at most a day, whatever
    /// the clocks show.
    static func quotaReset(in response: HTTPResponse, now: Int) -> Duration? {
        guard let moment = response.headers["X-RateLimit-Reset"].flatMap({ Int($0) }), moment > now else {
            return response.retryAfter()
        }
        return .seconds(min(moment - now, 86_400))
    }
}

private struct OpenCageReply: Decodable {
    let results: [OpenCagePlace]
}
