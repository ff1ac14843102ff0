import Testing

@testable import Terminal

struct KeyTests {
    private func keys(_ text: String) -> [Key] {
        var reader = KeyReader()
        return reader.keys(in: text.utf8)
    }

    @Test(arguments: [
        ("q", [Key.character("q")]), ("é", [.character("é")]), ("\u{1B}[A\u{1B}OB", [.up, .down]),
        ("\u{1B}[C\u{1B}[D", [.right, .left]), ("\u{1B}[5~\u{1B}[6~", [.pageUp, .pageDown]),
        ("\u{1B}[H\u{1B}[F\u{1B}[1~\u{1B}[4~", [.home, .end, .home, .end]), ("\r\n\t", [.enter, .enter, .tab]),
        ("\u{7F}\u{8}", [.backspace, .backspace]), ("\u{1B}", [.escape]), ("\u{1B}q", [.escape, .character("q")]),
        ("\u{1B}[1;5A", [.up]), ("\u{1B}[15~x", [.character("x")]), ("\u{1}\u{3}", []),
    ])
    func `bytes of a terminal become keys`(text: String, expected: [Key]) {
        #expect(keys(text) == expected)
    }

    @Test func `a character received in two parts is one key`() {
        var reader = KeyReader()
        let bytes = Array("ü".utf8)
        #expect(reader.keys(in: bytes.prefix(1)) == [])
        #expect(reader.keys(in: bytes.dropFirst() + "a".utf8) == [.character("ü"), .character("a")])
    }

    @Test func `bytes that are not text are dropped`() {
        var reader = KeyReader()
        #expect(reader.keys(in: [0xFF, 0x80, UInt8(ascii: "a")]) == [.character("a")])
    }
}
