package import Geocoding
package import HTTP

/// Calls Geoapify: https://apidocs.geoapify.com/docs/geocoding/forward-geocoding/
///
/// It is called with one line, which it parses itself: its structured query needs street and house number in separate
/// fields. The key must be in the query.
package struct GeoapifyProvider: OneByOneProvider {
    package let name = "geoapify"
    /// The limits are those of the free plan.
    package let terms = ProviderTerms(
        forms: [.freeForm], canReverse: true,
        limits: [CallLimit(5, per: .seconds(1)), CallLimit(3_000, per: .seconds(86_400))],
        use: .geoapify)
    package let http: HTTPClient
    package let server: HTTPURL
    private let key: String

    package static let publicServer = HTTPURL(known: "https://api.geoapify.com")

    package init(key: String, http: HTTPClient, server: HTTPURL = Self.publicServer) {
        self.server = server
        self.key = key
        self.http = http
    }

    func answer(to query: Query) async throws(ProviderError) -> Answer {
        let url = server.appending(path: "v1", "geocode", "search").appending(query: [
            "text": query.line, "filter": query.countryCode.map { "countrycode:\($0.lowercased())" }, "limit": "5",
        ])
        return try await answer(from: url)
    }

    func answer(at coordinate: Coordinate) async throws(ProviderError) -> Answer {
        let url = server.appending(path: "v1", "geocode", "reverse").appending(query: [
            "lat": "\(coordinate.latitude)", "lon": "\(coordinate.longitude)", "limit": "1",
        ])
        return try await answer(from: url)
    }

    private func answer(from url: HTTPURL) async throws(ProviderError) -> Answer {
        switch try await call(HTTPRequest(.get, url.appending(query: ["format": "json", "apiKey": key]))) {
        case .none(let answer): return answer
        case .body(let body):
            let candidates = try decode(GeoapifyPlaces.self, from: body).results.map { place throws(ProviderError) in
                let coordinate = try coordinate(place.lat, place.lon)
                return Candidate(place.placemark(at: coordinate), place.precision, score: place.score)
            }
            return candidates.isEmpty ? .notFound : .found(candidates)
        }
    }
}

private struct GeoapifyPlaces: Decodable {
    let results: [Place]

    struct Place: Decodable {
        let lat, lon: LenientNumber
        let result_type: String?
        let rank: Rank?
        let housenumber, street, postcode: LenientText?
        let name, suburb, district, city, county, state: String?
        let country, country_code: String?
    }

    struct Rank: Decodable {
        let confidence: Double?
    }
}

extension GeoapifyPlaces.Place {
    fileprivate func placemark(at coordinate: Coordinate) -> Placemark {
        Placemark(
            coordinate: coordinate, name: name, thoroughfare: street?.text, subThoroughfare: housenumber?.text,
            locality: city,
            subLocality: suburb ?? district, administrativeArea: state, subAdministrativeArea: county,
            postalCode: postcode?.text, countryCode: country_code?.uppercased(), countryName: country)
    }

    fileprivate var precision: Precision {
        switch result_type {
        case "amenity", "building": .rooftop
        case "street": .street
        case "postcode": .postcode
        case "suburb", "district", "city": .city
        case "county", "state": .region
        // Also "unknown": a place that may be anywhere is not precise.
        default: .country
        }
    }

    /// How well the place matches the text. The reply to a coordinate has none.
    fileprivate var score: Double? { rank?.confidence.map { min(max($0, 0), 1) } }
}
