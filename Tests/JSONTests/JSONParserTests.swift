import JSON
import Testing

struct JSONParserTests {
    @Test func `every kind of value is read`() throws {
        let text = #" {"a":[null,true,false,-12.5e1,0,"x"],"b":{},"c":[ ] , "a b" : "" } "#

        #expect(
            try JSONValue(parsing: Array(text.utf8))
                == .object([
                    "a": .list([.null, .bool(true), .bool(false), .number(-125), .number(0), .text("x")]),
                    "b": .object([:]), "c": .list([]), "a b": .text(""),
                ]))
    }

    @Test func `escapes are decoded`() throws {
        let text = #""\"\\\/\b\f\n\r\t\u00e9\uD83D\ude00\u0000é😀""#

        #expect(try JSONValue(parsing: Array(text.utf8)) == .text("\"\\/\u{8}\u{C}\n\r\té😀\0é😀"))
    }

    @Test func `the last of two members with one name counts`() throws {
        #expect(try JSONValue(parsing: Array(#"{"a":1,"a":2}"#.utf8)) == .object(["a": .number(2)]))
    }

    @Test(arguments: wrongTexts) func `text that is not JSON is an error with its line`(wrong: WrongText) {
        let error = #expect(throws: JSONError.self) { try JSONValue(parsing: Array(wrong.text.utf8)) }

        #expect(error?.problem == wrong.problem)
        #expect(error?.line == wrong.line)
    }

    @Test func `an unpaired surrogate and invalid UTF-8 are errors`() {
        func problem(_ bytes: [UInt8]) -> JSONError.Problem? {
            do { _ = try JSONValue(parsing: bytes) } catch { return error.problem }
            return nil
        }

        #expect(problem(Array(#""\ud800""#.utf8)) == .halfCharacter)
        #expect(problem(Array(#""\ud800\u0041""#.utf8)) == .halfCharacter)
        #expect(problem(Array(#""\udc00\ud800""#.utf8)) == .halfCharacter)
        #expect(problem([0x22, 0xFF, 0x22]) == .notUTF8)
    }

    @Test func `an error contains nothing of the text`() {
        let error = #expect(throws: JSONError.self) { try JSONValue(parsing: Array("[\n\"Ada\" \"Ely\"]".utf8)) }

        #expect(error?.description == "line 2: there is no comma between two values")
    }
}

struct WrongText: Sendable, CustomTestStringConvertible {
    let text: String
    let problem: JSONError.Problem
    var line = 1

    var testDescription: String { String(text.prefix(20)) }
}

/// Texts that are not JSON, shared by the tests of the readers.
let wrongTexts: [WrongText] = [
    WrongText(text: " \n ", problem: .empty, line: 2),
    WrongText(text: #"{"a":"#, problem: .unfinished),
    WrongText(text: "[1,\n\"abc", problem: .unfinished, line: 2),
    WrongText(text: #"["\u00"#, problem: .unfinished),
    WrongText(text: "[tru", problem: .unfinished),
    WrongText(text: "[1", problem: .unfinished),
    WrongText(text: "-", problem: .unfinished),
    WrongText(text: "[1,]", problem: .valueExpected),
    WrongText(text: "[,1]", problem: .valueExpected),
    WrongText(text: #"{"a":}"#, problem: .valueExpected),
    WrongText(text: "{a:1}", problem: .nameExpected),
    WrongText(text: #"{"a":1,}"#, problem: .nameExpected),
    WrongText(text: #"{"a" 1}"#, problem: .colonExpected),
    WrongText(text: "[1 2]", problem: .commaExpected),
    WrongText(text: #"{"a":1 "b":2}"#, problem: .commaExpected),
    WrongText(text: "[1}", problem: .wrongBracket),
    WrongText(text: "[\n{\n\"a\":1\n]", problem: .wrongBracket, line: 4),
    WrongText(text: "[01]", problem: .commaExpected),
    WrongText(text: "[1.]", problem: .badNumber),
    WrongText(text: "[-x]", problem: .badNumber),
    WrongText(text: "[1e+]", problem: .badNumber),
    WrongText(text: "[truE]", problem: .badWord),
    WrongText(text: #"["\x"]"#, problem: .badEscape),
    WrongText(text: "[\"\\\n\"]", problem: .badEscape),
    WrongText(text: #"["\u00g0"]"#, problem: .badEscape),
    WrongText(text: "[\"a\nb\"]", problem: .controlCharacter),
    WrongText(text: String(repeating: "[", count: 129), problem: .tooDeep),
    WrongText(text: String(repeating: #"{"a":"#, count: 129), problem: .tooDeep),
    WrongText(text: "[]\n]", problem: .trailing, line: 2),
    WrongText(text: "1 2", problem: .trailing),
]
