/// Builds the value of a JSON text in memory. A byte order mark before it is skipped.
///
/// If an object has a name twice, the last value counts. A number outside the range of a double becomes zero or
/// infinite.
struct JSONParser {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0
    private var grammar = JSONGrammar(leavesCharacters: true)

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    mutating func parse() throws(JSONError) -> JSONValue {
        do throws(JSONError.Problem) { position = try JSONGrammar.mark(bytes.prefix(3)) } catch { throw failure(error) }
        guard case .begins(let start) = try next() else { throw failure(.empty) }
        let value = try value(start)
        // Finds whatever follows the value.
        _ = try next()
        return value
    }

    private mutating func next() throws(JSONError) -> JSONGrammar.Event {
        do throws(JSONError.Problem) {
            let event = try grammar.next(in: bytes.span, from: &position)
            if case .starved = event { try grammar.finish() }
            return event
        } catch {
            throw failure(error)
        }
    }

    /// Reads a value whose first byte has been read.
    private mutating func value(_ start: JSONStart) throws(JSONError) -> JSONValue {
        switch start {
        case .list:
            var items: [JSONValue] = []
            while case .begins(let start) = try next() { items.append(try value(start)) }
            return .list(items)
        case .object:
            // Most objects have a few members, and growing for each takes a tenth of the time.
            var members = [String: JSONValue](minimumCapacity: 6)
            while case .nameBegins = try next() {
                let name = try text()
                guard case .begins(let start) = try next() else { break }
                members[name] = try value(start)
            }
            return .object(members)
        case .text: return .text(try text())
        case .word(let word):
            _ = try next()
            return JSONValue(word)
        case .number: return .number(try number())
        }
    }

    private mutating func number() throws(JSONError) -> Double {
        let start = position - 1
        _ = try next()
        let digits = UnsafeBufferPointer(rebasing: bytes[start..<position])
        guard let number = Double(String(decoding: digits, as: UTF8.self)) else { throw failure(.badNumber) }
        return number
    }

    /// Reads a text whose first quote has been read. Most texts have no escape and become a string without another
    /// copy.
    private mutating func text() throws(JSONError) -> String {
        let start = position
        _ = try next()
        let range = start..<(position - 1)
        let string =
            grammar.hasEscape
            ? String(validating: try decoded(range), as: UTF8.self)
            : String(validating: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
        guard let string else {
            position = range.upperBound
            throw failure(.notUTF8)
        }
        return string
    }

    private mutating func decoded(_ range: Range<Int>) throws(JSONError) -> [UInt8] {
        var plain: [UInt8] = []
        plain.reserveCapacity(range.count)
        position = range.lowerBound
        while position < range.upperBound {
            if bytes[position] != .backslash {
                plain.append(bytes[position])
                position += 1
                continue
            }
            let scalar = try escaped()
            if scalar.isASCII {
                plain.append(UInt8(truncatingIfNeeded: scalar.value))
            } else {
                plain.append(contentsOf: Unicode.UTF8.encode(scalar).unsafelyUnwrapped)
            }
        }
        // Behind the quote.
        position += 1
        return plain
    }

    private mutating func escaped() throws(JSONError) -> Unicode.Scalar {
        var escape = JSONEscape.letter
        while true {
            position += 1
            do throws(JSONError.Problem) {
                guard let scalar = try escape.take(bytes[position]) else { continue }
                position += 1
                return scalar
            } catch {
                throw failure(error)
            }
        }
    }

    private func failure(_ problem: JSONError.Problem) -> JSONError {
        JSONError(line: grammar.line, offset: position, problem: problem)
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
