package import Geocoding
package import HTTP

/// Calls a Pelias server, Geocode Earth's or a private one: https://github.com/pelias/documentation
///
/// Geocode Earth (https://geocode.earth/docs) needs a key, which must be in the query. A private server needs none.
package struct PeliasProvider: OneByOneProvider {
    package let name = "pelias"
    package let terms: ProviderTerms
    package let http: HTTPClient
    package let server: HTTPURL
    private let key: String?

    package static let publicServer = HTTPURL(known: "https://api.geocode.earth")

    package init(server: HTTPURL, key: String?, http: HTTPClient) {
        self.server = server
        self.key = key
        self.http = http
        terms = ProviderTerms(
            // The limit of its smallest plan, which is not averaged over several seconds.
            canReverse: true, limits: key == nil ? [] : [CallLimit(10, per: .seconds(1))],
            use: key == nil ? .pelias : .geocodeEarth)
    }

    /// Geocode Earth replies 403 if the month's quota is used up: https://geocode.earth/docs/intro/rate_limits
    func signal(of response: HTTPResponse) -> HTTPSignal {
        key != nil && response.status == 403 ? .quotaExhausted : HTTPSignal(status: response.status)
    }

    func answer(to query: Query) async throws(ProviderError) -> Answer {
        try await answer(from: url(for: query).appending(query: ["size": "5"]))
    }

    func answer(at coordinate: Coordinate) async throws(ProviderError) -> Answer {
        let url = server.appending(path: "v1", "reverse").appending(query: [
            "point.lat": "\(coordinate.latitude)", "point.lon": "\(coordinate.longitude)", "size": "1",
        ])
        return try await answer(from: url)
    }

    private func url(for query: Query) -> HTTPURL {
        let search = server.appending(path: "v1", "search")
        switch query.form {
        case .freeForm:
            return search.appending(query: ["text": query.line, "boundary.country": query.countryCode])
        case .structured:
            let address = query.address
            return search.appending(path: "structured").appending(query: [
                "address": written(address.street), "locality": written(address.city),
                "region": written(address.region), "postalcode": written(address.postcode),
                "country": query.countryCode ?? written(address.country),
            ])
        }
    }

    private func answer(from url: HTTPURL) async throws(ProviderError) -> Answer {
        try await call(HTTPRequest(.get, url.appending(query: ["api_key": key]))).answer { body throws(ProviderError) in
            try candidates(PeliasPlace.self, in: body)
        }
    }
}

/// The properties of a place in Pelias: https://github.com/pelias/documentation/blob/master/result_quality.md
private struct PeliasPlace: Decodable, RepliedPlace {
    let layer, match_type, accuracy: String?
    let confidence: Double?
    let housenumber, street, postalcode: LenientText?
    let name, neighbourhood, borough, locality, localadmin, county, macrocounty, region, macroregion: String?
    /// For a place in a dependency, such as Puerto Rico, the dependency replaces the country. `country_a` is a code of
    /// three letters, in some replies of two. Many replies without `country_code` have it.
    let country, country_a, country_code, dependency, dependency_a: String?

    /// A street, a town and a country are also in the field of their layer.
    func placemark(at coordinate: Coordinate) -> Placemark {
        let codes = [country_code, country_a, dependency_a, country, dependency].compactMap(\.self)
        return Placemark(
            coordinate: coordinate, name: name, thoroughfare: street?.text, subThoroughfare: housenumber?.text,
            locality: locality ?? localadmin, subLocality: neighbourhood ?? borough,
            administrativeArea: region ?? macroregion, subAdministrativeArea: county ?? macrocounty,
            postalCode: postalcode?.text, countryCode: codes.lazy.compactMap(Country.init).first?.code,
            countryName: country ?? dependency)
    }

    var precision: Precision {
        if match_type == "interpolated" || accuracy == "interpolated" { return .interpolated }
        switch layer {
        // An address without a point of its own is only somewhere on its street.
        case "address", "venue": return accuracy == "centroid" ? .street : .rooftop
        case "street", "intersection": return .street
        case "postalcode": return .postcode
        case "locality", "localadmin", "borough", "neighbourhood", "macrohood": return .city
        case "county", "macrocounty", "region", "macroregion": return .region
        // Countries, dependencies, continents, oceans, and newer layers.
        default: return .country
        }
    }

    /// Its confidence, which is lower if the result differs from the query.
    var score: Double? { confidence.map { min(max($0, 0), 1) } }
}
