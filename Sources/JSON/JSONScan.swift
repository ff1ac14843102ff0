/// Finds the values at the given paths of a JSON text that arrives in pieces.
///
/// In a value at a path, the scan leaves the check of characters to the parser. So a value with an invalid character is
/// refused alone, and the scan goes on after it.
struct JSONScan {
    enum Event {
        /// The first byte of a value at this path was read. For each level around it: how many values come before it.
        case begins(path: Int, places: [Int])
        /// The last byte of the value was read.
        case ends
        /// All bytes of the span were read.
        case starved
    }

    /// An open list or object.
    private struct Level {
        let isList: Bool
        /// How many of its values have begun.
        var count = 0
        /// A bit for each path that goes through here.
        let paths: UInt32
    }

    private let paths: [[String]]
    private var grammar = JSONGrammar()
    private var levels: [Level] = []
    /// The current or last name, as the raw bytes between the quotes; nil if no path needs it.
    private var name: [UInt8]?
    private var isInName = false
    /// How many levels are open around the value that was found, until it ends.
    private var found: Int?

    init(paths: [[String]]) {
        precondition(paths.count <= 32 && paths.allSatisfy { !$0.isEmpty })
        self.paths = paths
    }

    var line: Int { grammar.line }

    /// Must be called after the last byte.
    func finish() throws(JSONError.Problem) { try grammar.finish() }

    /// Reads on until a value at one of the paths begins or ends.
    mutating func run(over bytes: Span<UInt8>, from position: inout Int) throws(JSONError.Problem) -> Event {
        while true {
            let from = position
            let event = try grammar.next(in: bytes, from: &position)
            if isInName { note(bytes.extracting(from..<position)) }
            switch event {
            case .nameBegins: (isInName, name) = (true, levels.last?.paths == 0 ? nil : [])
            case .nameEnds:
                isInName = false
                name?.removeLast()
            case .begins(let start): if let event = begin(start) { return event }
            case .ends: if end() { return .ends }
            case .starved: return .starved
            }
        }
    }

    /// Keeps a piece of a name that may be on a path. A name over 128 bytes is on no path.
    private mutating func note(_ piece: Span<UInt8>) {
        guard let length = name?.count else { return }
        guard length + piece.count <= 129 else { return name = nil }
        for index in piece.indices { name?.append(piece[index]) }
    }

    private mutating func begin(_ start: JSONStart) -> Event? {
        let (path, behind) = lookUp()
        let places = path.map { _ in levels.map { $0.count - 1 } }
        if path != nil { (found, grammar.leavesCharacters) = (levels.count, true) }
        switch start {
        case .object: levels.append(Level(isList: false, paths: behind))
        case .list: levels.append(Level(isList: true, paths: behind))
        default: break
        }
        guard let path, let places else { return nil }
        return .begins(path: path, places: places)
    }

    /// Returns true if a value at one of the paths ended.
    private mutating func end() -> Bool {
        levels.removeLast(levels.count - grammar.openLevels)
        guard found == levels.count else { return false }
        (found, grammar.leavesCharacters) = (nil, false)
        return true
    }

    /// Counts the value that begins. Returns the path that ends at it, and those that continue below it.
    private mutating func lookUp() -> (path: Int?, behind: UInt32) {
        let depth = levels.count
        guard depth > 0 else { return (nil, ~0) }
        levels[depth - 1].count += 1
        let level = levels[depth - 1]
        guard found == nil, level.paths != 0 else { return (nil, 0) }
        let name = level.isList ? nil : plainName
        var behind: UInt32 = 0
        for (number, path) in paths.enumerated() where level.paths & 1 << number != 0 {
            guard path[depth - 1] == "*" || path[depth - 1] == name else { continue }
            if path.count == depth { return (number, 0) }
            behind |= 1 << number
        }
        return (nil, behind)
    }

    private var plainName: String? {
        guard let name else { return nil }
        guard name.contains(.backslash) else { return String(decoding: name, as: UTF8.self) }
        return (try? JSONValue(parsing: [.quote] + name + [.quote]))?.text
    }
}
