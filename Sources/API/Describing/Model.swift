import Formats
import JSON
import Shapes

/// An object with a name in the description of the API.
struct Model: Sendable {
    /// Empty for an object that is described in place.
    let name: String
    let summary: String
    let rules: [(name: String, json: JSONText)]
    let example: JSONText
    /// The named objects that the fields refer to.
    let models: [Model]
    private(set) var shape: ShapeInfo?

    /// With `allowsOthers`, members that are not described are permitted.
    init(_ name: String, _ summary: String = "", allowsOthers: Bool = false, @Fields _ fields: () -> [Field]) {
        let fields = fields()
        var rules: [(name: String, json: JSONText)] = [("type", "object")]
        let properties = JSONWriter.text { json in
            json.object { json in
                for field in fields { json.member(field.name) { field.kind.write(to: &$0, summary: field.summary) } }
            }
        }
        rules.append(("properties", JSONText(json: properties)))
        let required = fields.filter(\.isRequired).map(\.name)
        if !required.isEmpty { rules.append(("required", JSONText(required))) }
        if !allowsOthers { rules.append(("additionalProperties", false)) }
        let example = JSONWriter.text { json in
            json.object { json in
                for field in fields where !field.isHidden { json.member(field.name, number: field.kind.example.text) }
            }
        }
        self.init(name, summary, rules: rules, example: JSONText(json: example), models: fields.flatMap(\.kind.models))
    }

    init(
        _ name: String, _ summary: String = "", rules: [(name: String, json: JSONText)], example: JSONText,
        models: [Model]
    ) {
        (self.name, self.summary, self.rules, self.example) = (name, summary, rules, example)
        self.models = models
    }

    /// A shape, which has its own description.
    init(_ shape: ShapeInfo) {
        self.init(shape.name, rules: [], example: JSONText(json: shape.example), models: [])
        self.shape = shape
    }

    /// Writes the object's entry in the list of schemas.
    func write(to json: inout JSONWriter) {
        if let shape { return shape.write(to: &json) }
        Kind(rules: rules, example: example).write(to: &json, summary: summary, isExampleShown: true)
    }

    /// The same object with this rule.
    func with(_ rule: String, _ value: JSONText) -> Model {
        Model(
            name, summary, rules: rules.filter { $0.name != rule } + [(rule, value)], example: example, models: models)
    }
}

/// A member of an object, or a parameter.
struct Field: Sendable {
    let name: String
    let summary: String
    let kind: Kind
    let isRequired: Bool
    /// True if the example of the object leaves it out.
    var isHidden = false

    init(_ name: String, _ kind: Kind, _ summary: String = "", example: JSONText? = nil) {
        (self.name, self.summary, isRequired) = (name, summary, true)
        self.kind = example.map(kind.with(example:)) ?? kind
    }

    /// A member that may be missing. Without an example, the example of the object leaves it out.
    init(ifAny name: String, _ kind: Kind, _ summary: String = "", example: JSONText? = nil) {
        (self.name, self.summary, isRequired) = (name, summary, false)
        self.kind = example.map(kind.with(example:)) ?? kind
        isHidden = example == nil
    }
}

@resultBuilder
enum Fields {
    static func buildExpression(_ field: Field) -> [Field] { [field] }
    static func buildExpression(_ fields: [Field]) -> [Field] { fields }
    static func buildBlock(_ fields: [Field]...) -> [Field] { fields.flatMap(\.self) }
    static func buildOptional(_ fields: [Field]?) -> [Field] { fields ?? [] }
    static func buildEither(first fields: [Field]) -> [Field] { fields }
    static func buildEither(second fields: [Field]) -> [Field] { fields }
}

extension AddedColumns {
    /// The parameter's value: `all`, `none`, or names with commas between.
    static func pattern(_ columns: [String] = choices) -> String {
        let names = "(\(columns.joined(separator: "|")))"
        return "^(all|none|\(names)(,\(names))*)$"
    }
}
