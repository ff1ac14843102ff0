import Formats
import JSON
import Locations

/// Reads the members of a body strictly, and collects all mistakes for one error response.
///
/// Unknown members are ignored, as Monica ignores most of the members that its own clients send.
struct FieldReader {
    let members: [String: JSONValue]
    private var mistakes: [RequestError.Mistake] = []
    /// True if numbers and flags may be texts, because in a form every value is a text.
    private let isForm: Bool

    init(_ body: [UInt8]) throws {
        let value: JSONValue
        do { value = try JSONValue(parsing: body) } catch {
            switch error.problem {
            case .notUTF8: throw RequestError.malformed("The body is not UTF-8.")
            case .tooDeep: throw RequestError.malformed("In the body, \(error.problem.rawValue).")
            default: throw RequestError.malformed("Problems parsing JSON.")
            }
        }
        guard let members = value.object else { throw RequestError.malformed("The body is no JSON object.") }
        self.init(members)
    }

    /// If a name occurs twice, the last field counts.
    init(form fields: [(name: String, value: String)]) {
        let members = Dictionary(fields.map { ($0.name, JSONValue.text($0.value)) }) { $1 }
        self = FieldReader(members, isForm: true).asInForms
    }

    init(_ members: [String: JSONValue], isForm: Bool = false) {
        self.members = members
        self.isForm = isForm
    }

    /// The same members, read like a form: white space around a text is removed, and an empty text is null.
    var asInForms: FieldReader {
        let trimmed = members.mapValues { value in
            guard case .text(let text) = value else { return value }
            let inner = text.drop(while: \.isWhitespace)
            let end = inner.lastIndex { !$0.isWhitespace }.map { inner.index(after: $0) } ?? inner.startIndex
            return inner.isEmpty ? .null : .text(String(inner[..<end]))
        }
        return FieldReader(trimmed, isForm: true)
    }

    /// The names of the given members.
    var names: Set<String> { Set(members.keys) }

    /// The given value of `name`, of any type.
    func value(_ name: String) -> JSONValue? { members[name] }

    /// A text within `limit`; empty if it is missing or null.
    mutating func text(_ name: String, within limit: TextLimit = .text) -> String {
        switch members[name] {
        case nil, .null: return ""
        case .text(let text):
            if !limit.permits(text) {
                mistake(name, limit.refusal)
            } else if text.utf8.contains(0) {
                mistake(name, "has the character U+0000, which can't be stored")
            }
            return text
        default:
            mistake(name, "is no text")
            return ""
        }
    }

    /// A text that must not be empty.
    mutating func requiredText(_ name: String, within limit: TextLimit = .text) -> String {
        let text = text(name, within: limit)
        if text.isEmpty, !isMistaken(name) { mistake(name, "is missing") }
        return text
    }

    /// One of our ids; 0 if it is missing or invalid, which is a mistake.
    mutating func requiredID(_ name: String) -> Int {
        if case .number(let number) = members[name], let id = Int(exactly: number), id > 0 { return id }
        if isForm, let id = members[name]?.text.flatMap(Int.init(digits:)), id > 0 { return id }
        let isMissing = members[name] == nil || members[name] == .null
        mistake(name, isMissing ? "is missing" : "is no whole number above 0")
        return 0
    }

    /// A number within `range`; nil if it is missing or null.
    mutating func number(_ name: String, in range: ClosedRange<Double>) -> Double? {
        switch members[name] {
        case nil, .null: return nil
        case .number(let number) where range.contains(number): return number
        default:
            mistake(name, "is no number from \(Int(range.lowerBound)) to \(Int(range.upperBound))")
            return nil
        }
    }

    /// A whole number within `range`; nil if it is missing or null.
    mutating func integer(_ name: String, in range: ClosedRange<Int>) -> Int? {
        switch members[name] {
        case nil, .null: return nil
        case .number(let number):
            if let whole = Int(exactly: number), range.contains(whole) { return whole }
        default: break
        }
        mistake(name, "is no whole number from \(range.lowerBound) to \(range.upperBound)")
        return nil
    }

    /// Like `number`, but a missing or null value is a mistake.
    mutating func requiredNumber(_ name: String, in range: ClosedRange<Double>) -> Double {
        let number = number(name, in: range)
        if number == nil, !isMistaken(name) { mistake(name, "is missing") }
        return number ?? range.lowerBound
    }

    /// True or false; a missing or null value is a mistake.
    mutating func requiredFlag(_ name: String) {
        if flag(name) == nil, !isMistaken(name) { mistake(name, "is missing") }
    }

    mutating func flag(_ name: String) -> Bool? {
        switch members[name] {
        case nil, .null: return nil
        case .bool(let flag): return flag
        case .number(0) where isForm, .text("0") where isForm: return false
        case .number(1) where isForm, .text("1") where isForm: return true
        default:
            mistake(name, "is neither true nor false")
            return nil
        }
    }

    /// In seconds since 1970.
    mutating func timestamp(_ name: String) -> Double? {
        switch members[name] {
        case nil, .null: return nil
        case .text(let text):
            if let seconds = Timestamp.seconds(text) { return seconds }
            fallthrough
        default:
            mistake(name, "is no time such as 2026-11-22T15:00:00Z")
            return nil
        }
    }

    mutating func mistake(_ field: String, _ detail: String) {
        mistakes.append(.init(field: field, detail: detail))
    }

    /// Adds the mistakes of one item of a list, each with the item's position in front.
    mutating func add(_ others: FieldReader, at place: String) {
        for mistake in others.mistakes { self.mistake("\(place).\(mistake.field)", mistake.detail) }
    }

    var mistakeCount: Int { mistakes.count }

    func isMistaken(_ field: String) -> Bool { mistakes.contains { $0.field == field } }

    /// Throws if there are mistakes, with all of them.
    func finish() throws {
        guard mistakes.isEmpty else { throw RequestError.invalid(fields: mistakes) }
    }
}
