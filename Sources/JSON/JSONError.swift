/// The reason why a text is not JSON, and its position. It never contains the text, which may be an address.
package struct JSONError: Error, Hashable {
    /// Counted from 1.
    package let line: Int
    /// In bytes, counted from 0.
    package let offset: Int
    package let problem: Problem

    package enum Problem: String, Error {
        case empty = "there is nothing but white space"
        case unfinished = "it ends in the middle"
        case notUTF8 = "it is not UTF-8"
        case valueExpected = "a value is missing or is not JSON"
        case nameExpected = "a member has no name in quotes"
        case colonExpected = "there is no colon behind a name"
        case commaExpected = "there is no comma between two values"
        case wrongBracket = "a bracket closes what it did not open"
        case badNumber = "a number is not written as JSON writes it"
        case badWord = "a word is neither true, false nor null"
        case badEscape = "a backslash stands before what JSON does not escape"
        case halfCharacter = "an escape is half a character"
        case controlCharacter = "a text has a line break or another control character in it"
        /// The limit is ``JSONGrammar/depth``.
        case tooDeep = "lists and objects are nested deeper than 128"
        case trailing = "something follows the end of the JSON"
    }

    package init(line: Int, offset: Int, problem: Problem) {
        self.line = line
        self.offset = offset
        self.problem = problem
    }
}

extension JSONError: CustomStringConvertible {
    package var description: String { "line \(line): \(problem.rawValue)" }
}

extension UInt8 {
    static let quote = UInt8(ascii: "\"")
    static let backslash = UInt8(ascii: "\\")
    static let lineFeed = UInt8(ascii: "\n")

    var isJSONSpace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }
    /// True for a quote, a backslash and control characters.
    var endsPlainText: Bool { self < 0x20 || self == .quote || self == .backslash }
    var isDigit: Bool { self >= 0x30 && self <= 0x39 }
}
