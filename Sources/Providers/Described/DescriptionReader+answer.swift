import Geocoding
import JSON

let pathExample = "a path such as features[].geometry.coordinates.1, with no more than one []"

extension JSONPath {
    init?(json: JSONValue) {
        guard let text = json.text else { return nil }
        self.init(text)
    }

    /// Reads one path or several. The first one that finds a value counts.
    fileprivate static func several(_ json: JSONValue) -> [JSONPath]? {
        let paths = (json.list ?? [json]).all(JSONPath.init(json:))
        return paths?.isEmpty == true ? nil : paths
    }
}

extension DescriptionReader {
    mutating func fields() -> [String: [JSONPath]] {
        var fields: [String: [JSONPath]] = [:]
        for (name, _) in GenericProvider.names {
            fields[name] = optional(name, takes: pathExample + ", or a list of paths", parse: JSONPath.several)
        }
        return fields
    }

    mutating func precision() -> GenericProvider.PrecisionWords? {
        let takes = "an object of paths, words and otherwise, and of steps"
        guard has("precision") else { return required("precision", takes: takes) { _ in nil } }
        return object("precision", takes: takes) { reader in
            let steps = reader.objects("steps", takes: "a list of objects of paths or joined, words and others") {
                reader in
                let others = reader.optional("others", takes: reader.precisions, parse: Self.precision)
                return reader.step(others: others)
            }
            let last = reader.step(others: nil)
            let otherwise = reader.required("otherwise", takes: reader.precisions, parse: Self.precision)
            return otherwise.map { .init(steps: steps + [last], otherwise: $0) }
        }
    }

    private mutating func step(others: Precision?) -> GenericProvider.PrecisionStep {
        let takes = pathExample + ", or a list of paths"
        let joined = optional("joined", takes: takes, parse: JSONPath.several)
        let paths = optional("paths", takes: takes, parse: JSONPath.several)
        let words = words("words", each: "one of \(precisions)", parse: Self.precision)
        return .init(paths: joined ?? paths ?? [], areJoined: joined != nil, words: words ?? [:], others: others)
    }

    private var precisions: String { written(Precision.allCases.map(\.rawValue)) }

    private static func precision(_ json: JSONValue) -> Precision? { json.text.flatMap(Precision.init(rawValue:)) }

    mutating func score() -> GenericProvider.Score? {
        object("score", takes: "an object of path, and of largest or words") { reader in
            let path = reader.required("path", takes: pathExample, parse: JSONPath.init(json:))
            let words = reader.words("words", each: "a score from 0 to 1") { json in
                json.number.flatMap { (0...1).contains($0) ? $0 : nil }
            }
            func number(_ json: JSONValue) -> Double? { json.number.flatMap { $0 > 0 && $0.isFinite ? $0 : nil } }
            let takes = "the score that means certain"
            let largest =
                reader.has("words")
                ? reader.optional("largest", takes: takes, parse: number)
                : reader.required("largest", takes: takes, parse: number)
            return path.map { .init(path: $0, largest: largest, words: words ?? [:]) }
        }
    }

    mutating func outcome() -> GenericProvider.Outcome? {
        object("outcome", takes: "an object of path, found, words, message and quotaWord") { reader in
            let path = reader.required("path", takes: "a path without []", parse: JSONPath.init(json:))
            let found = reader.required("found", takes: "the service's word for success", parse: \.text)
            let words = reader.words("words", each: "one of \(reader.meanings)", parse: Self.meaning)
            let message = reader.optional("message", takes: "a path without []", parse: JSONPath.init(json:))
            let quotaWord = reader.optional("quotaWord", takes: "a word of the message", parse: \.text)
            guard let path, let found else { return nil }
            return .init(path: path, found: found, words: words ?? [:], message: message, quotaWord: quotaWord)
        }
    }

    private var meanings: String { written(HTTPSignal.allCases.filter { $0 != .answered }.map(\.rawValue)) }

    /// A description can't mean that the body has the result.
    private static func meaning(_ json: JSONValue) -> HTTPSignal? {
        json.text.flatMap(HTTPSignal.init(rawValue:)).flatMap { $0 == .answered ? nil : $0 }
    }

    mutating func conditions() -> [GenericProvider.Condition] {
        optional("notFound", takes: #"an object of paths without [], each with the values that mean "not found""#) {
            $0.object?.allMembers { text, json -> GenericProvider.Condition? in
                guard let path = JSONPath(text), path.list == nil, let values = (json.list ?? [json]).all(\.written)
                else { return nil }
                return .init(path: path, values: Set(values))
            }
        }.map { Array($0.values) } ?? []
    }

    mutating func statuses() -> [Int: GenericProvider.StatusRule] {
        optional(
            "statuses",
            takes: "an object of statuses from 300 to 599, each with path and words, or with one of \(meanings)"
        ) {
            $0.object?.allMembers { text, json -> (Int, GenericProvider.StatusRule)? in
                guard let status = Int(text), (300...599).contains(status) else { return nil }
                return Self.rule(json).map { (status, $0) }
            }
        }.map { Dictionary($0.values) { first, _ in first } } ?? [:]
    }

    private static func rule(_ json: JSONValue) -> GenericProvider.StatusRule? {
        if let meaning = meaning(json) { return .init(meaning: meaning) }
        guard let members = json.object, members.count == 2, let path = members["path"].flatMap(JSONPath.init(json:)),
            let meanings = members["words"]?.object?.allMembers({ meaning($1) })
        else { return nil }
        return .init(path: path, beginnings: meanings)
    }
}
