package import Geocoding
package import HTTP

/// Calls a Photon server, komoot's or a private one: https://github.com/komoot/photon/blob/master/docs/api-v1.md
///
/// Only called with one line: many servers were built without the structured search, and reply to it with 404.
package struct PhotonProvider: OneByOneProvider {
    package let name = "photon"
    package let terms: ProviderTerms
    package let http: HTTPClient
    package let server: HTTPURL
    private let language: String?

    package static let publicHost = "photon.komoot.io"

    /// Names are returned in `language`, a two-letter code of a language that the server was built with; nil for the
    /// language of the place.
    package init(server: HTTPURL, language: String? = nil, http: HTTPClient) {
        self.server = server
        self.language = language
        self.http = http
        // komoot asks for fair use without a number.
        terms = ProviderTerms(
            forms: [.freeForm], canReverse: true,
            limits: server.host == Self.publicHost ? [CallLimit(1, per: .seconds(1))] : [],
            use: server.host == Self.publicHost ? .komoot : .photon)
    }

    func answer(to query: Query) async throws(ProviderError) -> Answer {
        let url = server.appending(path: "api").appending(query: [
            "q": query.line, "countrycode": query.countryCode, "limit": "5", "lang": language,
        ])
        return try await answer(from: url)
    }

    func answer(at coordinate: Coordinate) async throws(ProviderError) -> Answer {
        let url = server.appending(path: "reverse").appending(query: [
            "lat": "\(coordinate.latitude)", "lon": "\(coordinate.longitude)", "limit": "1", "lang": language,
        ])
        return try await answer(from: url)
    }

    private func answer(from url: HTTPURL) async throws(ProviderError) -> Answer {
        try await call(HTTPRequest(.get, url)).answer { body throws(ProviderError) in
            try candidates(PhotonPlace.self, in: body)
        }
    }
}

/// A place in Photon. It has no score.
private struct PhotonPlace: Decodable, RepliedPlace {
    let type, osm_key, osm_value: String?
    let housenumber, postcode, street: LenientText?
    let name, locality, district, city, county, state, country, countrycode: String?

    func placemark(at coordinate: Coordinate) -> Placemark {
        // The own name of a street, a town or a country is only in `name`.
        Placemark(
            coordinate: coordinate, name: name, thoroughfare: street?.text ?? (precision == .street ? name : nil),
            subThoroughfare: housenumber?.text, locality: city ?? (precision == .city && !isPartOfCity ? name : nil),
            subLocality: district ?? locality ?? (isPartOfCity ? name : nil),
            administrativeArea: state ?? (type == "state" ? name : nil),
            subAdministrativeArea: county ?? (type == "county" ? name : nil),
            postalCode: postcode?.text ?? (precision == .postcode ? name : nil), countryCode: countrycode?.uppercased(),
            countryName: country ?? (precision == .country ? name : nil))
    }

    private var isPartOfCity: Bool { type == "district" || type == "locality" }

    var precision: Precision {
        if osm_key == "place" && osm_value == "postcode" { return .postcode }
        // Houses mapped as a line of numbers between two known ones.
        if osm_key == "place" && osm_value == "houses" { return .interpolated }
        switch type {
        case "house": return .rooftop
        case "street": return .street
        case "locality", "district", "city": return .city
        case "county", "state": return .region
        case "country": return .country
        default: return precisionOfTags
        }
    }

    /// Servers before 0.4 send no `type`, and `other` has no meaning.
    private var precisionOfTags: Precision {
        if housenumber != nil { return .rooftop }
        switch (osm_key, osm_value) {
        case ("highway", _): return .street
        case ("place", "country"): return .country
        case ("place", "state"), ("place", "region"), ("place", "county"): return .region
        case ("place", _): return .city
        // A mountain, a lake, a boundary: its centre may be anywhere.
        default: return .region
        }
    }
}
