package import JSON

/// A type with one form in JSON, which the CLI, the API, its events and its description share.
package protocol Shaped: JSONRepresentable {
    static var shape: Shape<Self> { get }
}

extension Shaped {
    package func write(to json: inout JSONWriter) {
        json.object { Self.shape.write(self, &$0) }
    }

    package static var schema: Schema { Schema(.object(shape.info), example: shape.info.example) }
}

/// The members of a JSON object, each with a closure that gets its value. Nothing is found by reflection.
package struct Shape<Value>: Sendable {
    package let info: ShapeInfo
    /// Writes all members.
    let write: Member<Value>.Writer

    package init(_ name: String, _ summary: String, @Members<Value> _ members: () -> [Member<Value>]) {
        let members = members()
        write = Self.all(members)
        info = ShapeInfo(name: name, summary: summary, members: members.flatMap(\.infos))
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

    fileprivate var infos: [MemberInfo]
    fileprivate let write: Writer

    package init<Output: JSONRepresentable>(
        _ name: String, _ summary: String = "", example: Output? = nil, _ value: @escaping @Sendable (Value) -> Output
    ) {
        let key = JSONWriter.Key(name)
        infos = [MemberInfo(name, summary, example)]
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
        infos = [MemberInfo(name, summary, example, isRequired: false)]
        write = { subject, json in
            guard let output = value(subject) else { return }
            json.key(key)
            output.write(to: &json)
        }
    }

    fileprivate init(_ infos: [MemberInfo], _ write: @escaping Writer) {
        (self.infos, self.write) = (infos, write)
    }

    private func with(_ change: (inout Schema) -> Void) -> Self {
        var member = self
        change(&member.infos[0].schema)
        return member
    }

    /// With these bounds in the schema.
    package func bounds(_ minimum: Double?, _ maximum: Double? = nil) -> Self {
        with { ($0.minimum, $0.maximum) = (minimum, maximum) }
    }

    /// With this regular expression in the schema.
    package func pattern(_ pattern: String) -> Self { with { $0.pattern = pattern } }

    /// With this format of texts in the schema.
    package func format(_ format: String) -> Self { with { $0.format = format } }

    /// With these as the only texts in the schema.
    package func choices(_ words: [String]) -> Self { with { $0.choices = words } }
}

/// All members of another shape, in the same object.
package struct Including<Value, Other: Shaped> {
    fileprivate let member: Member<Value>

    package init(_ part: @escaping @Sendable (Value) -> Other) {
        member = Member(Other.shape.info.members) { Other.shape.write(part($0), &$1) }
    }

    /// The members are left out if the part is nil.
    package init(ifAny part: @escaping @Sendable (Value) -> Other?) {
        let infos = Other.shape.info.members.map { info in
            var info = info
            info.isRequired = false
            return info
        }
        member = Member(infos) { subject, json in
            if let part = part(subject) { Other.shape.write(part, &json) }
        }
    }
}

@resultBuilder
package enum Members<Value> {
    package static func buildExpression(_ member: Member<Value>) -> [Member<Value>] { [member] }
    package static func buildExpression<Other>(_ part: Including<Value, Other>) -> [Member<Value>] { [part.member] }
    package static func buildBlock(_ members: [Member<Value>]...) -> [Member<Value>] { members.flatMap(\.self) }
    package static func buildOptional(_ members: [Member<Value>]?) -> [Member<Value>] { members ?? [] }
    package static func buildArray(_ members: [[Member<Value>]]) -> [Member<Value>] { members.flatMap(\.self) }
}

/// The description of a shape, without its type.
package struct ShapeInfo: Sendable {
    /// Empty for an object that has no name of its own in the description of the API.
    package let name: String
    package let summary: String
    package let members: [MemberInfo]

    package init(name: String, summary: String, members: [MemberInfo]) {
        (self.name, self.summary, self.members) = (name, summary, members)
    }

    /// As JSON, composed from the members' examples.
    package var example: String {
        JSONWriter.text { json in
            json.object { json in
                for member in members where member.isShown {
                    json.member(member.name, number: member.schema.example ?? "null")
                }
            }
        }
    }

    /// Writes the schema of the object.
    package func write(to json: inout JSONWriter) {
        json.object { json in
            if !summary.isEmpty { json.member("description", summary) }
            json.member("type", "object")
            writeMembers(to: &json)
            json.member("examples", number: "[\(example)]")
        }
    }

    func writeMembers(to json: inout JSONWriter) {
        json.object("properties") { json in
            for member in members {
                json.member(member.name) { member.schema.write(to: &$0, summary: member.summary) }
            }
        }
        json.list("required", members.filter(\.isRequired)) { $0.value($1.name) }
        json.member("additionalProperties", false)
    }
}

package struct MemberInfo: Sendable {
    package let name: String
    package let summary: String
    package fileprivate(set) var schema: Schema
    /// False if the member may be missing.
    package fileprivate(set) var isRequired: Bool
    /// False if the example of the object leaves it out: a member that may be missing and has no example of its own.
    let isShown: Bool

    init<Output: JSONRepresentable>(_ name: String, _ summary: String, _ example: Output?, isRequired: Bool = true) {
        (self.name, self.summary, self.isRequired) = (name, summary, isRequired)
        isShown = isRequired || example != nil
        schema = Output.schema
        if let example { schema.example = JSONWriter.text { example.write(to: &$0) } }
    }
}
