import Foundation
import Geocoding
import HTTP
import JSON
import Towns

extension APIServer {
    /// `GET /v1/suggest`: the towns of the gazetteer whose names begin with the text. It needs no database.
    func suggest(_ request: APIRequest) async throws -> ServerResponse {
        var query = QueryReader(request.http)
        query.require("q")
        let text = query.text("q") ?? ""
        let country = query.country("country")
        let limit = query.integer("limit", in: 1...50) ?? 10
        try query.finish()
        let towns = Gazetteer.shared.suggestions(for: text, inCountry: country, limit: limit)
        let locale = request.locale
        return .json { json in
            json.object { json in
                json.list("data", towns) { json, town in
                    json.object { json in
                        json.member("name", town.name)
                        json.member("region", town.region)
                        json.member("country_code", town.countryCode)
                        json.member("country", locale.countryName(town.countryCode))
                        json.member("latitude", town.coordinate.latitude)
                        json.member("longitude", town.coordinate.longitude)
                        json.member("population", town.population)
                    }
                }
            }
        }
    }
}
