import FoundationEssentials
package import Geocoding
package import HTTP

/// Calls LocationIQ: https://docs.locationiq.com/reference/search
///
/// It has Nominatim's interface, with an additional member about the match. The key must be in the query.
package struct LocationIQProvider: OneByOneProvider {
    package let name = "locationiq"
    /// The terms of the free plan, which permits to keep an answer for 48 hours.
    package let terms: ProviderTerms
    package let http: HTTPClient
    package let server: HTTPURL
    private let key: String

    package static let publicServer = HTTPURL(known: "https://us1.locationiq.com")

    package init(key: String, http: HTTPClient, server: HTTPURL = Self.publicServer) {
        self.server = server
        self.key = key
        self.http = http
        terms = ProviderTerms(
            canReverse: true,
            limits: [
                CallLimit(2, per: .seconds(1)), CallLimit(60, per: .seconds(60)),
                CallLimit(5_000, per: .seconds(86_400)),
            ],
            use: .locationiq)
    }

    /// https://docs.locationiq.com/docs/errors
    func signal(of response: HTTPResponse) -> HTTPSignal {
        guard response.status == 404 || response.status == 429,
            let error = try? JSONDecoder().decode(LocationIQError.self, from: Data(response.body)).error
        else { return HTTPSignal(status: response.status) }
        return switch (response.status, error) {
        // Any other 404 is a wrong server address.
        case (404, "Unable to geocode"): .notFound
        case (429, _) where error.hasPrefix("Rate Limited Day"): .quotaExhausted
        default: HTTPSignal(status: response.status)
        }
    }

    func answer(to query: Query) async throws(ProviderError) -> Answer {
        let url = url(for: query).appending(query: [
            "countrycodes": query.countryCode?.lowercased(), "limit": "5", "matchquality": "1",
        ])
        switch try await call(request(url)) {
        case .none(let answer): return answer
        case .body(let body):
            let candidates = try decode([LocationIQPlace].self, from: body).map(candidate)
            return candidates.isEmpty ? .notFound : .found(candidates)
        }
    }

    func answer(at coordinate: Coordinate) async throws(ProviderError) -> Answer {
        let url = server.appending(path: "v1", "reverse").appending(query: [
            "lat": "\(coordinate.latitude)", "lon": "\(coordinate.longitude)",
        ])
        switch try await call(request(url)) {
        case .none(let answer): return answer
        case .body(let body): return try .found([candidate(decode(LocationIQPlace.self, from: body))])
        }
    }

    private func request(_ url: HTTPURL) -> HTTPRequest {
        HTTPRequest(.get, url.appending(query: ["format": "json", "addressdetails": "1", "key": key]))
    }

    private func url(for query: Query) -> HTTPURL {
        let search = server.appending(path: "v1", "search")
        switch query.form {
        case .freeForm: return search.appending(query: ["q": query.line])
        case .structured:
            let address = query.address
            return search.appending(path: "structured").appending(query: [
                "street": written(address.street), "city": written(address.city), "state": written(address.region),
                "postalcode": written(address.postcode), "country": written(address.country),
            ])
        }
    }

    /// The quality of the match is a word that can't be compared with other services' numbers, so there is no score.
    private func candidate(_ place: LocationIQPlace) throws(ProviderError) -> Candidate {
        let coordinate = try coordinate(place.nominatim.lat, place.nominatim.lon)
        guard place.nominatim.surrounds(coordinate) else { throw unreadable }
        return Candidate(place.nominatim.placemark(at: coordinate), place.precision)
    }
}

private struct LocationIQError: Decodable {
    let error: String
}

/// A place in Nominatim's format, with the quality of its match.
private struct LocationIQPlace: Decodable {
    let nominatim: NominatimPlace
    let kind: String?
    let quality: Quality?

    /// https://docs.locationiq.com/docs/match-quality
    struct Quality: Decodable {
        let matchtype, matchlevel: String?
    }

    private enum CodingKeys: String, CodingKey {
        case kind = "class"
        case quality = "matchquality"
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        nominatim = try NominatimPlace(from: decoder)
        kind = try values.decodeIfPresent(String.self, forKey: .kind)
        quality = try values.decodeIfPresent(Quality.self, forKey: .quality)
    }

    var precision: Precision {
        if quality?.matchtype == "interpolated" { return .interpolated }
        switch quality?.matchlevel {
        case "venue", "building": return .rooftop
        case "street": return .street
        case "postalcode": return .postcode
        case "neighbourhood", "island", "borough", "city": return .city
        case "county", "state": return .region
        case "country", "marine": return .country
        default: return precisionOfAddress
        }
    }

    /// Returns the finest part of the address, for replies without a match quality: a coordinate has none.
    private var precisionOfAddress: Precision {
        let placemark = nominatim.address
        if placemark.house_number != nil || kind == "building" { return .rooftop }
        if placemark.road != nil { return .street }
        if placemark.city ?? placemark.town ?? placemark.village ?? placemark.hamlet != nil { return .city }
        return placemark.state ?? placemark.county != nil ? .region : .country
    }
}
