import Formats
import Geocoding
import JSON
import Questions
import Shapes

/// The schema of a JSON value, with an example: https://json-schema.org/draft/2020-12/schema
struct Kind: Sendable {
    /// The keywords with their values, which are JSON.
    var rules: [(name: String, json: JSONText)]
    var example: JSONText
    /// The named objects that the rules refer to.
    var models: [Model] = []

    init(_ type: String, _ rules: [(name: String, json: JSONText)] = [], example: JSONText = nil) {
        self.rules = [("type", JSONText(stringLiteral: type))] + rules
        self.example = example
    }

    init(rules: [(name: String, json: JSONText)], example: JSONText, models: [Model] = []) {
        (self.rules, self.example, self.models) = (rules, example, models)
    }

    func write(to json: inout JSONWriter, summary: String = "", isExampleShown: Bool = false) {
        json.object { json in
            if !summary.isEmpty { json.member("description", summary) }
            for rule in rules { json.member(rule.name, number: rule.json.text) }
            if isExampleShown { json.member("examples", number: "[\(example.text)]") }
        }
    }

    /// The schema as JSON.
    var json: JSONText { JSONText(json: JSONWriter.text { write(to: &$0) }) }
}

extension Kind {
    static let flag = Kind("boolean", example: false)
    static let text = Kind("string")
    static let integer = Kind("integer")
    static let number = Kind("number")
    /// A number that identifies a row.
    static let id = integer(1...).with("maximum", JSONText(integerLiteral: .max))
    static let count = integer(0...)
    /// Any value.
    static let anything = Kind(rules: [], example: nil)
    /// RFC 3339
    static let moment = Kind("string", [("format", "date-time")], example: "2026-11-22T15:00:00Z")
    /// A text that the database stores.
    static let line = text(within: .text)

    static func integer(_ range: PartialRangeFrom<Int>) -> Kind {
        integer.with("minimum", JSONText(integerLiteral: range.lowerBound))
    }

    static func integer(_ range: ClosedRange<Int>) -> Kind {
        integer(range.lowerBound...).with("maximum", JSONText(integerLiteral: range.upperBound))
    }

    static func number(_ range: PartialRangeFrom<Double>) -> Kind {
        number.with("minimum", JSONText(floatLiteral: range.lowerBound))
    }

    static func number(_ range: ClosedRange<Double>) -> Kind {
        number(range.lowerBound...).with("maximum", JSONText(floatLiteral: range.upperBound))
    }

    /// A text of this many characters.
    static func text(_ lengths: ClosedRange<Int>) -> Kind {
        let most = text.with("maxLength", JSONText(integerLiteral: lengths.upperBound))
        return lengths.lowerBound == 0 ? most : most.with("minLength", JSONText(integerLiteral: lengths.lowerBound))
    }

    /// A text within the limit and without U+0000, which the database can't store.
    static func text(within limit: TextLimit) -> Kind { text(0...limit.characters).matching("^[^\\u0000]*$") }

    func matching(_ pattern: String) -> Kind { with("pattern", JSONText(stringLiteral: pattern)) }

    static func choice(_ words: [String], usual: String? = nil) -> Kind {
        let kind = Kind(
            "string", [("enum", JSONText(words))], example: words.first.map { JSONText(stringLiteral: $0) } ?? nil)
        return usual.map { kind.byDefault(JSONText(stringLiteral: $0)) } ?? kind
    }

    /// The same value each time.
    static func always(_ value: JSONText) -> Kind { Kind(rules: [("const", value)], example: value) }

    static func list(_ items: Kind, _ counts: ClosedRange<Int>? = nil) -> Kind {
        let example: JSONText = items.example == nil ? [] : [items.example]
        var list = Kind("array", [("items", items.json)], example: example)
        list.models = items.models
        if let least = counts?.lowerBound, least > 0 { list = list.with("minItems", JSONText(integerLiteral: least)) }
        if let most = counts?.upperBound, most < .max { list = list.with("maxItems", JSONText(integerLiteral: most)) }
        return list
    }

    /// An object whose names are data.
    static func map(_ values: Kind) -> Kind {
        var map = Kind("object", [("additionalProperties", values.json)], example: JSONText(json: "{}"))
        map.models = values.models
        return map
    }

    static func model(_ model: Model) -> Kind {
        let path = "#/components/schemas/\(model.name)"
        return Kind(rules: [("$ref", JSONText(stringLiteral: path))], example: model.example, models: [model])
    }

    /// An object of this shape.
    static func shape<Value: Shaped>(_ value: Value.Type) -> Kind {
        var kind = Kind.model(Model(Value.shape.info))
        kind.models = Value.schema.shapes.map(Model.init)
        return kind
    }

    static func list(_ model: Model, _ counts: ClosedRange<Int>? = nil) -> Kind { list(.model(model), counts) }

    /// An object without a name of its own.
    static func object(allowsOthers: Bool = false, @Fields _ fields: () -> [Field]) -> Kind {
        let model = Model("", allowsOthers: allowsOthers, fields)
        return Kind(rules: model.rules, example: model.example, models: model.models)
    }

    static func either(_ kinds: Kind...) -> Kind {
        Kind(
            rules: [("anyOf", JSONText(json: "[\(kinds.map(\.json.text).joined(separator: ","))]"))],
            example: kinds.first?.example ?? nil, models: kinds.flatMap(\.models))
    }

    /// The same or null.
    var orNull: Kind {
        guard case ("type", let type)? = rules.first else { return .either(self, Kind("null")).with(example: nil) }
        var kind = self
        kind.rules[0].json = JSONText(json: "[\(type.text),\"null\"]")
        if let place = rules.firstIndex(where: { $0.name == "enum" }) {
            kind.rules[place].json = JSONText(json: rules[place].json.text.dropLast() + ",null]")
        }
        return kind
    }

    func with(_ rule: String, _ value: JSONText) -> Kind {
        var kind = self
        kind.rules.removeAll { $0.name == rule }
        kind.rules.append((rule, value))
        return kind
    }

    func with(example: JSONText) -> Kind {
        var kind = self
        kind.example = example
        return kind
    }

    func byDefault(_ value: JSONText) -> Kind { with("default", value) }
}

/// A JSON text that a literal of Swift gives. It is made when it is read, because requests pass examples that only the
/// description reads.
enum JSONText: Sendable, Hashable {
    case json(String), text(String), integer(Int), number(Double), flag(Bool), list([JSONText])
    /// The names and the values in turn.
    case object([JSONText])

    init(json: some StringProtocol) { self = .json(String(json)) }
    init(_ words: [String]) { self = .list(words.map { .text($0) }) }

    var text: String {
        switch self {
        case .json(let json): json
        case .text(let text): JSONWriter.text { $0.value(text) }
        case .integer(let number): "\(number)"
        case .number(let number): Int(exactly: number).map(String.init) ?? "\(number)"
        case .flag(let flag): "\(flag)"
        case .list(let items): "[\(items.map(\.text).joined(separator: ","))]"
        case .object(let parts):
            "{"
                + stride(from: 0, to: parts.count, by: 2).map { "\(parts[$0].text):\(parts[$0 + 1].text)" }
                .joined(separator: ",") + "}"
        }
    }
}

extension JSONText: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    init(stringLiteral value: String) { self = .text(value) }
    init(integerLiteral value: Int) { self = .integer(value) }
    init(floatLiteral value: Double) { self = .number(value) }
    init(booleanLiteral value: Bool) { self = .flag(value) }
    init(nilLiteral: ()) { self = .json("null") }
    init(arrayLiteral elements: JSONText...) { self = .list(elements) }
    init(dictionaryLiteral elements: (JSONText, JSONText)...) { self = .object(elements.flatMap { [$0, $1] }) }
}
