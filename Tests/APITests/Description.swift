import Foundation
import HTTP
import JSON

@testable import API

/// Our OpenAPI description, and a check of replies against it.
struct Description {
    let root: JSONValue

    static let shared = Result {
        Description(root: try JSONValue(parsing: APIServer.openAPI))
    }

    /// The described methods and paths: `GET /health`.
    var operations: Set<String> {
        let paths = root.object?["paths"]?.object ?? [:]
        return Set(paths.flatMap { path, methods in (methods.object ?? [:]).keys.map { "\($0.uppercased()) \(path)" } })
    }

    /// The differences between a reply and its description; empty if there are none.
    func problems(
        with answer: APIClient.Answer, to method: ServerRequest.Method
    ) -> [String] {
        let operation = root.object?["paths"]?.object?[answer.pattern]?.object?[method.rawValue.lowercased()]
        guard let declared = operation?.object?["responses"]?.object?["\(answer.status)"].map(resolved) else {
            return ["\(method.rawValue) \(answer.pattern) answers \(answer.status), which is not declared"]
        }
        let place = "\(method.rawValue) \(answer.pattern) \(answer.status)"
        let missing = (declared.object?["headers"]?.object ?? [:]).keys.filter { answer.headers[$0] == nil }
            .map { "\(place): the header \($0) is missing" }
        guard let content = declared.object?["content"]?.object else {
            return missing + (answer.bytes.isEmpty ? [] : ["\(place): there should be no body"])
        }
        guard let media = answer.headers["Content-Type"].flatMap({ content[$0] }) else {
            return missing + ["\(place): the type is not declared"]
        }
        guard answer.headers["Content-Type"]?.hasSuffix("json") == true, let schema = media.object?["schema"] else {
            return missing
        }
        guard let json = try? answer.json else { return missing + ["\(place): the body is not JSON"] }
        return missing + problems(with: json, by: schema, at: place)
    }

    /// The mistakes in the examples: each parameter and each body must have one that fits its schema.
    func problemsOfExamples() -> [String] {
        let paths = (root.object?["paths"]?.object ?? [:]).flatMap { path, methods in
            (methods.object ?? [:]).flatMap { method, operation -> [String] in
                let place = "\(method.uppercased()) \(path)"
                let answers = operation.object?["responses"]?.object ?? [:]
                return (operation.object?["parameters"]?.list ?? []).flatMap { problemsOfExamples(in: $0, at: place) }
                    + (operation.object?["requestBody"].map { problemsOfExamples(inContentOf: $0, at: place) } ?? [])
                    + answers.flatMap { problemsOfExamples(inContentOf: $1, at: "\(place) \($0)") }
            }
        }
        let shared = root.object?["components"]?.object ?? [:]
        return paths
            + (shared["parameters"]?.object ?? [:]).flatMap { problemsOfExamples(in: $1, at: $0) }
            + (shared["responses"]?.object ?? [:]).flatMap { problemsOfExamples(inContentOf: $1, at: $0) }
            + (shared["schemas"]?.object ?? [:]).flatMap { name, schema -> [String] in
                let examples = schema.object?["examples"]?.list ?? []
                if examples.isEmpty { return ["\(name) has no example"] }
                return examples.flatMap { problems(with: $0, by: schema, at: name) }
            }
    }

    private func problemsOfExamples(inContentOf value: JSONValue, at place: String) -> [String] {
        (value.object?["content"]?.object ?? [:]).flatMap { problemsOfExamples(in: $1, at: "\(place) \($0)") }
    }

    /// Checks a parameter, or a body of one type. Its own example takes precedence over its schema's.
    private func problemsOfExamples(in value: JSONValue, at place: String) -> [String] {
        // A shared part is checked where it is defined.
        if value.object?["$ref"] != nil { return [] }
        guard let schema = value.object?["schema"] else { return ["\(place) has no schema"] }
        let own = value.object?["example"].map { [$0] }
        if own == nil, schema.object?["$ref"] != nil { return [] }
        let examples = own ?? resolved(schema).object?["examples"]?.list ?? []
        if examples.isEmpty { return ["\(place) has no example"] }
        return examples.flatMap { problems(with: $0, by: schema, at: place) }
    }

    private func resolved(_ value: JSONValue) -> JSONValue {
        guard let path = value.object?["$ref"]?.text else { return value }
        return path.split(separator: "/").dropFirst().reduce(root) { $0.object?[String($1)] ?? .null }
    }

    /// Checks the keywords that describe values. Reports any other keyword, so that no rule stays unchecked.
    private func problems(with value: JSONValue, by schema: JSONValue, at place: String) -> [String] {
        guard let rules = resolved(schema).object else { return ["\(place): there is no such schema"] }
        return rules.flatMap { keyword, rule -> [String] in
            switch keyword {
            case "description", "default", "format", "examples": return []
            case "type":
                let types = rule.list ?? [rule]
                return types.contains { value.isType($0.text) } ? [] : ["\(place): is none of \(types)"]
            case "enum": return rule.list?.contains(value) == true ? [] : ["\(place): is none of the words"]
            case "const": return value == rule ? [] : ["\(place): is not \(rule)"]
            case "anyOf":
                let fits = rule.list?.contains { problems(with: value, by: $0, at: place).isEmpty } == true
                return fits ? [] : ["\(place): fits none of the schemas"]
            case "oneOf":
                let fitting = rule.list?.filter { problems(with: value, by: $0, at: place).isEmpty } ?? []
                return fitting.count == 1 ? [] : ["\(place): fits \(fitting.count) of the schemas"]
            case "not":
                return problems(with: value, by: rule, at: place).isEmpty ? ["\(place): is what it must not be"] : []
            case "required":
                let names = rule.list?.compactMap(\.text) ?? []
                guard let members = value.object else { return [] }
                return names.filter { members[$0] == nil }.map { "\(place): \($0) is missing" }
            case "properties":
                return (value.object ?? [:]).flatMap { name, member in
                    rule.object?[name].map { problems(with: member, by: $0, at: "\(place)/\(name)") } ?? []
                }
            case "additionalProperties":
                let known = rules["properties"]?.object ?? [:]
                let others = (value.object ?? [:]).filter { known[$0.key] == nil }
                if rule == .bool(false) { return others.keys.map { "\(place): \($0) is not described" } }
                guard rule.object != nil else { return [] }
                return others.flatMap { problems(with: $1, by: rule, at: "\(place)/\($0)") }
            case "items":
                return (value.list ?? []).enumerated().flatMap { problems(with: $1, by: rule, at: "\(place)/\($0)") }
            case "minItems", "maxItems", "minLength", "maxLength", "minimum", "maximum":
                return value.keeps(keyword, rule.number ?? .nan) ? [] : ["\(place): breaks \(keyword)"]
            case "uniqueItems":
                let texts = (value.list ?? []).compactMap(\.text)
                return rule == .bool(true) && Set(texts).count < texts.count ? ["\(place): says a thing twice"] : []
            case "pattern":
                guard let text = value.text, let pattern = rule.text else { return [] }
                return text.range(of: pattern, options: .regularExpression) != nil
                    ? [] : ["\(place): breaks its pattern"]
            default: return ["\(place): the keyword \(keyword) is not checked"]
            }
        }
    }
}

extension JSONValue {
    fileprivate func isType(_ name: String?) -> Bool {
        switch (self, name) {
        case (.null, "null"), (.bool, "boolean"), (.number, "number"), (.text, "string"), (.list, "array"),
            (.object, "object"):
            true
        case (.number(let number), "integer"): number == number.rounded()
        default: false
        }
    }

    /// A limit is ignored for values of another type.
    fileprivate func keeps(_ keyword: String, _ limit: Double) -> Bool {
        let size: Double? =
            switch keyword {
            case "minItems", "maxItems": list.map { Double($0.count) }
            case "minLength", "maxLength": text.map { Double($0.unicodeScalars.count) }
            default: if case .number(let number) = self { number } else { nil }
            }
        guard let size else { return true }
        return keyword.hasPrefix("min") ? size >= limit : size <= limit
    }
}
