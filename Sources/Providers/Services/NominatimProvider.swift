package import Geocoding
package import HTTP

/// Calls a Nominatim server of one's own: https://nominatim.org/release-docs/latest/api/Overview/
///
/// ``PublicNominatim`` has the reason why the public server is refused.
package struct NominatimProvider: OneByOneProvider, RelayingProvider {
    package let name = "nominatim"
    package let terms: ProviderTerms
    package let http: HTTPClient
    package let server: HTTPURL
    private let language: String

    /// If a house is missing, Nominatim finds the street by itself. With one line it finds nothing that it does not
    /// find by parts: `HardSpellingTests` made 260 calls without success.
    static let steps = Set(LadderStep.allCases).subtracting([.freeForm, .withoutHouseNumber])

    /// Names are returned in `language` if the map has them; a list of codes as in `Accept-Language`.
    package init(server: HTTPURL, language: String, http: HTTPClient) {
        self.server = server
        self.language = language
        self.http = http
        terms = ProviderTerms(
            canReverse: true, steps: Self.steps, use: .nominatim)
    }

    func answer(to query: Query) async throws(ProviderError) -> Answer {
        let url = url(for: query).appending(query: ["countrycodes": query.countryCode?.lowercased(), "limit": "5"])
        return try await call(request(url)).answer { body throws(ProviderError) in
            try decode([NominatimPlace].self, from: body).map(candidate)
        }
    }

    func answer(at coordinate: Coordinate) async throws(ProviderError) -> Answer {
        let url = server.appending(path: "reverse").appending(query: [
            "lat": "\(coordinate.latitude)", "lon": "\(coordinate.longitude)",
        ])
        return try await call(request(url)).answer { body throws(ProviderError) in
            // "Nothing found" is an error with status 200. Other errors are not answers.
            if let miss = try? decode(NominatimMiss.self, from: body), miss.error == "Unable to geocode" { return [] }
            return [try candidate(decode(NominatimPlace.self, from: body))]
        }
    }

    package func relay(_ request: String) async throws(ProviderError) -> [UInt8]? {
        let path = request.prefix { $0 != "?" }
        let url = server.appending(path: String(path)).appending(encodedQuery: request.dropFirst(path.count + 1))
        let reply = try await call(HTTPRequest(.get, url), mayBeXML: true)
        return if case .body(let body) = reply { body } else { nil }
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

    /// The server's importance is a place's fame and not a measure of the match, so there is no score.
    private func candidate(_ place: NominatimPlace) throws(ProviderError) -> Candidate {
        let candidate = try candidate(place, place.lat, place.lon)
        guard candidate.placemark.coordinate.isInside(place.boundingbox?.map(\.value) ?? []) else { throw unreadable }
        return candidate
    }
}

private struct NominatimMiss: Decodable {
    let error: String
}
