package import JSON
import Processes

/// A value of a JSON text, with its schema. The CLI's `--json`, the API and its events write values of these types only.
package protocol JSONRepresentable: SendableMetatype {
    func write(to json: inout JSONWriter)

    static var schema: Schema { get }
}

extension Int: JSONRepresentable {
    package func write(to json: inout JSONWriter) { json.value(self) }
    /// Almost all our numbers are ids or counts, so 0 is the default minimum.
    package static var schema: Schema { .count }
}

extension Double: JSONRepresentable {
    package func write(to json: inout JSONWriter) { json.value(self) }
    package static var schema: Schema { .number }
}

extension Bool: JSONRepresentable {
    package func write(to json: inout JSONWriter) { json.value(self) }
    package static var schema: Schema { .flag }
}

extension String: JSONRepresentable {
    package func write(to json: inout JSONWriter) { json.value(self) }
    package static var schema: Schema { .text }
}

/// A length of time in seconds.
extension Duration: JSONRepresentable {
    package func write(to json: inout JSONWriter) { json.value(self / .seconds(1)) }
    package static var schema: Schema { .number }
}

/// A time in RFC 3339, to the millisecond.
package struct Moment: JSONRepresentable {
    let seconds: Double

    /// `seconds` since 1970.
    package init(_ seconds: Double) { self.seconds = seconds }
    package init(_ sinceEpoch: Duration) { seconds = sinceEpoch / .seconds(1) }

    package func write(to json: inout JSONWriter) { json.value(Timestamp.text(seconds)) }
    package static var schema: Schema { .moment.with(example: "2026-11-22T15:00:00.000Z") }
}

extension JSONRepresentable where Self: RawRepresentable & CaseIterable, RawValue == String {
    package func write(to json: inout JSONWriter) { json.value(rawValue) }
    package static var schema: Schema { .choice(allCases.map(\.rawValue)) }
}

extension Optional: JSONRepresentable where Wrapped: JSONRepresentable {
    package func write(to json: inout JSONWriter) {
        if let self { self.write(to: &json) } else { json.value(nil as String?) }
    }

    package static var schema: Schema {
        let schema = Wrapped.schema
        return schema.isObject ? schema.orNull : schema.orNull.with(example: nil)
    }
}

extension Array: JSONRepresentable where Element: JSONRepresentable {
    package func write(to json: inout JSONWriter) { json.list(self) { $1.write(to: &$0) } }
    package static var schema: Schema { .list(Element.schema) }
}

/// Values by names that are data, such as currencies.
extension Dictionary: JSONRepresentable where Key == String, Value: JSONRepresentable {
    package func write(to json: inout JSONWriter) {
        json.object { json in
            for (name, value) in sorted(by: { $0.key < $1.key }) { json.member(name) { value.write(to: &$0) } }
        }
    }

    package static var schema: Schema { .map(Value.schema) }
}

/// Values by the cases of an enum, in the order of the cases.
package struct ByCase<Key: RawRepresentable & CaseIterable & Hashable, Value: JSONRepresentable>: JSONRepresentable
where Key.RawValue == String {
    let values: [Key: Value]

    package init(_ values: [Key: Value]) { self.values = values }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            for key in Key.allCases {
                if let value = values[key] { json.member(key.rawValue) { value.write(to: &$0) } }
            }
        }
    }

    package static var schema: Schema {
        let value = Value.schema
        return .object {
            for key in Key.allCases {
                Field(ifAny: key.rawValue, value, example: value.example == nil ? 0 : value.example)
            }
        }
    }
}

/// A JSON text that a literal of Swift gives. It is made when it is read, because requests pass examples that only the
/// description reads.
package enum JSONText: Sendable, Hashable {
    case json(String), text(String), integer(Int), number(Double), flag(Bool), list([JSONText])
    /// The names and the values in turn.
    case object([JSONText])

    init(_ words: [String]) { self = .list(words.map { .text($0) }) }

    package var text: String {
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
    package init(stringLiteral value: String) { self = .text(value) }
    package init(integerLiteral value: Int) { self = .integer(value) }
    package init(floatLiteral value: Double) { self = .number(value) }
    package init(booleanLiteral value: Bool) { self = .flag(value) }
    package init(nilLiteral: ()) { self = .json("null") }
    package init(arrayLiteral elements: JSONText...) { self = .list(elements) }
    package init(dictionaryLiteral elements: (JSONText, JSONText)...) { self = .object(elements.flatMap { [$0, $1] }) }
}
