import Access
import FoundationEssentials
import Geocoding
import HTTP
import Shapes
import Towns

extension APIServer {
    @ListBuilder<APIRoute> var suggestRoutes: [APIRoute] {
        APIRoute(.get, "/v1/suggest", .read, is: .computed, suggest)
            .described(
                "getSuggest", "Suggests towns whose names begin so",
                details:
                    "From the gazetteer: first those that are called exactly so, then those with the most people. `Accept-Language` says in which language `country` is.",
                .ok("The towns."))
    }

    /// The towns of the gazetteer whose names begin with the text. It needs no database.
    private func suggest(_ request: APIRequest, _ query: SuggestQuery) async throws -> Reply<List<Suggestion>> {
        let towns = Gazetteer.shared.suggestions(for: query.text, inCountry: query.country, limit: query.limit)
        let language = request.wantedLanguage
        return Reply(List(towns.map { Suggestion(town: $0, language: language) }))
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
    private let names: PlaceNames

    init(town: TownSuggestion, language: Language?) {
        self.town = town
        names = PlaceNames(
            Placemark(
                coordinate: town.coordinate, name: town.name, locality: town.name, administrativeArea: town.region,
                countryCode: town.countryCode),
            in: language)
    }

    static let shape = Shape<Suggestion>("Suggestion", "A town whose name begins with the text, as a placemark.") {
        Member("latitude", example: 60.16952) { $0.town.coordinate.latitude }.bounds(-90, 90)
        Member("longitude", example: 24.93545) { $0.town.coordinate.longitude }.bounds(-180, 180)
        Including { $0.names }
        Member("population", example: 558_457) { $0.town.population }
    }
}
