/// Any JSON value, for data that is read by paths and not into a type.
package enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])

    /// Parses a whole JSON text. The error contains the problem and its position.
    package init(parsing bytes: [UInt8]) throws(JSONError) {
        self = try bytes.withUnsafeBufferPointer { all throws(JSONError) in
            var parser = JSONParser(all)
            return try parser.parse()
        }
    }

    /// The value as a person would write it; nil for null, an empty text, a list or an object.
    package var written: String? {
        switch self {
        case .bool(let bool): "\(bool)"
        // Some services write house numbers and postcodes as numbers.
        case .number(let number): Int(exactly: number).map { "\($0)" } ?? "\(number)"
        case .text(let text): text.isEmpty ? nil : text
        case .null, .list, .object: nil
        }
    }

    /// The value as a number, even if it was written as a text.
    package var number: Double? {
        switch self {
        case .number(let number): number
        case .text(let text): Double(text)
        default: nil
        }
    }

    package var list: [JSONValue]? { if case .list(let items) = self { items } else { nil } }
    package var object: [String: JSONValue]? { if case .object(let members) = self { members } else { nil } }
    package var text: String? { if case .text(let text) = self { text } else { nil } }
}
