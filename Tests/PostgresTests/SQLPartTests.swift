import DatabaseTesting
import Postgres
import Testing

@Suite(.database)
struct SQLPartTests {
    @Test func `an inserted part keeps its parameters, at any place`() {
        let part: SQL = "b = \("x") AND c = \(2)"
        let whole: SQL = "a = \(1) AND \(part: part) AND d = \(3) OR \(part: part)"
        #expect(whole.text == "a = $1 AND b = $2 AND c = $3 AND d = $4 OR b = $5 AND c = $6")
        let nested: SQL = "\(0) \(part: whole)"
        #expect(nested.text == "$1 a = $2 AND b = $3 AND c = $4 AND d = $5 OR b = $6 AND c = $7")
    }

    @Test func `text that looks like a parameter stays as it is, also after multibyte characters`() {
        let part: SQL = "'für $1 € ' || \("x") || '1'"
        let whole: SQL = "\(1) \(part: part)"
        #expect(whole.text == "$1 'für $1 € ' || $2 || '1'")
    }

    @Test func `the database gets the values of all parts, also nulls`() async throws {
        try await Database.test.run { db in
            let missing: Int? = nil
            let part: SQL = "coalesce(\(missing)::bigint, 0), \("b")::text"
            let row = try db.query("SELECT ARRAY[\("a"), \(part: "concat_ws('-', \(part: part))")] AS all")[0]
            #expect(try row.read("all", as: [String].self) == ["a", "0-b"])
        }
    }
}
