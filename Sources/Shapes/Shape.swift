package import JSON

/// A type with one form in JSON, which the CLI, the API, its events and its description share.
package protocol Shaped: JSONRepresentable {
    static var shape: Shape<Self> { get }
}

extension Shaped {
    package func write(to json: inout JSONWriter) {
        json.object { Self.shape.write(self, &$0) }
    }

    package static var schema: Schema { .model(shape.info) }
}

/// The members of a JSON object, each with a closure that gets its value. Nothing is found by reflection.
package struct Shape<Value>: Sendable {
    package let info: Model
    /// Writes all members.
    let write: Member<Value>.Writer

    package init(_ name: String, _ summary: String, @ListBuilder<Member<Value>> _ members: () -> [Member<Value>]) {
        let members = members()
        write = Self.all(members)
        info = Model(name, summary) { members.flatMap(\.fields) }
    }

    /// One closure that calls those of the members. To call the elements of an array counts references, for which
    /// threads that write at the same time wait. Specialised, each step would copy the value.
    @_semantics("optimize.sil.specialize.generic.never")
    private static func all(_ members: [Member<Value>]) -> Member<Value>.Writer {
        guard let last = members.last?.write else { return { _, _ in } }
        if members.count == 1 { return last }
        let others = all(members.dropLast())
        return { value, json in
            others(value, &json)
            last(value, &json)
        }
    }
}

/// One member of an object, or all members of an included shape.
///
/// Its name is snake_case. `example` may be left out if the value's type has one, such as a nested shape or an enum. For
/// an optional value it is null then.
package struct Member<Value>: Sendable {
    typealias Writer = @Sendable (Value, inout JSONWriter) -> Void

    fileprivate var fields: [Field]
    fileprivate let write: Writer

    package init<Output: JSONRepresentable>(
        _ name: String, _ summary: String = "", example: Output? = nil, _ value: @escaping @Sendable (Value) -> Output
    ) {
        let key = JSONWriter.Key(name)
        fields = [Field(name, Output.schema, summary, example: example?.json)]
        write = { subject, json in
            json.key(key)
            value(subject).write(to: &json)
        }
    }

    /// A member that is left out if its value is nil.
    package init<Output: JSONRepresentable>(
        ifAny name: String, _ summary: String = "", example: Output? = nil,
        _ value: @escaping @Sendable (Value) -> Output?
    ) {
        let key = JSONWriter.Key(name)
        fields = [Field(ifAny: name, Output.schema, summary, example: example?.json)]
        write = { subject, json in
            guard let output = value(subject) else { return }
            json.key(key)
            output.write(to: &json)
        }
    }

    /// A member whose value is always the example of its schema.
    package init(_ name: String, always schema: Schema) {
        let (key, value) = (JSONWriter.Key(name), schema.example.text)
        fields = [Field(name, schema)]
        write = { _, json in
            json.key(key)
            json.number(value)
        }
    }

    fileprivate init(_ fields: [Field], _ write: @escaping Writer) {
        (self.fields, self.write) = (fields, write)
    }

    private func with(_ change: (Schema) -> Schema) -> Self {
        var member = self
        member.fields[0].schema = change(fields[0].schema)
        return member
    }

    /// With these bounds in the schema.
    package func bounds(_ minimum: Double, _ maximum: Double? = nil) -> Self {
        with { $0.with("minimum", .number(minimum)).with("maximum", maximum.map { .number($0) }) }
    }

    /// With this regular expression in the schema.
    package func pattern(_ pattern: String) -> Self { with { $0.matching(pattern) } }

    /// With this format of texts in the schema.
    package func format(_ format: String) -> Self { with { $0.with("format", .text(format)) } }

    /// With these as the only texts in the schema.
    package func choices(_ words: [String]) -> Self { with { $0.choosing(words) } }
}

/// All members of another shape, in the same object.
package struct Including<Value, Other: Shaped> {
    fileprivate let member: Member<Value>

    package init(_ part: @escaping @Sendable (Value) -> Other) {
        member = Member(Other.shape.info.fields) { Other.shape.write(part($0), &$1) }
    }

    /// The members are left out if the part is nil.
    package init(ifAny part: @escaping @Sendable (Value) -> Other?) {
        let fields = Other.shape.info.fields.map { field in
            var field = field
            field.isRequired = false
            return field
        }
        member = Member(fields) { subject, json in
            if let part = part(subject) { Other.shape.write(part, &json) }
        }
    }
}

extension ListBuilder {
    package static func buildExpression<Value>(_ part: Including<Value, some Shaped>) -> [Element]
    where Element == Member<Value> {
        [part.member]
    }
}

extension JSONRepresentable {
    fileprivate var json: JSONText { .json(JSONWriter.text { write(to: &$0) }) }
}
