/// Any JSON, for what is read by a path and not by a type.
package enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])

    /// Reads a whole JSON text. It says what is wrong and where.
    package init(parsing bytes: [UInt8]) throws(JSONError) {
        self = try bytes.withUnsafeBufferPointer { all throws(JSONError) in
            var parser = JSONParser(all)
            return try parser.parse()
        }
    }

    /// What a person would write for it; nil for nothing, and for what has parts.
    package var written: String? {
        switch self {
        case .bool(let bool): "\(bool)"
        // Some services write house numbers and postcodes as numbers.
        case .number(let number): Int(exactly: number).map { "\($0)" } ?? "\(number)"
        case .text(let text): text.isEmpty ? nil : text
        case .null, .list, .object: nil
        }
    }

    /// As a number, also where it was written as a text.
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
