import Formats
import Geocoding
import HTTP
import JSON
import Locations
import Processes
import Shapes

/// Reads the parameters of a query or the members of a body strictly, and collects all mistakes for one error response.
///
/// Each function takes the bounds, the help and an example of its value. So the calls that read a request describe it
/// too: see ``fields(as:of:)``.
struct RequestReader {
    /// How values are written. In a query every value is a text.
    enum Notation { case json, query }

    let members: [String: JSONValue]
    private let notation: Notation
    /// The parameters that occur more than once.
    private let repeated: [String]
    private var mistakes: [RequestError.Mistake] = []
    /// Coordinates that are numbers outside of the valid range.
    private var offEarth: [RequestError.Mistake] = []
    /// The names of the members that were read.
    private var known: [String] = []
    /// The description of what was read; nil while a request is read.
    private var fields: [Field]?

    init(_ body: [UInt8]) throws {
        let value: JSONValue
        do { value = try JSONValue(parsing: body) } catch {
            switch error.problem {
            case .notUTF8: throw RequestError.malformed("The body is not UTF-8.")
            case .tooDeep: throw RequestError.malformed("In the body, \(error.problem.rawValue).")
            default: throw RequestError.malformed("Problems parsing JSON.")
            }
        }
        guard let members = value.object else { throw RequestError.malformed("The body must be a JSON object.") }
        self.init(members)
    }

    /// If a name occurs twice, the first parameter counts, and ``finish(allowingOthers:)`` refuses the second.
    init(query: [(name: String, value: String)]) {
        var (members, repeated) = ([String: JSONValue](), [String]())
        for (name, value) in query {
            if members[name] == nil { members[name] = .text(value) } else { repeated.append(name) }
        }
        self.init(members, as: .query, repeated: repeated)
    }

    init(_ members: [String: JSONValue], as notation: Notation = .json, repeated: [String] = []) {
        (self.members, self.notation, self.repeated) = (members, notation, repeated)
    }

    /// The fields that `read` reads, for the description of the API.
    static func fields(as notation: Notation, of read: (inout RequestReader) -> some Any) -> [Field] {
        var reader = RequestReader([:], as: notation)
        reader.fields = []
        _ = read(&reader)
        return reader.fields ?? []
    }

    func isGiven(_ name: String) -> Bool { members[name] != nil }

    var mistakeCount: Int { mistakes.count }

    func isMistaken(_ names: String...) -> Bool { mistakes.contains { names.contains($0.field) } }

    mutating func mistake(_ field: String, _ detail: String) {
        mistakes.append(.init(field: field, detail: detail))
    }

    mutating func offEarth(_ name: String, _ detail: String) { offEarth.append(.init(field: name, detail: detail)) }

    /// Adds the mistakes of one item of a list, each with the item's position in front.
    mutating func add(_ others: RequestReader, at place: String) {
        for mistake in others.mistakes { self.mistake("\(place).\(mistake.field)", mistake.detail) }
    }

    /// Refuses the members that were not read: a misspelt one would have no effect without a notice.
    mutating func refuseOthers() {
        for name in members.keys.sorted() where !known.contains(name) {
            mistake(name, "is not known here; known: \(known.joined(separator: ", "))")
        }
    }

    /// Throws all mistakes. An unknown parameter is one too: a misspelt filter would return more than was requested.
    mutating func finish(allowingOthers: Bool = false) throws {
        guard notation == .query else {
            guard mistakes.isEmpty else { throw RequestError.invalid(fields: mistakes) }
            return
        }
        if !allowingOthers {
            for name in repeated where known.contains(name) { mistake(name, "is there more than once") }
            if !Set(members.keys).isSubset(of: known) {
                let names = known.isEmpty ? "none" : known.sorted().joined(separator: ", ")
                mistake("query", "has a parameter that is not known here; known: \(names)")
            }
        }
        guard mistakes.isEmpty else { throw RequestError.invalid(parameters: mistakes + offEarth) }
        guard offEarth.isEmpty else { throw RequestError.offEarth(offEarth) }
    }
}

/// Values of one kind. Nil means that the value is missing, null or wrong.
extension RequestReader {
    /// A value that `parse` understands.
    mutating func value<Value>(
        _ name: String, _ schema: @autoclosure () -> Schema, _ help: String = "", example: JSONText? = nil,
        isRequired: Bool = false, isNullable: Bool = true, refusal: @autoclosure () -> String,
        _ parse: (JSONValue) -> Value?
    ) -> Value? {
        known.append(name)
        if fields != nil {
            let canBeNull = isNullable && !isRequired && notation != .query
            let schema = canBeNull ? schema().orNull : schema()
            fields?.append(
                isRequired
                    ? Field(name, schema, help, example: example) : Field(ifAny: name, schema, help, example: example))
        }
        guard let value = members[name], value != .null else {
            if isRequired { mistake(name, "is missing") }
            return nil
        }
        let parsed = parse(value)
        if parsed == nil { mistake(name, refusal()) }
        return parsed
    }

    /// A text within `limit`, as it is stored.
    mutating func text(
        _ name: String, schema: @autoclosure () -> Schema? = nil, within limit: TextLimit = .text, _ help: String = "",
        example: JSONText? = nil, isRequired: Bool = false, isNullable: Bool = true
    ) -> String? {
        let text = value(
            name, schema() ?? .text(within: limit), help, example: example, isRequired: isRequired,
            isNullable: isNullable, refusal: "must be a text", \.text)
        guard let text else { return nil }
        let stored = limit.fitted(text)
        if let stored, !stored.utf8.contains(0) { return stored }
        mistake(name, stored == nil ? limit.refusal : "has the character U+0000, which can't be stored")
        return nil
    }

    /// A text that must not be empty.
    mutating func requiredText(
        _ name: String, within limit: TextLimit = .text, pattern: String = #"^[^\u0000]*$"#, _ help: String = "",
        example: JSONText? = nil
    ) -> String {
        let text = text(
            name, schema: .text(1...limit.characters).matching(pattern), within: limit, help, example: example,
            isRequired: true)
        if text == "" { mistake(name, "is missing") }
        return text ?? ""
    }

    /// A text that `parse` understands.
    mutating func parsed<Value>(
        _ name: String, _ schema: @autoclosure () -> Schema, within limit: TextLimit = .text, _ help: String = "",
        example: JSONText? = nil, isRequired: Bool = false, refusal: @autoclosure () -> String,
        _ parse: (String) -> Value?
    ) -> Value? {
        let text = text(name, schema: schema(), within: limit, help, example: example, isRequired: isRequired)
        guard let text else { return nil }
        let parsed = parse(text)
        if parsed == nil { mistake(name, refusal()) }
        return parsed
    }

    mutating func integer(
        _ name: String, schema: @autoclosure () -> Schema? = nil, in range: ClosedRange<Int>, _ help: String = "",
        example: JSONText? = nil, isRequired: Bool = false, isNullable: Bool = true
    ) -> Int? {
        value(
            name, schema() ?? .integer(range), help, example: example, isRequired: isRequired, isNullable: isNullable,
            refusal: "must be a whole number from \(range.lowerBound) to \(range.upperBound)"
        ) { [notation] in $0.whole(in: notation).flatMap { range.contains($0) ? $0 : nil } }
    }

    mutating func integer(
        _ name: String, in range: ClosedRange<Int>, _ help: String = "", usual: Int, example: JSONText? = nil
    ) -> Int {
        integer(
            name, schema: .integer(range).byDefault(JSONText(integerLiteral: usual)), in: range, help, example: example)
            ?? usual
    }

    /// The number of items in a page.
    mutating func limit(_ size: PageSize) -> Int {
        integer("limit", in: 1...size.most, usual: size.usual, example: 10)
    }

    /// The number that identifies a row.
    mutating func id(_ name: String, _ help: String = "", example: JSONText? = nil) -> Int? {
        integer(name, in: 1...Int.max, help, example: example)
    }

    mutating func requiredID(_ name: String) -> Int {
        let most = 9_007_199_254_740_992
        return value(name, .integer(1...most), example: 1, isRequired: true, refusal: "must be a whole number above 0")
        {
            [notation] in $0.whole(in: notation).flatMap { $0 > 0 ? $0 : nil }
        } ?? 0
    }

    /// A length of time in whole seconds, up to a hundred years.
    mutating func seconds(
        _ name: String, _ help: String = "", example: JSONText? = nil
    ) -> Duration? {
        integer(name, in: 1...3_162_240_000, help, example: example).map { .seconds($0) }
    }

    /// `usual` is only described: the caller applies it.
    mutating func number(
        _ name: String, in range: ClosedRange<Double>, _ help: String = "", usual: Double? = nil,
        example: JSONText? = nil, isRequired: Bool = false
    ) -> Double? {
        value(
            name, usual.map { .number(range).byDefault(JSONText(floatLiteral: $0)) } ?? .number(range), help,
            example: example, isRequired: isRequired,
            refusal: "must be a number from \(range.lowerBound.plain) to \(range.upperBound.plain)"
        ) { [notation] in $0.number(in: notation).flatMap { range.contains($0) ? $0 : nil } }
    }

    /// Degrees of latitude or longitude. A parameter out of range is a separate mistake with status 422.
    mutating func degrees(_ name: String, to most: Double, example: JSONText) -> Double? {
        guard notation == .query else {
            return number(name, in: -most...most, example: example, isRequired: true)
        }
        let degrees = value(
            name, .number(-most...most), example: example, isRequired: true, refusal: "must be a number"
        ) { [notation] in $0.number(in: notation) }
        if let degrees, abs(degrees) > most { offEarth(name, "is not from \(Int(-most)) to \(Int(most))") }
        return degrees
    }

    /// `usual` is only described: the caller applies it.
    mutating func flag(
        _ name: String, _ help: String = "", usual: Bool? = nil, example: JSONText? = nil
    ) -> Bool? {
        let notation = notation
        return value(
            name, usual.map { .flag.byDefault(JSONText(booleanLiteral: $0)) } ?? .flag, help, example: example,
            refusal: "is neither true nor false"
        ) { value in
            switch (value, notation) {
            case (.bool(let flag), _): flag
            case (.text("true"), .query): true
            case (.text("false"), .query): false
            default: nil
            }
        }
    }

    /// One of the words. In a body an empty text may stand for none of them. `usual` is only described.
    mutating func choice<Choice: RawRepresentable<String>>(
        _ name: String, of choices: [Choice], _ help: String = "", mayBeEmpty: Bool = false, usual: Choice? = nil,
        example: JSONText? = nil
    ) -> Choice? {
        let words = choices.map(\.rawValue)
        let choice: Choice?? = value(
            name, .choice(words + (mayBeEmpty ? [""] : []), usual: usual?.rawValue), help, example: example,
            refusal: "is none of \(words.joined(separator: ", "))"
        ) { value in
            if mayBeEmpty, value == .text("") { return .some(nil) }
            return choices.first { value == .text($0.rawValue) }.map { .some($0) }
        }
        return choice ?? nil
    }

    /// A time in seconds since 1970.
    mutating func moment(
        _ name: String, _ help: String = "", example: JSONText? = nil
    ) -> Double? {
        parsed(
            name, .moment, within: .user, help, example: example,
            refusal: "must be a time such as 2026-11-22T15:00:00Z", Timestamp.seconds)
    }

    /// A list of values that `parse` understands; empty if it is missing or null.
    mutating func list<Item>(
        _ name: String, of items: @autoclosure () -> Schema, _ counts: ClosedRange<Int>? = nil, _ help: String = "",
        example: JSONText? = nil, isRequired: Bool = false, refusal: @autoclosure () -> String,
        _ parse: (JSONValue) -> Item?
    ) -> [Item] {
        value(
            name, .list(items(), counts), help, example: example, isRequired: isRequired, refusal: refusal()
        ) { value in
            guard let list = value.list, counts?.contains(list.count) != false else { return nil }
            let items = list.compactMap(parse)
            return items.count == list.count ? items : nil
        } ?? []
    }

    mutating func ids(_ name: String, _ help: String = "", example: JSONText? = nil) -> [Int] {
        list(
            name, of: .id, 0...1_000, help, example: example,
            refusal: "must be a list of at most 1000 whole numbers above 0"
        ) { $0.whole(in: .json).flatMap { $0 > 0 ? $0 : nil } }
    }

    /// A list of objects, each read by `read`; empty if it is missing or null. With a `model` they have that name in the
    /// description.
    mutating func objects<Item>(
        _ name: String, _ counts: ClosedRange<Int>, _ help: String = "", model: String? = nil,
        allowsOthers: Bool = true, example: JSONText? = nil, isRequired: Bool = false,
        _ read: (inout RequestReader) -> Item
    ) -> [Item] {
        let objects = list(
            name,
            of: model.map { .model(Model($0, allowsOthers: allowsOthers, reading: read)) }
                ?? .object(allowsOthers: allowsOthers) { Self.fields(as: .json, of: read) },
            counts, help, example: example, isRequired: isRequired,
            refusal: "must be a list of \(counts.lowerBound) to \(counts.upperBound) objects", \.object)
        return objects.enumerated().map { place, members in
            var reader = RequestReader(members)
            let item = read(&reader)
            if !allowsOthers { reader.refuseOthers() }
            add(reader, at: "\(name)[\(place)]")
            return item
        }
    }
}

extension JSONValue {
    fileprivate func whole(in notation: RequestReader.Notation) -> Int? {
        switch self {
        case .number(let number): Int(exactly: number)
        case .text(let text) where notation != .json: Int(digits: text)
        default: nil
        }
    }

    fileprivate func number(in notation: RequestReader.Notation) -> Double? {
        switch self {
        case .number(let number): number
        case .text(let text) where notation != .json: Double(decimal: text)
        default: nil
        }
    }
}

extension Model {
    /// The object that `read` reads.
    init(
        _ name: String, _ summary: String = "", allowsOthers: Bool = true,
        reading read: (inout RequestReader) -> some Any
    ) {
        self.init(name, summary, allowsOthers: allowsOthers) { RequestReader.fields(as: .json, of: read) }
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
    /// 1 and not 1.0.
    fileprivate var plain: String { Int(exactly: self).map { "\($0)" } ?? "\(self)" }

    /// Accepts only decimal notation: `Double` would accept "nan", "0x1p3" and "inf" too.
    init?(decimal: String) {
        guard decimal.utf8.allSatisfy({ (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }) else { return nil }
        self.init(decimal)
    }
}
