extension JSONScan {
    /// Scans the parts between texts, numbers and words: brackets, commas, colons, and the first byte of each value.
    mutating func passMark(_ byte: UInt8, _ position: inout Int) throws(JSONError.Problem) -> Event? {
        switch (state, byte) {
        case (.firstItem, UInt8(ascii: "]")), (.firstName, UInt8(ascii: "}")), (.comma, UInt8(ascii: "]")),
            (.comma, UInt8(ascii: "}")):
            guard levels.popLast()?.isList == (byte == UInt8(ascii: "]")) else { throw .wrongBracket }
            position += 1
            return endValue() ? .ends : nil
        case (.value, _), (.firstItem, _):
            return try passFirst(byte, &position)
        case (.firstName, .quote), (.name, .quote):
            isName = true
            name = levels.last?.paths == 0 ? nil : []
            state = .text
        case (.colon, UInt8(ascii: ":")):
            state = .value
        case (.comma, UInt8(ascii: ",")):
            state = levels.last?.isList == true ? .value : .name
        case (.firstName, _), (.name, _): throw .nameExpected
        case (.colon, _): throw .colonExpected
        case (.finished, _): throw .trailing
        default: throw .commaExpected
        }
        position += 1
        return nil
    }

    /// Called at the end of each value. Returns true if it was a value at one of the paths.
    mutating func endValue() -> Bool {
        state = levels.isEmpty ? .finished : .comma
        guard found == levels.count else { return false }
        found = nil
        return true
    }

    private mutating func passFirst(_ byte: UInt8, _ position: inout Int) throws(JSONError.Problem) -> Event? {
        guard let behind = pathsBehind else {
            if let path = lookUp() {
                found = levels.count
                return .begins(path: path)
            }
            return nil
        }
        pathsBehind = nil
        isName = false
        switch try JSONStart(byte) {
        case .object: try open(isList: false, paths: behind)
        case .list: try open(isList: true, paths: behind)
        case .text: state = .text
        case .word(let word): state = .word(word, at: 1)
        case .number(let number): state = .number(number)
        }
        position += 1
        return nil
    }

    private mutating func open(isList: Bool, paths: UInt32) throws(JSONError.Problem) {
        guard levels.count < JSONGrammar.depth else { throw .tooDeep }
        levels.append(Level(isList: isList, paths: paths))
        state = isList ? .firstItem : .firstName
    }

    /// Counts the value that begins, and returns the path that ends at it.
    private mutating func lookUp() -> Int? {
        let depth = levels.count
        guard depth > 0 else {
            pathsBehind = ~0
            return nil
        }
        levels[depth - 1].count += 1
        pathsBehind = 0
        let level = levels[depth - 1]
        guard found == nil, level.paths != 0 else { return nil }
        let name = level.isList ? nil : plainName
        var behind: UInt32 = 0
        for (number, path) in paths.enumerated() where level.paths & 1 << number != 0 {
            guard path[depth - 1] == "*" || path[depth - 1] == name else { continue }
            if path.count == depth { return number }
            behind |= 1 << number
        }
        pathsBehind = behind
        return nil
    }

    private var plainName: String? {
        guard let name else { return nil }
        guard name.contains(.backslash) else { return String(decoding: name, as: UTF8.self) }
        return (try? JSONValue(parsing: [.quote] + name + [.quote]))?.text
    }
}
