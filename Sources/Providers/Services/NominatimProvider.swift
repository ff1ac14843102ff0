package import Geocoding
package import HTTP

/// Calls a Nominatim server, the public one or one's own: https://nominatim.org/release-docs/latest/api/Overview/
///
/// The public server's usage policy (https://operations.osmfoundation.org/policies/nominatim/) asks for one call a second
/// over all users of a program, for a User-Agent that names it, and that it can be pointed elsewhere or switched off
/// without an update. The first are ``terms`` and the client's User-Agent. For the last, the server's address is a
/// setting, and whoever runs the cluster pauses the lane `nominatim`, which stops every worker at once.
package struct NominatimProvider: OneByOneProvider {
    package let name = "nominatim"
    package let terms: ProviderTerms
    package let http: HTTPClient
    package let server: HTTPURL
    private let language: String

    /// It finds the street itself where it has no such house, and nothing in one line that it has not under its parts:
    /// `HardSpellingTests` asked 260 times in vain.
    static let steps = Set(LadderStep.allCases).subtracting([.freeForm, .withoutHouseNumber])

    package static let publicHost = "nominatim.openstreetmap.org"

    /// Names come in `language`, where the map has them in it; a list of codes as in `Accept-Language`.
    package init(server: HTTPURL, language: String, http: HTTPClient) {
        self.server = server
        self.language = language
        self.http = http
        terms = ProviderTerms(
            canReverse: true, steps: Self.steps,
            limits: server.host == Self.publicHost ? [CallLimit(1, per: .seconds(1))] : [],
            attribution: "Data © OpenStreetMap contributors, ODbL 1.0")
    }

    func answer(to query: Query) async throws(ProviderError) -> Answer {
        let url = url(for: query).appending(query: ["countrycodes": query.countryCode?.lowercased(), "limit": "5"])
        switch try await call(request(url)) {
        case .none(let answer): return answer
        case .body(let body):
            let candidates = try decode([NominatimPlace].self, from: body).map(candidate)
            return candidates.isEmpty ? .notFound : .found(candidates)
        }
    }

    func answer(at coordinate: Coordinate) async throws(ProviderError) -> Answer {
        let url = server.appending(path: "reverse").appending(query: [
            "lat": "\(coordinate.latitude)", "lon": "\(coordinate.longitude)",
        ])
        switch try await call(request(url)) {
        case .none(let answer): return answer
        case .body(let body):
            // It says that there is nothing by an error with status 200. Other errors are no answer.
            if let miss = try? decode(NominatimMiss.self, from: body), miss.error == "Unable to geocode" {
                return .notFound
            }
            return try .found([candidate(decode(NominatimPlace.self, from: body))])
        }
    }

    private func request(_ url: HTTPURL) -> HTTPRequest {
        HTTPRequest(
            .get,
            url.appending(query: ["format": "jsonv2", "addressdetails": "1", "accept-language": language]))
    }

    /// Blank parts are left out: an empty `city=` finds nothing.
    private func url(for query: Query) -> HTTPURL {
        let address = query.address
        let search = server.appending(path: "search")
        switch query.form {
        case .structured:
            return search.appending(query: [
                "street": written(address.street), "city": written(address.city), "state": written(address.region),
                "postalcode": written(address.postcode), "country": written(address.country),
            ])
        case .freeForm:
            let parts = [address.street, address.postcode, address.city, address.region, address.country]
            return search.appending(query: ["q": parts.compactMap(written).joined(separator: ", ")])
        }
    }

    /// The server's importance is a place's fame and no measure of the match, so there is no score.
    private func candidate(_ place: NominatimPlace) throws(ProviderError) -> Candidate {
        let coordinate = try coordinate(place.lat, place.lon)
        guard place.surrounds(coordinate) else { throw unreadable }
        return Candidate(place.placemark(at: coordinate), place.precision)
    }
}

private struct NominatimMiss: Decodable {
    let error: String
}
