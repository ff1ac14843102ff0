package import JSON

/// A schema for a JSON value: https://json-schema.org/draft/2020-12/schema
package struct Schema: Sendable {
    package indirect enum Form: Sendable {
        case integer, number, boolean, string
        case list(Schema)
        /// Members of one kind. The names are data, unless `keys` lists them.
        case map(Schema, keys: [String]?)
        case object(ShapeInfo)
    }

    package var form: Form
    var isNullable = false
    package var minimum, maximum: Double?
    package var format, pattern: String?
    /// The permitted texts; empty if others are permitted.
    package var choices: [String] = []
    /// As JSON. Integers, numbers and texts need an example of their own at each member.
    package var example: String?

    package init(
        _ form: Form, minimum: Double? = nil, format: String? = nil, choices: [String] = [], example: String? = nil
    ) {
        (self.form, self.minimum, self.format) = (form, minimum, format)
        (self.choices, self.example) = (choices, example)
    }

    /// The schema of an object that has no name in the description of the API.
    init(members: [MemberInfo]) {
        let shape = ShapeInfo(name: "", summary: "", members: members)
        self.init(.object(shape), example: shape.example)
    }

    private var type: String {
        switch form {
        case .integer: "integer"
        case .number: "number"
        case .boolean: "boolean"
        case .string: "string"
        case .list: "array"
        case .map, .object: "object"
        }
    }

    /// The named shapes in this schema.
    package var shapes: [ShapeInfo] {
        switch form {
        case .integer, .number, .boolean, .string: []
        case .list(let schema), .map(let schema, _): schema.shapes
        case .object(let shape): (shape.name.isEmpty ? [] : [shape]) + shape.members.flatMap(\.schema.shapes)
        }
    }

    package func write(to json: inout JSONWriter, summary: String = "") {
        json.object { json in
            if !summary.isEmpty { json.member("description", summary) }
            if case .object(let shape) = form, !shape.name.isEmpty { return writeReference(to: shape, &json) }
            if isNullable {
                json.list("type", [type, "null"]) { $0.value($1) }
            } else {
                json.member("type", type)
            }
            writeBounds(to: &json)
            switch form {
            case .integer, .number, .boolean, .string: break
            case .list(let items): json.member("items") { items.write(to: &$0) }
            case .map(let values, nil): json.member("additionalProperties") { values.write(to: &$0) }
            case .map(let values, let keys?):
                json.object("properties") { json in
                    for key in keys { json.member(key) { values.write(to: &$0) } }
                }
                json.member("additionalProperties", false)
            case .object(let shape): shape.writeMembers(to: &json)
            }
        }
    }

    private func writeReference(to shape: ShapeInfo, _ json: inout JSONWriter) {
        let path = "#/components/schemas/\(shape.name)"
        guard isNullable else { return json.member("$ref", path) }
        json.list("anyOf", [("$ref", path), ("type", "null")]) { json, one in json.object { $0.member(one.0, one.1) } }
    }

    private func writeBounds(to json: inout JSONWriter) {
        if let minimum { json.member("minimum") { $0.bound(minimum) } }
        if let maximum { json.member("maximum") { $0.bound(maximum) } }
        if let format { json.member("format", format) }
        if let pattern { json.member("pattern", pattern) }
        if !choices.isEmpty {
            json.list("enum", choices.map(Optional.some) + (isNullable ? [nil] : [])) { $0.value($1) }
        }
    }
}

extension JSONWriter {
    /// Writes 1 and not 1.0 as the bound of a whole number.
    fileprivate mutating func bound(_ number: Double) {
        if let whole = Int(exactly: number) { value(whole) } else { value(number) }
    }
}
