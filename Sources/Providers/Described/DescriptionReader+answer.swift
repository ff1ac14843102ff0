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
        let all = json.list ?? [json]
        let paths = all.compactMap(JSONPath.init(json:))
        return paths.isEmpty || paths.count < all.count ? nil : paths
    }
}

extension DescriptionReader {
    mutating func fields() -> [GenericProvider.Field: [JSONPath]] {
        var fields: [GenericProvider.Field: [JSONPath]] = [:]
        for field in GenericProvider.Field.allCases {
            fields[field] = optional(
                field.rawValue, takes: pathExample + ", or a list of paths", parse: JSONPath.several)
        }
        return fields
    }

    mutating func precision() -> GenericProvider.PrecisionWords? {
        let kinds = written(Precision.allCases.map(\.rawValue))
        let takes = "an object of paths, words and otherwise"
        guard has("precision") else { return required("precision", takes: takes) { _ in nil } }
        return object("precision", takes: takes) { reader in
            let paths = reader.optional("paths", takes: pathExample + ", or a list of paths", parse: JSONPath.several)
            let words = reader.optional("words", takes: "an object of the service's words, each with one of \(kinds)") {
                $0.object.flatMap { members in
                    let words = members.compactMapValues { $0.text.flatMap(Precision.init(rawValue:)) }
                    return words.count == members.count ? words : nil
                }
            }
            let otherwise = reader.required("otherwise", takes: kinds) { $0.text.flatMap(Precision.init(rawValue:)) }
            return otherwise.map { .init(paths: paths ?? [], words: words ?? [:], otherwise: $0) }
        }
    }

    mutating func score() -> GenericProvider.Score? {
        object("score", takes: "an object of path and largest") { reader in
            let path = reader.required("path", takes: pathExample, parse: JSONPath.init(json:))
            let largest = reader.required("largest", takes: "the score that means certain") { json in
                json.number.flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
            }
            guard let path, let largest else { return nil }
            return .init(path: path, largest: largest)
        }
    }

    mutating func conditions() -> [GenericProvider.Condition] {
        optional("notFound", takes: #"an object of paths without [], each with the values that mean "not found""#) {
            $0.object.flatMap { members in
                let conditions: [GenericProvider.Condition] = members.compactMap { text, json in
                    let all = json.list ?? [json]
                    let values = all.compactMap(\.written)
                    guard let path = JSONPath(text), path.list == nil, values.count == all.count else { return nil }
                    return .init(path: path, values: Set(values))
                }
                return conditions.count == members.count ? conditions : nil
            }
        } ?? []
    }

    mutating func statuses() -> [Int: GenericProvider.Meaning] {
        let meanings = written(GenericProvider.Meaning.allCases.map(\.rawValue))
        return optional("statuses", takes: "an object of statuses from 300 to 599, each with one of \(meanings)") {
            $0.object.flatMap { members in
                let pairs: [(Int, GenericProvider.Meaning)] = members.compactMap { text, json in
                    guard let status = Int(text), (300...599).contains(status), let word = json.text else { return nil }
                    return GenericProvider.Meaning(rawValue: word).map { (status, $0) }
                }
                return pairs.count == members.count ? Dictionary(pairs) { first, _ in first } : nil
            }
        } ?? [:]
    }
}
