import Foundation
import Geocoding
import HTTP
import Shapes
import Towns

extension APIServer {
    /// `GET /v1/suggest`: the towns of the gazetteer whose names begin with the text. It needs no database.
    func suggest(_ request: APIRequest) async throws -> Reply<List<Suggestion>> {
        var query = QueryReader(request.http)
        query.require("q")
        let text = query.text("q") ?? ""
        let country = query.country("country")
        let limit = query.limit(.towns)
        try query.finish()
        let towns = Gazetteer.shared.suggestions(for: text, inCountry: country, limit: limit)
        let locale = request.locale
        return Reply(List(towns.map { Suggestion(town: $0, country: locale.countryName($0.countryCode)) }))
    }
}

struct Suggestion: Shaped {
    let town: TownSuggestion
    let country: String?

    static let shape = Shape<Suggestion>("Suggestion", "A town whose name begins with the text.") {
        Member("name", example: "Helsinki") { $0.town.name }
        Member("region", example: "Uusimaa") { $0.town.region }
        Member("country_code", example: "FI") { $0.town.countryCode }
        Member("country", "In the language of `Accept-Language`.", example: "Finland") { $0.country }
        Member("latitude", example: 60.16952) { $0.town.coordinate.latitude }.bounds(-90, 90)
        Member("longitude", example: 24.93545) { $0.town.coordinate.longitude }.bounds(-180, 180)
        Member("population", example: 558_457) { $0.town.population }
    }
}
