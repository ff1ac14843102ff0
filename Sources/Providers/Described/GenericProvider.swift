import FoundationEssentials
package import Geocoding
import Glibc
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
        description.statuses[response.status]?.meaning(with: response.body) ?? HTTPSignal(status: response.status)
    }

    func quotaReset(in response: HTTPResponse) -> Duration? { quotaReset(in: response, now: time(nil)) }

    /// The wait is at most a day, whatever the clocks show. `now` is in seconds since 1970.
    func quotaReset(in response: HTTPResponse, now: Int) -> Duration? {
        let moment = description.quotaReset.flatMap { response.headers[$0] }.flatMap { Int($0) }
        guard let moment, moment > now else { return response.retryAfter() }
        return .seconds(min(moment - now, 86_400))
    }

    func answer(to query: Query) async throws(ProviderError) -> Answer {
        let isStructured = query.form == .structured
        let template = isStructured ? description.structuredSearch ?? description.search : description.search
        func value(_ text: String) -> String? {
            guard template.separatesParts else { return written(text) }
            // A semicolon in a part would begin another one.
            let words = text.split { $0 == ";" || $0.isWhitespace }
            return words.isEmpty ? nil : words.joined(separator: " ")
        }
        let (address, country) = (query.address, Country(query.address.country))
        let values = [
            "line": query.line, "street": value(address.street), "city": value(address.city),
            "region": value(address.region), "postcode": value(address.postcode), "country": value(address.country),
            "countryName": value(country?.name ?? address.country), "countryCode": country?.code,
            "smallCountryCode": country?.code.lowercased(),
        ]
        return try await answer(from: template, values.compactMapValues(\.self))
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

    /// The answer that a word of the body means; nil if the body has candidates.
    private func outcome(of body: JSONValue) throws(ProviderError) -> Answer? {
        guard let outcome = description.outcome else { return nil }
        let word = body.value(at: outcome.path.steps)?.written
        if word == outcome.found { return nil }
        guard let word, let meaning = outcome.words[word] else {
            throw .unavailable(reason: "\(name) answered neither \(outcome.found) nor why not")
        }
        let message = outcome.message.flatMap { body.value(at: $0.steps)?.text } ?? ""
        let isQuota = outcome.quotaWord.map(message.lowercased().contains) ?? false
        let signal = meaning == .busy && isQuota ? .quotaExhausted : meaning
        let said = FailureDigest.digest(message)
        return try answer(to: signal, "\(name) answered \(word)" + (said.isEmpty ? "" : ": \(said)"))
    }

    private func answer(in body: JSONValue) throws(ProviderError) -> Answer {
        if let answer = try outcome(of: body) { return answer }
        if description.notFound.contains(where: { $0.holds(in: body) }) { return .notFound }
        guard let list = description.latitude.list else {
            // One candidate: the paths begin at the top of the reply.
            if case .emptyList = body.follow(description.latitude.steps) { return .notFound }
            return try .found([candidate(body, in: body)])
        }
        switch body.value(at: list) {
        case .list(let items):
            let candidates = try items.prefix(5).map { item throws(ProviderError) in try candidate(item, in: body) }
            if !candidates.isEmpty { return .found(candidates) }
            guard description.outcome == nil else { throw unreadable }
            return .notFound
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
        let box = description.box.flatMap(value)?.list ?? []
        guard coordinate.isInside(box.compactMap(\.number)) else { throw unreadable }
        var placemark = Placemark(coordinate: coordinate)
        for (name, path) in Self.names { placemark[keyPath: path] = description.fields[name].flatMap(first) }
        // Some services have codes of three letters.
        placemark.countryCode = placemark.countryCode.flatMap { $0.count == 3 ? Country($0)?.code : $0.uppercased() }
        let precision = description.precision.steps.lazy.compactMap { $0.precision(value) }.first
        let score = description.score.flatMap { score in value(score.path).flatMap(score.share) }
        return Candidate(placemark, precision ?? description.precision.otherwise, score: score)
    }
}
