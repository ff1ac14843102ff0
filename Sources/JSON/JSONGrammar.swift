/// The grammar of JSON: https://www.rfc-editor.org/rfc/rfc8259
///
/// It reads a text in pieces of any size and returns where names and values begin and end. ``JSONParser`` and
/// ``JSONScan`` are built on it, so both accept the same texts. Its state does not grow with the text: it has a bit for
/// each open bracket.
struct JSONGrammar {
    /// How deep lists and objects may be nested. The parser is recursive, so each level needs stack.
    static let depth = 128

    enum Event {
        /// The first byte of a value was read.
        case begins(JSONStart)
        /// The last byte of a value was read.
        case ends
        /// The quote before a name was read.
        case nameBegins
        /// The quote after a name was read.
        case nameEnds
        /// All bytes were read.
        case starved
    }

    private enum State {
        case value, firstItem, firstName, name, colon, comma, finished
        case text
        case escape(JSONEscape)
        case number(JSONNumber)
        case word(JSONWord, at: Int)
    }

    private(set) var line = 1
    /// True if the current or last text contains an escape.
    private(set) var hasEscape = false
    /// If true, the characters of texts are not checked, because the parser checks them when it decodes a text.
    var leavesCharacters = false

    private var state = State.value
    private var brackets = JSONBrackets()
    private var isName = false
    private var utf8 = UTF8Bytes()

    init(leavesCharacters: Bool = false) {
        self.leavesCharacters = leavesCharacters
    }

    /// The number of open lists and objects.
    var openLevels: Int { brackets.count }

    /// Reads on until a name or a value begins or ends.
    mutating func next(
        in bytes: Span<UInt8>, from position: inout Int
    ) throws(JSONError.Problem) -> Event {
        while position < bytes.count {
            let byte = bytes[position]
            switch state {
            case .text:
                if try passText(bytes, &position) { return endText() }
            case .escape(var escape):
                let isOver = leavesCharacters ? try escape.pass(byte) : try escape.take(byte) != nil
                state = isOver ? .text : .escape(escape)
                position += 1
            case .number(let number):
                if try passNumber(number, bytes, &position) { return endValue() }
            case .word(let word, let index):
                guard byte == word.spelling.utf8Start[index] else { throw .badWord }
                position += 1
                if index + 1 == word.spelling.utf8CodeUnitCount { return endValue() }
                state = .word(word, at: index + 1)
            default:
                if byte.isJSONSpace {
                    if byte == .lineFeed { line += 1 }
                    position += 1
                } else if let event = try passMark(byte, &position) {
                    return event
                }
            }
        }
        return .starved
    }

    /// Must be called after the last byte.
    func finish() throws(JSONError.Problem) {
        switch state {
        case .finished: return
        case .number(let number) where brackets.isEmpty && number.isWhole: return
        case .value where brackets.isEmpty: throw .empty
        default: throw .unfinished
        }
    }

    /// Returns true after the closing quote.
    private mutating func passText(_ bytes: Span<UInt8>, _ position: inout Int) throws(JSONError.Problem) -> Bool {
        var index = position
        defer { position = index }
        while index < bytes.count {
            if leavesCharacters {
                // `count` bounds the index.
                while index < bytes.count, !bytes[unchecked: index].endsPlainText { index += 1 }
                if index == bytes.count { return false }
            }
            let byte = bytes[index]
            if byte >= 0x80 || !utf8.isWhole {
                try utf8.take(byte)
            } else if byte == .quote {
                index += 1
                return true
            } else if byte == .backslash {
                index += 1
                (state, hasEscape) = (.escape(.letter), true)
                return false
            } else if byte < 0x20 {
                throw .controlCharacter
            }
            index += 1
        }
        return false
    }

    /// Returns true at the first byte after the number.
    private mutating func passNumber(
        _ number: JSONNumber, _ bytes: Span<UInt8>, _ position: inout Int
    ) throws(JSONError.Problem) -> Bool {
        var number = number
        while position < bytes.count {
            guard let next = number.following(bytes[position]) else {
                guard number.isWhole else { throw .badNumber }
                return true
            }
            number = next
            position += 1
        }
        state = .number(number)
        return false
    }

    /// Reads the parts between texts, numbers and words: brackets, commas, colons, and the first byte of each value.
    private mutating func passMark(_ byte: UInt8, _ position: inout Int) throws(JSONError.Problem) -> Event? {
        let event: Event?
        switch state {
        case .firstItem where byte == UInt8(ascii: "]"): event = try close(byte)
        case .value, .firstItem: event = .begins(try begin(byte))
        case .firstName where byte == UInt8(ascii: "}"): event = try close(byte)
        case .firstName, .name:
            guard byte == .quote else { throw .nameExpected }
            (state, isName, hasEscape) = (.text, true, false)
            event = .nameBegins
        case .colon:
            guard byte == UInt8(ascii: ":") else { throw .colonExpected }
            (state, event) = (.value, nil)
        case .comma where byte == UInt8(ascii: ","): (state, event) = (brackets.isList ? .value : .name, nil)
        case .comma: event = try close(byte)
        default: throw .trailing
        }
        position += 1
        return event
    }

    private mutating func close(_ byte: UInt8) throws(JSONError.Problem) -> Event {
        guard byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") else { throw .commaExpected }
        guard brackets.isList == (byte == UInt8(ascii: "]")) else { throw .wrongBracket }
        brackets.close()
        return endValue()
    }

    private mutating func begin(_ byte: UInt8) throws(JSONError.Problem) -> JSONStart {
        let start = try JSONStart(byte)
        switch start {
        case .object, .list:
            guard brackets.count < Self.depth else { throw .tooDeep }
            brackets.open(isList: byte == UInt8(ascii: "["))
            state = brackets.isList ? .firstItem : .firstName
        case .text: (state, isName, hasEscape) = (.text, false, false)
        case .word(let word): state = .word(word, at: 1)
        case .number(let number): state = .number(number)
        }
        return start
    }

    private mutating func endText() -> Event {
        guard isName else { return endValue() }
        state = .colon
        return .nameEnds
    }

    private mutating func endValue() -> Event {
        state = brackets.isEmpty ? .finished : .comma
        return .ends
    }
}

extension JSONGrammar {
    /// Returns the length of the byte order mark at the start. `first` needs three bytes, unless the text is shorter.
    static func mark(_ first: some Sequence<UInt8>) throws(JSONError.Problem) -> Int {
        if first.starts(with: [0xEF, 0xBB, 0xBF]) { return 3 }
        // UTF-16 begins with a mark, or has a zero in one of its first two bytes.
        if first.starts(with: [0xFE, 0xFF]) || first.starts(with: [0xFF, 0xFE]) || first.prefix(2).contains(0) {
            throw .notUTF8
        }
        return 0
    }
}

/// The kind of a value, found by its first byte.
enum JSONStart {
    case object, list, text
    case word(JSONWord)
    case number(JSONNumber)

    init(_ byte: UInt8) throws(JSONError.Problem) {
        switch byte {
        case UInt8(ascii: "{"): self = .object
        case UInt8(ascii: "["): self = .list
        case .quote: self = .text
        case UInt8(ascii: "t"): self = .word(.true)
        case UInt8(ascii: "f"): self = .word(.false)
        case UInt8(ascii: "n"): self = .word(.null)
        default:
            // The other bytes above ASCII may begin a letter.
            if (0x80..<0xC2).contains(byte) || byte > 0xF4 { throw .notUTF8 }
            guard let number = JSONNumber(byte) else { throw .valueExpected }
            self = .number(number)
        }
    }
}

enum JSONWord {
    case `true`, `false`, null

    var spelling: StaticString {
        switch self {
        case .true: "true"
        case .false: "false"
        case .null: "null"
        }
    }
}

/// The open brackets, a bit for each: 1 for a list.
struct JSONBrackets {
    private(set) var count = 0
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    var isEmpty: Bool { count == 0 }
    /// True if the innermost bracket began a list.
    var isList: Bool { low & 1 == 1 }

    mutating func open(isList: Bool) {
        high = high << 1 | low >> 63
        low = low << 1 | (isList ? 1 : 0)
        count += 1
    }

    mutating func close() {
        low = low >> 1 | high << 63
        high >>= 1
        count -= 1
    }
}
