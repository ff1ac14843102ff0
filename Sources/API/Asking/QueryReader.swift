import Formats
import HTTP
import Shapes

/// Reads the query parameters of a request strictly, and collects all mistakes for one error response.
struct QueryReader {
    private let query: [(name: String, value: String)]
    private var known: Set<String> = []
    private var mistakes: [RequestError.Mistake] = []
    /// Coordinates that are numbers outside of the valid range.
    private var offEarth: [RequestError.Mistake] = []

    init(_ request: ServerRequest) {
        query = request.query
    }

    /// A whole number within `range`.
    mutating func integer(_ name: String, in range: ClosedRange<Int>) -> Int? {
        guard let text = value(name) else { return nil }
        guard let number = Int(digits: text), range.contains(number) else {
            return mistake(name, "is no whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// The number of items in a page.
    mutating func limit(_ size: PageSize) -> Int { integer("limit", in: 1...size.most) ?? size.usual }

    mutating func number(_ name: String, in range: ClosedRange<Double>) -> Double? {
        guard let text = value(name) else { return nil }
        guard let number = Double(decimal: text), range.contains(number) else {
            return mistake(name, "is no number from \(Int(range.lowerBound)) to \(Int(range.upperBound))")
        }
        return number
    }

    /// Degrees of latitude or longitude. A value out of range is a separate mistake with status 422.
    mutating func degrees(_ name: String, in range: ClosedRange<Double>) -> Double? {
        guard let text = value(name) else { return nil }
        guard let number = Double(decimal: text) else { return mistake(name, "is no number") }
        if !range.contains(number) {
            offEarth(name, "is not from \(Int(range.lowerBound)) to \(Int(range.upperBound))")
        }
        return number
    }

    mutating func offEarth(_ name: String, _ detail: String) { offEarth.append(.init(field: name, detail: detail)) }

    mutating func text(_ name: String, within limit: TextLimit = .text) -> String? {
        guard let text = value(name) else { return nil }
        guard limit.permits(text) else { return mistake(name, limit.refusal) }
        return text
    }

    /// One of `words`.
    mutating func choice(_ name: String, of words: [String]) -> String? {
        guard let text = value(name) else { return nil }
        guard words.contains(text) else { return mistake(name, "is none of \(words.joined(separator: ", "))") }
        return text
    }

    mutating func flag(_ name: String) -> Bool {
        choice(name, of: ["true", "false"]) == "true"
    }

    /// Adds the mistake that a required parameter is missing.
    mutating func require(_ name: String) {
        if value(name) == nil { mistakes.append(.init(field: name, detail: "is missing")) }
    }

    @discardableResult
    mutating func mistake<Value>(_ name: String, _ detail: String) -> Value? {
        mistakes.append(.init(field: name, detail: detail))
        return nil
    }

    /// Throws all mistakes. An unknown parameter is one too: a misspelt filter would return more than was requested.
    mutating func finish(allowingOthers: Bool = false) throws {
        if !allowingOthers {
            var seen: Set<String> = []
            for (name, _) in query where !seen.insert(name).inserted && known.contains(name) {
                mistakes.append(.init(field: name, detail: "is there more than once"))
            }
            if !seen.isSubset(of: known) {
                let names = known.isEmpty ? "none" : known.sorted().joined(separator: ", ")
                mistakes.append(
                    .init(field: "query", detail: "has a parameter that is not known here; known: \(names)"))
            }
        }
        guard mistakes.isEmpty else { throw RequestError.invalid(parameters: mistakes + offEarth) }
        guard offEarth.isEmpty else { throw RequestError.offEarth(offEarth) }
    }

    private mutating func value(_ name: String) -> String? {
        known.insert(name)
        return query.first { $0.name == name }?.value
    }
}

extension Int {
    /// Accepts only digits: `Int` would accept "+7" too.
    init?(digits: String) {
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        self.init(digits)
    }
}

extension Double {
    /// Accepts only decimal notation: `Double` would accept "nan", "0x1p3" and "inf" too.
    init?(decimal: String) {
        guard decimal.utf8.allSatisfy({ (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }) else { return nil }
        self.init(decimal)
    }
}
