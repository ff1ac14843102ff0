import DatabaseTesting
import Postgres
import Testing

@Suite(.database)
struct ValueTests {
    @Test func `every type reads back equal`() async throws {
        try await Database.test.run { db throws in
            try roundTrip("O'Hara \\ \"quoted\" \t\n {brace,} ünïcode 東京 🏠", as: "text", on: db)
            try roundTrip("", as: "empty text", on: db)
            try roundTrip([1, -2, Int.max, Int.min], as: "bigint[]", on: db)
            try roundTrip([] as [Int], as: "empty bigint[]", on: db)
            try roundTrip(["a,b", "{c}", "\"d\"", "\\", "NULL", "", " e "], as: "text[]", on: db)
            try roundTrip([nil, "NULL", nil] as [String?], as: "text[] with nulls", on: db)
            try roundTrip([0.1, -1.5e300, Double.leastNonzeroMagnitude], as: "float8[]", on: db)
            try roundTrip([true, false], as: "bool[]", on: db)
            try roundTrip(Bytes([0, 1, 127, 128, 255, 92]), as: "bytea", on: db)
            try roundTrip([Bytes([0, 255]), Bytes([])], as: "bytea[]", on: db)
        }
    }

    private func roundTrip<Value: SQLValue & Equatable>(
        _ value: Value, as type: String, on db: isolated Connection
    ) throws {
        let back: Value = try db.query("SELECT \(value) AS value")[0].read("value")
        #expect(back == value, "\(type)")
    }

    @Test(arguments: [Int.min, -1, 0, 1, Int.max]) func `integers are exact to their limits`(_ number: Int) async throws
    {
        let back: Int = try await Database.test.query("SELECT \(number)::bigint AS n")[0].read("n")
        #expect(back == number)
    }

    @Test func `a number too large for its type is refused, not cut`() async throws {
        let error = await #expect(throws: DatabaseError.self) {
            try await Database.test.query("SELECT 40000 AS n")[0].read("n", as: Int16.self)
        }
        #expect(error?.message == "the value in column \"n\" is not a Int16")
    }

    @Test(arguments: ["{1,NULL}", "{1,40000}", "{{1},{2}}", "[0:1]={1,2}"])
    func `an array that has other elements than the type is refused, not cut`(_ text: String) async throws {
        let row = try await Database.test.query("SELECT \(text)::integer[] AS n")[0]
        let error = #expect(throws: DatabaseError.self) { _ = try row.read("n", as: [Int16].self) }
        #expect(error?.message.contains("the value in column \"n\"") == true)
    }

    @Test func `a duration is an interval to the microsecond`() async throws {
        let back: Duration = try await Database.test.query(
            "SELECT extract(epoch FROM \(Duration.microseconds(1_500_001))::interval) AS d")[0].read("d")
        #expect(back == .microseconds(1_500_001))
    }

    @Test func `null is nil, and reading it as a value names the column`() async throws {
        let row = try await Database.test.query("SELECT \(nil as String?)::text AS nothing")[0]
        #expect(try row.readIfPresent("nothing", as: String.self) == nil)
        let error = #expect(throws: DatabaseError.self) { _ = try row.read("nothing", as: String.self) }
        #expect(error?.description == "postgres: the value in column \"nothing\" is not a String")
    }

    @Test func `text with a zero byte is refused instead of cut`() async throws {
        let error = await #expect(throws: DatabaseError.self) {
            try await Database.test.query("SELECT \("a\0b") AS text")
        }
        #expect(error?.message.contains("zero byte") == true)
    }

    @Test func `a value can't become part of the statement`() async throws {
        let name = "x'; DROP TABLE jobs; --"
        try await Database.test.run { db throws in
            #expect(try rows("SELECT \(name)::text AS name", on: db)[0].read("name") == name)
            #expect(
                try rows("SELECT 1 AS \(identifier: "odd \"name\"")", on: db)[0].read("odd \"name\"", as: Int.self) == 1
            )
        }
    }
}
