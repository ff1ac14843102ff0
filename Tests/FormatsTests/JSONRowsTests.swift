import JSON
import Processes
import Testing

@testable import Formats

struct JSONRowsTests {
    @Test func `rows are JSON whatever a workbook has in the place of a number`() throws {
        let memory = try MemoryFile()
        var rows = JSONRows(to: try OutputFile(to: memory))
        try rows.write([.text("a\"b"), .text("\u{0}\n")])
        try rows.write(["1.", "nan", "1e999", "007", "-0.5", "", "0x10p2"].map { .number($0) } + [.truth(true)])
        try rows.finish().commit()
        let json = try JSONValue(parsing: memory.contents())
        let expected: [JSONValue] = [
            .number(1), .text("nan"), .text("1e999"), .number(7), .number(-0.5), .text(""), .number(64), .bool(true),
        ]
        #expect(json.list?.last?.list == expected)
        #expect(json.list?.first?.list?.count == 2)
    }

    @Test func `a table without a row is an empty list`() throws {
        let memory = try MemoryFile()
        var rows = JSONRows(to: try OutputFile(to: memory))
        try rows.finish().commit()
        #expect(try memory.contents() == Array("[]".utf8))
    }
}
