import DatabaseTesting
import Postgres
import Testing

@Suite(.database)
struct RowParameterTests {
    @Test func `a row in an array keeps every character, empty texts and nulls`() async throws {
        let texts: [String] = ["", " ", "plain", "a,b", "(c)", #"say "d""#, #"e\f"#, "{g}", "NULL", "line\nbreak", "ö"]
        try await Database.test.run { db in
            try db.run(script: "CREATE TYPE pair AS (number integer, text text, pause interval)")
            let pairs = (texts + [nil]).enumerated().map { number, text in
                var row = SQLRow()
                row.add(text.map { _ in number })
                row.add(text)
                row.add(text.map { _ in Duration.milliseconds(1_500) })
                return row
            }
            let rows = try db.query("SELECT number, text, pause = '1.5 s' AS is_pause FROM unnest(\(pairs)::pair[])")
            #expect(try rows.map { try $0.readIfPresent("number", as: Int.self) } == texts.indices.map(\.self) + [nil])
            #expect(try rows.map { try $0.readIfPresent("text", as: String.self) } == texts + [nil])
            #expect(try rows.dropLast().allSatisfy { try $0.read("is_pause") })
        }
    }
}
