import JSON

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
