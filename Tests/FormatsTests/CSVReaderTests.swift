import Testing

@testable import Formats

struct CSVReaderTests {
    @Test(arguments: [
        ("quotes around a field are dropped", "\"a\",b\n", [["a", "b"]]),
        ("a quoted field keeps delimiters and line ends", "\"a,\r\nb\",c\n", [["a,\r\nb", "c"]]),
        ("a doubled quote is one quote", "\"say \"\"hi\"\"\",\"\"\"\"\n", [["say \"hi\"", "\""]]),
        ("a quote inside an unquoted field is literal", "5\" pipe,a\"\"b\n", [["5\" pipe", "a\"\"b"]]),
        ("an empty field is a field", ",\"\",\n", [["", "", ""]]),
        ("spaces are kept", " a , b\n", [[" a ", " b"]]),
        ("any line end will do", "a,1\r\nb,2\nc,3\rd,4", [["a", "1"], ["b", "2"], ["c", "3"], ["d", "4"]]),
        ("blank lines are skipped", "\n\r\na,b\n\n\r\r\nc,d\n\n", [["a", "b"], ["c", "d"]]),
        ("a byte order mark is no text", "\u{FEFF}a,b\n", [["a", "b"]]),
        ("nothing gives nothing", "", []),
        ("a byte order mark alone gives nothing", "\u{FEFF}", []),
    ])
    func `each rule of RFC 4180 is obeyed`(rule: String, text: String, records: [[String]]) throws {
        #expect(try fields(text) == records, "\(rule)")
    }

    @Test(arguments: [
        ("a;b,c;d\n1;2,5;3", [["a", "b,c", "d"], ["1", "2,5", "3"]]),
        ("a\tb\n1,2\t3", [["a", "b"], ["1,2", "3"]]),
        ("\"a,b,c\";d\n1;2", [["a,b,c", "d"], ["1", "2"]]),
        ("a,b;c\n1,2", [["a", "b;c"], ["1", "2"]]),
        ("name\na,b", [["name"], ["a", "b"]]),
        ("sep=;\r\na,b,c;d\n1;2", [["a,b,c", "d"], ["1", "2"]]),
        ("\u{FEFF}sep=|\na|b", [["a", "b"]]),
        ("a|b,c|d\n1|2|3", [["a", "b,c", "d"], ["1", "2", "3"]]),
    ])
    func `the delimiter is detected from the header`(text: String, records: [[String]]) throws {
        #expect(try fields(text) == records)
    }

    @Test func `a record has the number of its first line`() throws {
        let records = try read("sep=,\r\nname,note\r\n\r\n\"a\rb\r\nc\nd\",1\r\nx,y")

        #expect(
            records == [
                .fields(line: 2, ["name", "note"]), .fields(line: 4, ["a\rb\r\nc\nd", "1"]),
                .fields(line: 8, ["x", "y"]),
            ])
    }

    @Test func `a bad row is reported with its line, and the rest is read`() throws {
        let bytes = Array("a,b\n\"1\"x,2\n".utf8) + [0x31, 0xFF, 0x0A] + Array("3\0,4\n5,6\n".utf8)
        let records = try read(bytes, encoding: .utf8)

        #expect(
            records == [
                .fields(line: 1, ["a", "b"]),
                .refused(line: 2, reason: "there is text after a closing quote"),
                .refused(
                    line: 3,
                    reason: "it is not valid UTF-8; if the file is Windows-1252, use --encoding windows-1252"
                ),
                .refused(line: 4, reason: "there is a NUL byte in it"),
                .fields(line: 5, ["5", "6"]),
            ])
    }

    @Test func `an unclosed quote loses only its own line`() throws {
        #expect(
            try read("a,b\n1,\"2\n3,4\n5,6\n") == [
                .fields(line: 1, ["a", "b"]),
                .refused(line: 2, reason: "a quote is never closed"),
                .fields(line: 3, ["3", "4"]),
                .fields(line: 4, ["5", "6"]),
            ])
    }

    @Test func `a stray quote is detected at the next quoted field`() throws {
        #expect(
            try read("a,b\n1,\"2\n3,\"4\"\n5,6\n") == [
                .fields(line: 1, ["a", "b"]),
                .refused(line: 2, reason: "there is text after a closing quote"),
                .fields(line: 3, ["3", "4"]),
                .fields(line: 4, ["5", "6"]),
            ])
    }

    @Test func `a record over 1 MiB is refused, and its lines are read one by one`() throws {
        let lines = 200_000
        let records = try read("a,b\n1,\"2\n" + String(repeating: "3,four\n", count: lines))

        #expect(records[1] == .refused(line: 2, reason: "the record is longer than 1 MiB; a quote may be missing"))
        #expect(records.count == lines + 2)
        let rest = zip(records[2...], 3...)
        #expect(rest.first { record, line in record != .fields(line: line, ["3", "four"]) } == nil)
    }

    @Test func `a line over 1 MiB is dropped while reading`() throws {
        let long = String(repeating: "x", count: 3 << 20)

        #expect(
            try read("a,b\n\(long),1\r\n3,4") == [
                .fields(line: 1, ["a", "b"]),
                .refused(line: 2, reason: "the record is longer than 1 MiB; a quote may be missing"),
                .fields(line: 3, ["3", "4"]),
            ])
    }

    @Test func `a quote on every line is not read repeatedly`() throws {
        let lines = 8_000
        let records = try read("a,b,c\n" + String(repeating: "5\",c,\"d\n", count: lines))

        #expect(records.count == lines + 1)
        #expect(records[1] == .refused(line: 2, reason: "a quote is never closed"))
        let last = CSVRecord.refused(line: 8_001, reason: "a quote is not closed on its line, as often before it")
        #expect(records.last == last)
    }

    @Test func `the reader reports its progress`() throws {
        var reader = CSVReader(Array("a,b\r\n1,2\r\n".utf8), chunkSize: 2)

        #expect(reader.totalSize == 10)
        _ = try reader.next()
        #expect(reader.bytesRead == 5)
        while try reader.next() != nil {}
        #expect(reader.bytesRead == 10)
    }
}
