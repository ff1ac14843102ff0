import JSON
import Testing

struct JSONWriterTests {
    @Test func `a quote, a backslash and control characters have their shortest escapes`() {
        #expect(written(#"a"b\c/"#) == #""a\"b\\c/""#)
        #expect(written("\u{8}\t\n\u{C}\r") == #""\b\t\n\f\r""#)
        #expect(written("\0\u{1}\u{1F}\u{B}") == #""\u0000\u0001\u001f\u000b""#)
    }

    @Test func `all other characters are written unchanged`() {
        for text in ["\u{7F}\u{85}", "\u{2028}\u{2029}", "é😀", "\u{FEFF}"] { #expect(written(text) == "\"\(text)\"") }
    }

    @Test func `written text reads back equal`() throws {
        let all = String(String.UnicodeScalarView((0..<0x800).compactMap(Unicode.Scalar.init)))
        let bytes = JSONWriter.bytes { json in json.object { $0.member(all, all) } }
        #expect(try JSONValue(parsing: bytes) == .object([all: .text(all)]))
    }

    @Test func `a number keeps its digits, and one that is not finite is null`() {
        let text = JSONWriter.text { json in
            json.object { json in
                json.member("a", number: "52.40")
                json.member("b", Double.infinity)
                json.member("c", -0.0)
            }
        }
        #expect(text == #"{"a":52.40,"b":null,"c":-0.0}"#)
    }

    @Test func `an indented text has a member or an item on each line`() {
        let text = #"{"a":[1,{}],"b":"x\"{:,","c":[],"d":{"e":true}}"#
        let expected = """
            {
              "a": [
                1,
                {}
              ],
              "b": "x\\"{:,",
              "c": [],
              "d": {
                "e": true
              }
            }
            """
        #expect(String(decoding: JSONWriter.indented(Array(text.utf8)), as: UTF8.self) == expected)
    }

    private func written(_ text: String) -> String { JSONWriter.text { $0.value(text) } }
}
