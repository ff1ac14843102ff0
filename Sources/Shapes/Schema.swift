package import Formats

/// The schema of a JSON value, with an example: https://json-schema.org/draft/2020-12/schema
package struct Schema: Sendable {
    /// The keywords with their values. The type is first.
    package var rules: [(name: String, json: JSONText)]
    /// Integers, numbers and texts have null, until a member gives an example.
    package var example: JSONText
    /// The named objects that the rules refer to, at any depth.
    package var models: [Model] = []

    private init(_ type: String) { (rules, example) = ([("type", JSONText(stringLiteral: type))], nil) }

    package init(rules: [(name: String, json: JSONText)], example: JSONText, models: [Model] = []) {
        (self.rules, self.example, self.models) = (rules, example, models)
    }

    package func json(summary: String = "") -> JSONText {
        let summary: [JSONText] = summary.isEmpty ? [] : ["description", JSONText(stringLiteral: summary)]
        return .object(summary + rules.flatMap { [JSONText(stringLiteral: $0.name), $0.json] })
    }

    /// True for an object with a name of its own, which has the example.
    package var isReference: Bool { rules.first?.name == "$ref" }

    var isObject: Bool { isReference || rules.first?.json == "object" }
}

extension Schema {
    package static let flag = Schema("boolean").with(example: false)
    package static let text = Schema("string")
    package static let integer = Schema("integer")
    package static let number = Schema("number")
    package static let null = Schema("null")
    /// A number that identifies a row.
    package static let id = integer(1...).with("maximum", JSONText(integerLiteral: .max))
    package static let count = integer(0...)
    /// Any value.
    package static let anything = Schema(rules: [], example: nil)
    /// RFC 3339
    package static let moment = text.with("format", "date-time").with(example: "2026-11-22T15:00:00Z")
    /// A text that the database stores.
    package static let line = text(within: .text)

    package static func integer(_ range: PartialRangeFrom<Int>) -> Schema {
        integer.with("minimum", JSONText(integerLiteral: range.lowerBound))
    }

    package static func integer(_ range: ClosedRange<Int>) -> Schema {
        integer(range.lowerBound...).with("maximum", JSONText(integerLiteral: range.upperBound))
    }

    package static func number(_ range: PartialRangeFrom<Double>) -> Schema {
        number.with("minimum", JSONText(floatLiteral: range.lowerBound))
    }

    package static func number(_ range: ClosedRange<Double>) -> Schema {
        number(range.lowerBound...).with("maximum", JSONText(floatLiteral: range.upperBound))
    }

    /// A text of this many characters.
    package static func text(_ lengths: ClosedRange<Int>) -> Schema {
        let most = text.with("maxLength", JSONText(integerLiteral: lengths.upperBound))
        return lengths.lowerBound == 0 ? most : most.with("minLength", JSONText(integerLiteral: lengths.lowerBound))
    }

    /// A text within the limit and without U+0000, which the database can't store.
    package static func text(within limit: TextLimit) -> Schema {
        text(0...limit.characters).matching("^[^\\u0000]*$")
    }

    package func matching(_ pattern: String) -> Schema { with("pattern", JSONText(stringLiteral: pattern)) }

    package static func choice(_ words: [String], usual: String? = nil) -> Schema {
        let choice = text.choosing(words).with(example: words.first.map { JSONText(stringLiteral: $0) } ?? nil)
        return usual.map { choice.byDefault(JSONText(stringLiteral: $0)) } ?? choice
    }

    /// The same with these as the only texts.
    func choosing(_ words: [String]) -> Schema {
        with("enum", .list(words.map { .text($0) } + (isNullable ? [nil] : [])))
    }

    /// The same value each time.
    package static func always(_ value: JSONText) -> Schema { Schema(rules: [("const", value)], example: value) }

    package static func list(_ items: Schema, _ counts: ClosedRange<Int>? = nil) -> Schema {
        var list = Schema("array").with("items", items.json()).with(
            example: items.example == nil ? [] : [items.example])
        list.models = items.models
        if let least = counts?.lowerBound, least > 0 { list = list.with("minItems", JSONText(integerLiteral: least)) }
        if let most = counts?.upperBound, most < .max { list = list.with("maxItems", JSONText(integerLiteral: most)) }
        return list
    }

    package static func list(_ model: Model, _ counts: ClosedRange<Int>? = nil) -> Schema {
        list(.model(model), counts)
    }

    /// An object whose names are data.
    package static func map(_ values: Schema) -> Schema {
        var map = Schema("object").with("additionalProperties", values.json()).with(example: .object([]))
        map.models = values.models
        return map
    }

    package static func model(_ model: Model) -> Schema {
        if model.name.isEmpty { return Schema(rules: model.rules, example: model.example, models: model.models) }
        let path = "#/components/schemas/\(model.name)"
        return Schema(
            rules: [("$ref", JSONText(stringLiteral: path))], example: model.example, models: [model] + model.models)
    }

    /// An object without a name of its own.
    package static func object(allowsOthers: Bool = false, @ListBuilder<Field> _ fields: () -> [Field]) -> Schema {
        .model(Model("", allowsOthers: allowsOthers, fields))
    }

    package static func either(_ schemas: Schema...) -> Schema {
        Schema(
            rules: [("anyOf", .list(schemas.map { $0.json() }))], example: schemas.first?.example ?? nil,
            models: schemas.flatMap(\.models))
    }

    private var isNullable: Bool {
        if case .list(let types)? = rules.first?.json { types.contains("null") } else { false }
    }

    /// The same or null.
    package var orNull: Schema {
        guard case ("type", let type)? = rules.first else { return .either(self, .null) }
        var schema = self
        schema.rules[0].json = [type, "null"]
        if let place = rules.firstIndex(where: { $0.name == "enum" }), case .list(let words) = rules[place].json {
            schema.rules[place].json = .list(words + [nil])
        }
        return schema
    }

    /// The same with this keyword, or without it.
    package func with(_ rule: String, _ value: JSONText?) -> Schema {
        var schema = self
        schema.rules.removeAll { $0.name == rule }
        if let value { schema.rules.append((rule, value)) }
        return schema
    }

    package func with(example: JSONText) -> Schema {
        var schema = self
        schema.example = example
        return schema
    }

    package func byDefault(_ value: JSONText) -> Schema { with("default", value) }
}
