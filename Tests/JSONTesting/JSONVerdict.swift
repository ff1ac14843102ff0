/// A text with the verdict whether it is JSON. All readers of JSON must agree with it.
package struct JSONVerdict: Sendable, CustomStringConvertible {
    package let bytes: [UInt8]
    package let isJSON: Bool
    package let why: String
    package var description: String { why }

    private init(_ bytes: [UInt8], _ isJSON: Bool, _ why: String) {
        (self.bytes, self.isJSON, self.why) = (bytes, isJSON, why)
    }

    /// Each text is an object on one line, or almost one, because some readers accept nothing else.
    package static let all = accepted + refused + refusedBytes

    private static let accepted = list(
        [
            ("nothing in it", "{}"), ("white space", " \t{ \"a\" :\r[ ] } "),
            ("twice the same name", #"{"a":1,"a":2}"#),
            ("a name without letters", #"{"":0}"#), ("a number beyond a double", #"{"a":1e400,"b":-1e400}"#),
            ("a number too small for a double", #"{"a":1e-400}"#), ("minus zero", #"{"a":-0,"b":-0.0E-0}"#),
            ("many digits", #"{"a":123456789012345678901234567890.5}"#), ("a zero in a text", #"{"a":"\u0000"}"#),
            ("every escape", #"{"a":"\"\\\/\b\f\n\r\t\u00e9\uD83D\ude00"}"#),
            ("separators of lines", "{\"a\":\"\u{2028}\u{2029}\u{85}\"}"), ("delete", "{\"a\":\"\u{7F}\"}"),
            ("the last character", "{\"a\":\"\u{10FFFF}\u{FFFF}\"}"), ("a mark at its start", "\u{FEFF}{}"),
            ("a mark in a text", "{\"\u{FEFF}\":\"\u{FEFF}\"}"), ("128 levels", nested(128)),
        ], isJSON: true)

    private static let refused = list(
        [
            ("a comma behind the last item", #"{"a":[1,]}"#), ("a comma behind the last member", #"{"a":1,}"#),
            ("a comma alone", "{,}"), ("two commas", #"{"a":1,,"b":2}"#), ("no comma", #"{"a":1 "b":2}"#),
            ("no value", #"{"a":}"#), ("no colon", #"{"a"}"#), ("no name", "{1}"), ("a bare name", "{a:1}"),
            ("single quotes", "{'a':1}"), ("a leading zero", #"{"a":01}"#), ("a plus", #"{"a":+1}"#),
            ("no digit before the point", #"{"a":.5}"#), ("no digit behind the point", #"{"a":1.}"#),
            ("no digit in the exponent", #"{"a":1e}"#), ("two signs", #"{"a":--1}"#), ("a sign alone", #"{"a":-}"#),
            ("hexadecimal", #"{"a":0x1}"#), ("not a number", #"{"a":NaN}"#), ("infinity", #"{"a":-Infinity}"#),
            ("a word in capitals", #"{"a":True}"#), ("half a word", #"{"a":nul}"#), ("a longer word", #"{"a":nullx}"#),
            ("an unknown escape", #"{"a":"\x41"}"#), ("a short escape", #"{"a":"\u12"}"#),
            ("a high half alone", #"{"a":"\ud83d"}"#), ("a high half before a letter", #"{"a":"\ud83d\u0041"}"#),
            ("a high half before text", #"{"a":"\ud83dx"}"#), ("two high halves", #"{"a":"\ud83d\ud83d"}"#),
            ("a low half alone", #"{"a":"\ude00"}"#), ("a half in a name", #"{"\ud83d":1}"#),
            ("a tab in a text", "{\"a\":\"\t\"}"), ("a control character in a text", "{\"a\":\"\u{1}\"}"),
            ("a raw zero in a text", "{\"a\":\"\0\"}"), ("a zero behind the end", "{}\0"),
            ("a comment", "{/**/}"), ("a second value", "{}{}"), ("a word behind the end", "{} x"),
            ("a form feed", "{\u{C}}"), ("a space that does not break", "{\u{A0}}"), ("a letter", #"{"a":é}"#),
            ("two marks", "\u{FEFF}\u{FEFF}{}"), ("a mark behind the start", " \u{FEFF}{}"),
            ("an open object", "{"), ("an open list", #"{"a":["#), ("an open text", #"{"a":"b"#),
            ("the wrong bracket", #"{"a":1]"#), ("a bracket too many", "{}}"), ("129 levels", nested(129)),
        ], isJSON: false)

    private static let refusedBytes: [Self] = {
        var all: [Self] = []
        for (why, bytes) in wrongCharacters {
            all.append(Self([UInt8](#"{"a":""#.utf8) + bytes + [UInt8](#""}"#.utf8), false, "\(why), in a value"))
            all.append(Self([UInt8](#"{""#.utf8) + bytes + [UInt8](#"":1}"#.utf8), false, "\(why), in a name"))
        }
        let utf16: [UInt8] = [0x7B, 0, 0x7D, 0]
        all.append(Self(utf16, false, "UTF-16"))
        all.append(Self([0xFF, 0xFE] + utf16, false, "UTF-16 with its mark"))
        return all
    }()

    private static let wrongCharacters: [(why: String, bytes: [UInt8])] = [
        ("a byte that begins nothing", [0x80]), ("Latin-1", [0xE9]), ("an overlong zero", [0xC0, 0x80]),
        ("an overlong slash", [0xE0, 0x80, 0xAF]), ("half a pair as UTF-8", [0xED, 0xA0, 0x80]),
        ("an overlong euro", [0xF0, 0x82, 0x82, 0xAC]), ("beyond Unicode", [0xF4, 0x90, 0x80, 0x80]),
        ("a byte of no character", [0xFF]), ("a character cut off", [0xE2, 0x82]),
    ]

    private static func list(_ texts: [(why: String, text: String)], isJSON: Bool) -> [Self] {
        texts.map { Self([UInt8]($0.text.utf8), isJSON, $0.why) }
    }

    private static func nested(_ levels: Int) -> String {
        #"{"a":"# + String(repeating: "[", count: levels - 1) + String(repeating: "]", count: levels - 1) + "}"
    }
}
