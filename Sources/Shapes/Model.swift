/// An object of the API's description.
package struct Model: Sendable {
    /// Empty for an object that is described in place.
    package let name: String
    private let summary: String
    let fields: [Field]
    /// More keywords than follow from the fields.
    private var others: [(name: String, json: JSONText)]

    /// With `allowsOthers`, members that are not described are permitted.
    package init(
        _ name: String, _ summary: String = "", allowsOthers: Bool = false, @ListBuilder<Field> _ fields: () -> [Field]
    ) {
        (self.name, self.summary, self.fields) = (name, summary, fields())
        others = allowsOthers ? [] : [("additionalProperties", false)]
    }

    package var models: [Model] { fields.flatMap(\.schema.models) }

    package var example: JSONText {
        .object(fields.filter(\.isShown).flatMap { [JSONText(stringLiteral: $0.name), $0.schema.example] })
    }

    var rules: [(name: String, json: JSONText)] {
        let properties = fields.flatMap { [JSONText(stringLiteral: $0.name), $0.schema.json(summary: $0.summary)] }
        let required = fields.filter(\.isRequired).map(\.name)
        var rules: [(name: String, json: JSONText)] = [("type", "object"), ("properties", .object(properties))]
        if !required.isEmpty { rules.append(("required", JSONText(required))) }
        return rules + others
    }

    /// The object's entry in the list of schemas.
    package var json: JSONText {
        Schema(rules: rules + [("examples", [example])], example: nil).json(summary: summary)
    }

    /// The same object with this keyword.
    package func with(_ rule: String, _ value: JSONText) -> Model {
        var model = self
        model.others.append((rule, value))
        return model
    }
}

/// A member of an object, or a parameter.
package struct Field: Sendable {
    package let name: String
    package let summary: String
    package internal(set) var schema: Schema
    /// False if the member may be missing.
    package internal(set) var isRequired: Bool
    /// False if the example of the object leaves it out.
    let isShown: Bool

    package init(_ name: String, _ schema: Schema, _ summary: String = "", example: JSONText? = nil) {
        self.init(name, schema, summary, example: example, isRequired: true)
    }

    /// A member that may be missing. Without an example, the example of the object leaves it out.
    package init(ifAny name: String, _ schema: Schema, _ summary: String = "", example: JSONText? = nil) {
        self.init(name, schema, summary, example: example, isRequired: false)
    }

    init(_ name: String, _ schema: Schema, _ summary: String, example: JSONText?, isRequired: Bool) {
        (self.name, self.summary, self.isRequired) = (name, summary, isRequired)
        self.schema = example.map(schema.with(example:)) ?? schema
        isShown = isRequired || example != nil
    }
}

/// Collects the lines of a table. The compiler checks each line alone, which is faster than an array.
@resultBuilder
package enum ListBuilder<Element> {
    package static func buildExpression(_ element: Element) -> [Element] { [element] }
    package static func buildExpression(_ elements: [Element]) -> [Element] { elements }
    package static func buildBlock(_ elements: [Element]...) -> [Element] { elements.flatMap(\.self) }
    package static func buildOptional(_ elements: [Element]?) -> [Element] { elements ?? [] }
    package static func buildEither(first elements: [Element]) -> [Element] { elements }
    package static func buildEither(second elements: [Element]) -> [Element] { elements }
    package static func buildArray(_ elements: [[Element]]) -> [Element] { elements.flatMap(\.self) }
}
