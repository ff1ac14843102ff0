/// Follows the grammar of JSON byte by byte, and finds the values at the paths that are looked for.
///
/// Of a value that is looked for, whoever parses it judges the characters: one that has a wrong one is refused alone, and the
/// scan goes on behind it.
///
/// What it knows does not grow with the text: a byte or two for each bracket that is open.
struct JSONScan {
    enum Event {
        /// The next byte begins a value at this path.
        case begins(path: Int)
        /// The value ended before the next byte.
        case ends
        /// There are no more bytes.
        case starved
    }

    /// A list or object that is open.
    struct Level {
        let isList: Bool
        /// How many values in it have begun.
        var count = 0
        /// A bit for each path that leads through here.
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
    /// The name that is read or was read last, as it stands between the quotes; nil where no path asks for it.
    var name: [UInt8]?
    var isName = false
    private var utf8 = UTF8Bytes()
    /// The paths that go on behind the value that begins; nil until that was looked up.
    var pathsBehind: UInt32?
    /// How many levels are open around the value that was found, while it lasts.
    var found: Int?

    init(paths: [[String]]) {
        precondition(paths.count <= 32 && paths.allSatisfy { !$0.isEmpty })
        self.paths = paths
    }

    /// For each level around the next value, how many values stand before it.
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

    /// To be called behind the last byte.
    mutating func finish() throws(JSONError.Problem) {
        switch state {
        case .finished: return
        case .number(let number) where levels.isEmpty && number.isWhole: return
        case .value where levels.isEmpty: throw .empty
        default: throw .unfinished
        }
    }

    /// Returns true behind the closing quote.
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

    /// Keeps what stands in a name that may be on a path. A longer one is on none.
    private mutating func note(_ byte: UInt8) {
        guard isName, let length = name?.count else { return }
        if length < 128 { name?.append(byte) } else { name = nil }
    }
}
