import FoundationEssentials
import Geocoding
import HTTP
import Shapes
import Towns

extension APIServer {
    /// `GET /v1/suggest`: the towns of the gazetteer whose names begin with the text. It needs no database.
    func suggest(_ request: APIRequest, _ query: SuggestQuery) async throws -> Reply<List<Suggestion>> {
        let towns = Gazetteer.shared.suggestions(for: query.text, inCountry: query.country, limit: query.limit)
        let language = request.language
        return Reply(List(towns.map { Suggestion(town: $0, country: language.countryName($0.countryCode)) }))
    }
}

struct SuggestQuery: QueryInput {
    let text: String, country: String?, limit: Int

    init(_ query: inout RequestReader) {
        let help = "The beginning of a town's name, in any of its languages."
        text = query.text("q", help, example: "Hels", isRequired: true) ?? ""
        country = query.country("Only towns there: a code of ISO 3166-1.", example: "FI")
        limit = query.limit(.towns)
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
