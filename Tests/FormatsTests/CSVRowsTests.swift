import Testing

@testable import Formats

struct CSVRowsTests {
    private func rows(_ bytes: [UInt8], _ encoding: TextEncoding = .automatic, delimiter: UInt8? = nil) throws
        -> CSVRows
    {
        try CSVRows(bytes, encoding: encoding, delimiter: delimiter, mostRows: 100)
    }

    @Test(arguments: [
        "a,b\n1,2\n", "a;b\r\n\"x;\r\ny\";2\r\n\r\n\r\n3;4", "\u{FEFF}a\tb\r1\t2\r", "sep=;\na;b\n1;2\n",
        "\n\na|b\n\n1|\"\"\"\"\n\n\n",
        "Notes:\nsome text\n\na,b\n1,2\n", "a\n", "a,b\n1,2,\n", "h\u{e9},b\n\u{fc},\n", "a", "ab\n\"1, 2\"\n",
    ])
    func `a file to which nothing is added has the same bytes`(text: String) throws {
        let pairs = text.utf16.map { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
        let utf16: [UInt8] = [0xFF, 0xFE] + pairs.joined()
        let latin1 = text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
        for bytes in [Array(text.utf8)] + (text.hasPrefix("\u{FEFF}") ? [] : [utf16, latin1]) {
            let copy = try rows(bytes).bytes(adding: []) { _ in [] }
            #expect(copy == bytes, "\(String(decoding: copy, as: UTF8.self).debugDescription)")
        }
    }

    @Test func `added fields are quoted where they must be, and each row has all of them`() throws {
        let copy = try rows(Array("a;b\n1\n1;2;3\n".utf8)).bytes(adding: ["c", "d"]) { row in ["x;\(row)", "\"y\""] }
        #expect(
            String(decoding: copy, as: UTF8.self) == "a;b;c;d\n1;;\"x;0\";\"\"\"y\"\"\"\n1;2;\"x;1\";\"\"\"y\"\"\";3\n")
    }

    @Test func `a delimiter that is given is used, and too many rows are refused`() throws {
        #expect(try rows(Array("a,b;c\n".utf8), delimiter: UInt8(ascii: ";")).header == ["a,b", "c"])
        #expect(throws: UnreadableRow.self) {
            try rows(Array("a\n".utf8) + Array(repeating: "b\n".utf8, count: 101).joined())
        }
        #expect(try rows(Array("a\n".utf8) + Array(repeating: "b\n".utf8, count: 100).joined()).fields.count == 100)
    }
}
