import FoundationEssentials
import JSON

/// Reads the members of a body strictly, and collects all mistakes so that one answer names them all.
///
/// Unknown members are ignored, as Monica ignores most of what its own clients send.
struct FieldReader {
    private let members: [String: JSONValue]
    private var mistakes: [RequestError.Mistake] = []

    /// A contact needs no more, and a recursive parser has only so much stack.
    private static let deepest = 16

    init(_ body: [UInt8]) throws {
        guard String(validating: body, as: UTF8.self) != nil else {
            throw RequestError.malformed("The body is not UTF-8.")
        }
        guard Self.depth(of: body) <= Self.deepest else {
            throw RequestError.malformed("The body is nested more than \(Self.deepest) levels deep.")
        }
        guard let value = try? JSONDecoder().decode(JSONValue.self, from: Data(body)) else {
            throw RequestError.malformed("Problems parsing JSON.")
        }
        guard let members = value.object else { throw RequestError.malformed("The body is no JSON object.") }
        self.members = members
    }

    /// A text of at most `limit` characters; empty where it is missing or null.
    mutating func text(_ name: String, upTo limit: Int) -> String {
        switch members[name] {
        case nil, .null: return ""
        case .text(let text):
            if text.unicodeScalars.count > limit {
                mistake(name, "is longer than \(limit) characters")
            } else if text.utf8.contains(0) {
                mistake(name, "has the character U+0000, which can't be stored")
            }
            return text
        default:
            mistake(name, "is no text")
            return ""
        }
    }

    /// A text with something in it.
    mutating func requiredText(_ name: String, upTo limit: Int) -> String {
        let text = text(name, upTo: limit)
        if text.isEmpty, !isMistaken(name) { mistake(name, "is missing") }
        return text
    }

    /// The number of a thing that we gave it; 0 when it is missing or none, which is a mistake.
    mutating func requiredID(_ name: String) -> Int {
        if case .number(let number) = members[name], let id = Int(exactly: number), id > 0 { return id }
        let isMissing = members[name] == nil || members[name] == .null
        mistake(name, isMissing ? "is missing" : "is no whole number above 0")
        return 0
    }

    mutating func mistake(_ field: String, _ detail: String) {
        mistakes.append(.init(field: field, detail: detail))
    }

    func isMistaken(_ field: String) -> Bool { mistakes.contains { $0.field == field } }

    /// Throws all mistakes.
    func finish() throws {
        guard mistakes.isEmpty else { throw RequestError.invalid(fields: mistakes) }
    }

    /// How deep lists and objects stand in each other. Brackets inside of texts don't count.
    static func depth(of body: [UInt8]) -> Int {
        var (depth, deepest) = (0, 0)
        var (isText, isEscaped) = (false, false)
        for byte in body {
            if isText {
                if byte == UInt8(ascii: "\""), !isEscaped { isText = false }
                isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isText = true
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                deepest = max(deepest, depth)
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            default: break
            }
        }
        return deepest
    }
}
