package import Geocoding
import HTTP
import JSON

extension GenericProvider {
    /// The requests of a service, and the places of values in its replies. Read from JSON by ``init(json:key:)``.
    package struct Description: Sendable {
        /// The lane.
        package let name: String
        package let terms: ProviderTerms
        let key: String?
        let search: URLTemplate
        /// For structured queries; nil if `search` takes all queries.
        let structuredSearch: URLTemplate?
        let reverse: URLTemplate?
        /// With `{key}` at the place of the key.
        let headers: [String: String]
        let latitude: JSONPath
        let longitude: JSONPath
        /// The place of a list of south, north, west and east, between which the coordinate is.
        let box: JSONPath?
        /// For each of ``names`` its possible places, the best first.
        let fields: [String: [JSONPath]]
        let precision: PrecisionWords
        let score: Score?
        let notFound: [Condition]
        let outcome: Outcome?
        let statuses: [Int: StatusRule]
        /// The header with the moment at which a used-up quota is restored, in seconds since 1970.
        let quotaReset: String?

        var filledHeaders: HTTPHeaders {
            var filled: HTTPHeaders = [:]
            for (name, value) in headers { filled[name] = value.replacing("{key}", with: key ?? "") }
            return filled
        }
    }

    /// The first step that knows a word of the service decides.
    struct PrecisionWords: Sendable {
        let steps: [PrecisionStep]
        let otherwise: Precision
    }

    struct PrecisionStep: Sendable {
        let paths: [JSONPath]
        /// True if the values of all paths make one word, with spaces between them. Else the first path with a value
        /// counts.
        let areJoined: Bool
        let words: [String: Precision]
        /// The precision for every other word.
        let others: Precision?

        /// Of several words, such as the types of a place, the finest known one counts.
        func precision(_ value: (JSONPath) -> JSONValue?) -> Precision? {
            let found = paths.compactMap { value($0)?.words }.filter { !$0.isEmpty }
            let given = areJoined ? [found.joined().joined(separator: " ")] : found.first ?? []
            guard given.contains(where: { !$0.isEmpty }) else { return nil }
            return given.compactMap { words[$0] }.min() ?? others
        }
    }

    struct Score: Sendable {
        let path: JSONPath
        /// The largest score of the service; nil if its scores are words.
        let largest: Double?
        let words: [String: Double]

        /// From 0 to 1; nil if the value is not a score.
        func share(of value: JSONValue) -> Double? {
            if let share = value.written.flatMap({ words[$0] }) { return share }
            guard let largest, let score = value.number, !score.isNaN else { return nil }
            return min(max(score / largest, 0), 1)
        }
    }

    /// The place of a word that says in the body whether the call succeeded, next to a status of 200.
    struct Outcome: Sendable {
        let path: JSONPath
        /// The word for success. Then there is at least one candidate.
        let found: String
        let words: [String: HTTPSignal]
        let message: JSONPath?
        /// If the message of a busy service contains this word, the quota is used up.
        let quotaWord: String?
    }

    /// True if the value at a path of the whole reply is one of these.
    struct Condition: Sendable {
        let path: JSONPath
        let values: Set<String>

        func holds(in body: JSONValue) -> Bool {
            body.value(at: path.steps)?.written.map(values.contains) ?? false
        }
    }

    /// The meaning of a status, which may depend on the beginning of a text in the body.
    struct StatusRule: Sendable {
        var meaning: HTTPSignal?
        var path: JSONPath?
        var beginnings: [String: HTTPSignal] = [:]

        /// Nil if it has its usual meaning.
        func meaning(with body: [UInt8]) -> HTTPSignal? {
            guard let path, let text = (try? JSONValue(parsing: body))?.value(at: path.steps)?.text else {
                return meaning
            }
            return beginnings.first { text.hasPrefix($0.key) }?.value
        }
    }

    /// The names of a placemark, by the words of a description.
    static let names: KeyValuePairs<String, any WritableKeyPath<Placemark, String?> & Sendable> = [
        "name": \.name, "street": \.thoroughfare, "houseNumber": \.subThoroughfare, "city": \.locality,
        "district": \.subLocality, "region": \.administrativeArea, "county": \.subAdministrativeArea,
        "postcode": \.postalCode, "countryCode": \.countryCode, "country": \.countryName,
    ]
}
