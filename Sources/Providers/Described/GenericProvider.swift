import FoundationEssentials
package import Geocoding
package import HTTP
import JSON

/// Calls a service without code of its own: a description in JSON defines its requests and the places of values in its
/// replies.
package struct GenericProvider: OneByOneProvider {
    package let name: String
    package let terms: ProviderTerms
    package let http: HTTPClient
    private let description: Description
    package var server: HTTPURL { description.search.server }

    package init(_ description: Description, http: HTTPClient) {
        name = description.name
        terms = description.terms
        self.description = description
        self.http = http
    }

    func signal(of response: HTTPResponse) -> HTTPSignal {
        description.statuses[response.status]?.signal ?? HTTPSignal(status: response.status)
    }

    func answer(to query: Query) async throws(ProviderError) -> Answer {
        var values = ["line": query.line]
        values["street"] = written(query.address.street)
        values["city"] = written(query.address.city)
        values["region"] = written(query.address.region)
        values["postcode"] = written(query.address.postcode)
        values["country"] = written(query.address.country)
        values["countryCode"] = query.countryCode
        return try await answer(from: description.search, values)
    }

    func answer(at coordinate: Coordinate) async throws(ProviderError) -> Answer {
        guard let reverse = description.reverse else { return cannotReverse }
        let values = ["latitude": "\(coordinate.latitude)", "longitude": "\(coordinate.longitude)"]
        return try await answer(from: reverse, values)
    }

    private func answer(
        from template: URLTemplate, _ values: [String: String]
    ) async throws(ProviderError) -> Answer {
        var values = values
        values["key"] = description.key
        guard let url = template.filled(with: values) else {
            throw .unavailable(reason: "\(name)'s description makes no URL of this query")
        }
        switch try await call(HTTPRequest(.get, url, headers: description.filledHeaders)) {
        case .none(let answer): return answer
        case .body(let body):
            guard let answer = try? JSONValue(parsing: body) else { throw unreadable }
            return try self.answer(in: answer)
        }
    }

    private func answer(in body: JSONValue) throws(ProviderError) -> Answer {
        if description.notFound.contains(where: { $0.holds(in: body) }) { return .notFound }
        guard let list = description.latitude.list else {
            // One candidate: the paths begin at the top of the reply.
            if case .emptyList = body.follow(description.latitude.steps) { return .notFound }
            return try .found([candidate(body, in: body)])
        }
        switch body.value(at: list) {
        case .list(let items):
            let candidates = try items.prefix(5).map { item throws(ProviderError) in try candidate(item, in: body) }
            return candidates.isEmpty ? .notFound : .found(candidates)
        // A service that returns a list of places for an address may return a single place for a coordinate.
        case .object(let place): return try .found([candidate(.object(place), in: body)])
        default: throw unreadable
        }
    }

    private func candidate(_ item: JSONValue, in body: JSONValue) throws(ProviderError) -> Candidate {
        func value(_ path: JSONPath) -> JSONValue? { (path.list == nil ? body : item).value(at: path.steps) }
        func first(_ paths: [JSONPath]) -> String? { paths.lazy.compactMap { value($0)?.written }.first }
        guard let latitude = value(description.latitude)?.number, let longitude = value(description.longitude)?.number,
            let coordinate = Coordinate(latitude: latitude, longitude: longitude)
        else { throw unreadable }
        var placemark = Placemark(coordinate: coordinate)
        for (field, paths) in description.fields { field.set(first(paths), in: &placemark) }
        let score = description.score.flatMap { score in
            value(score.path)?.number.map { min(max($0 / score.largest, 0), 1) }
        }
        let word = first(description.precision.paths) ?? ""
        return Candidate(
            placemark, description.precision.words[word] ?? description.precision.otherwise,
            score: score?.isNaN == true ? nil : score)
    }
}
