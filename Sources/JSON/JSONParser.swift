/// Parses a JSON text in memory. A byte order mark before it is skipped.
///
/// If an object has a name twice, the last value counts. A number outside the range of a double becomes zero or
/// infinite.
struct JSONParser {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0
    private var depth = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    mutating func parse() throws(JSONError) -> JSONValue {
        do throws(JSONError.Problem) { position = try JSONGrammar.mark(bytes.prefix(3)) } catch { throw failure(error) }
        skipSpace()
        guard position < bytes.count else { throw failure(.empty) }
        let value = try value()
        skipSpace()
        guard position == bytes.count else { throw failure(.trailing) }
        return value
    }

    private mutating func value() throws(JSONError) -> JSONValue {
        switch try start() {
        case .object: return try nested { parser throws(JSONError) in try parser.object() }
        case .list: return try nested { parser throws(JSONError) in try parser.list() }
        case .text: return .text(try text())
        case .word(let word):
            try pass(word.spelling)
            return JSONValue(word)
        case .number(let first): return .number(try number(first))
        }
    }

    private func start() throws(JSONError) -> JSONStart {
        let byte = try peek()
        do throws(JSONError.Problem) { return try JSONStart(byte) } catch { throw failure(error) }
    }

    private mutating func nested(
        _ body: (inout Self) throws(JSONError) -> JSONValue
    ) throws(JSONError) -> JSONValue {
        guard depth < JSONGrammar.depth else { throw failure(.tooDeep) }
        depth += 1
        position += 1
        skipSpace()
        let value = try body(&self)
        depth -= 1
        return value
    }

    private mutating func list() throws(JSONError) -> JSONValue {
        var items: [JSONValue] = []
        if try take(UInt8(ascii: "]")) { return .list(items) }
        while true {
            items.append(try value())
            if try !goOn(until: UInt8(ascii: "]")) { return .list(items) }
        }
    }

    private mutating func object() throws(JSONError) -> JSONValue {
        var members: [String: JSONValue] = [:]
        if try take(UInt8(ascii: "}")) { return .object(members) }
        while true {
            guard try peek() == .quote else { throw failure(.nameExpected) }
            let name = try text()
            skipSpace()
            guard try take(UInt8(ascii: ":")) else { throw failure(.colonExpected) }
            skipSpace()
            members[name] = try value()
            if try !goOn(until: UInt8(ascii: "}")) { return .object(members) }
        }
    }

    /// True after a comma, false after the end.
    private mutating func goOn(until end: UInt8) throws(JSONError) -> Bool {
        skipSpace()
        if try take(end) { return false }
        guard try take(UInt8(ascii: ",")) else {
            let isBracket = bytes[position] == UInt8(ascii: "]") || bytes[position] == UInt8(ascii: "}")
            throw failure(isBracket ? .wrongBracket : .commaExpected)
        }
        skipSpace()
        return true
    }

    private mutating func pass(_ word: StaticString) throws(JSONError) {
        for offset in 0..<word.utf8CodeUnitCount {
            guard try peek() == word.utf8Start[offset] else { throw failure(.badWord) }
            position += 1
        }
    }

    private mutating func number(_ first: JSONNumber) throws(JSONError) -> Double {
        let start = position
        var state = first
        position += 1
        while position < bytes.count, let next = state.following(bytes[position]) {
            state = next
            position += 1
        }
        guard state.isWhole else { throw failure(position == bytes.count ? .unfinished : .badNumber) }
        let digits = UnsafeBufferPointer(rebasing: bytes[start..<position])
        guard let number = Double(String(decoding: digits, as: UTF8.self)) else { throw failure(.badNumber) }
        return number
    }

    /// Most texts have no escape. They become a string without another copy.
    private mutating func text() throws(JSONError) -> String {
        position += 1
        let start = position
        while try !isSpecial(peek()) { position += 1 }
        guard bytes[position] == .quote else { return try escapedText(from: start) }
        defer { position += 1 }
        return try string(UnsafeBufferPointer(rebasing: bytes[start..<position]))
    }

    private mutating func escapedText(from start: Int) throws(JSONError) -> String {
        var plain = Array(bytes[start..<position])
        while true {
            let byte = try peek()
            switch byte {
            case .quote:
                position += 1
                return try plain.withUnsafeBufferPointer { all throws(JSONError) in try string(all) }
            case .backslash:
                let scalar = try escape()
                plain.append(contentsOf: Unicode.UTF8.encode(scalar).unsafelyUnwrapped)
            case 0..<0x20: throw failure(.controlCharacter)
            default:
                plain.append(byte)
                position += 1
            }
        }
    }

    private mutating func escape() throws(JSONError) -> Unicode.Scalar {
        var escape = JSONEscape.letter
        while true {
            position += 1
            let byte = try peek()
            do throws(JSONError.Problem) {
                guard let scalar = try escape.take(byte) else { continue }
                position += 1
                return scalar
            } catch {
                throw failure(error)
            }
        }
    }

    private func string(_ text: UnsafeBufferPointer<UInt8>) throws(JSONError) -> String {
        guard let string = String(validating: text, as: UTF8.self) else { throw failure(.notUTF8) }
        return string
    }

    private func isSpecial(_ byte: UInt8) -> Bool {
        byte == .quote || byte == .backslash || byte < 0x20
    }

    private func peek() throws(JSONError) -> UInt8 {
        guard position < bytes.count else { throw failure(.unfinished) }
        return bytes[position]
    }

    private mutating func take(_ byte: UInt8) throws(JSONError) -> Bool {
        guard try peek() == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() {
        while position < bytes.count, bytes[position].isJSONSpace { position += 1 }
    }

    private func failure(_ problem: JSONError.Problem) -> JSONError {
        let lines = bytes[..<position].reduce(1) { $0 + ($1 == .lineFeed ? 1 : 0) }
        return JSONError(line: lines, offset: position, problem: problem)
    }
}

extension JSONValue {
    fileprivate init(_ word: JSONWord) {
        switch word {
        case .true: self = .bool(true)
        case .false: self = .bool(false)
        case .null: self = .null
        }
    }
}
