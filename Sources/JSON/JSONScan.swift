/// Checks the grammar of JSON byte by byte, and finds the values at the given paths.
///
/// In a value at a path, the scan leaves the check of characters to the parser. So a value with an invalid character is
/// refused alone, and the scan goes on after it.
///
/// Its state does not grow with the text: it has a byte or two for each open bracket.
struct JSONScan {
    enum Event {
        /// The next byte begins a value at this path.
        case begins(path: Int)
        /// The value ended before the next byte.
        case ends
        /// All bytes of the span were read.
        case starved
    }

    /// An open list or object.
    struct Level {
        let isList: Bool
        /// How many of its values have begun.
        var count = 0
        /// A bit for each path that goes through here.
        let paths: UInt32
    }

    enum State {
        case value, firstItem, firstName, name, colon, comma, finished
        case text
        case escape(JSONEscape)
        case number(JSONNumber)
        case word(JSONWord, at: Int)
    }

    private(set) var line = 1
    var state = State.value
    var levels: [Level] = []
    let paths: [[String]]
    /// The current or last name, as the raw bytes between the quotes; nil if no path needs it.
    var name: [UInt8]?
    var isName = false
    private var utf8 = UTF8Bytes()
    /// The paths that continue below the value that begins; nil until they were looked up.
    var pathsBehind: UInt32?
    /// How many levels are open around the value that was found, until it ends.
    var found: Int?

    init(paths: [[String]]) {
        precondition(paths.count <= 32 && paths.allSatisfy { !$0.isEmpty })
        self.paths = paths
    }

    /// For each level around the next value: how many values come before it.
    var places: [Int] { levels.map { $0.count - 1 } }

    /// Reads on until a value at one of the paths begins or ends.
    mutating func run(
        over bytes: Span<UInt8>, from position: inout Int
    ) throws(JSONError.Problem) -> Event {
        while position < bytes.count {
            let byte = bytes[position]
            switch state {
            case .text:
                guard try passText(bytes, &position) else { continue }
                if isName { state = .colon } else if endValue() { return .ends }
            case .escape(var escape):
                let isOver = found == nil ? try escape.take(byte) != nil : try escape.pass(byte)
                state = isOver ? .text : .escape(escape)
                note(byte)
                position += 1
            case .number(let number):
                if let next = number.following(byte) {
                    state = .number(next)
                    position += 1
                } else {
                    guard number.isWhole else { throw .badNumber }
                    if endValue() { return .ends }
                }
            case .word(let word, let index):
                guard byte == word.spelling.utf8Start[index] else { throw .badWord }
                position += 1
                state = .word(word, at: index + 1)
                if index + 1 == word.spelling.utf8CodeUnitCount, endValue() { return .ends }
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
    mutating func finish() throws(JSONError.Problem) {
        switch state {
        case .finished: return
        case .number(let number) where levels.isEmpty && number.isWhole: return
        case .value where levels.isEmpty: throw .empty
        default: throw .unfinished
        }
    }

    /// Returns true after the closing quote.
    private mutating func passText(
        _ bytes: Span<UInt8>, _ position: inout Int
    ) throws(JSONError.Problem) -> Bool {
        while position < bytes.count {
            let byte = bytes[position]
            if byte >= 0x80 || !utf8.isWhole {
                if found == nil { try utf8.take(byte) }
                note(byte)
                position += 1
                continue
            }
            guard byte >= 0x20 else { throw .controlCharacter }
            position += 1
            if byte == .quote { return true }
            note(byte)
            if byte == .backslash {
                state = .escape(.letter)
                return false
            }
        }
        return false
    }

    /// Keeps a byte of a name that may be on a path. A name over 128 bytes is on no path.
    private mutating func note(_ byte: UInt8) {
        guard isName, let length = name?.count else { return }
        if length < 128 { name?.append(byte) } else { name = nil }
    }
}
