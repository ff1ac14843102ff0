import DatabaseTesting
import Postgres
import Testing

@Suite(.database)
struct CopyTests {
    private struct Halt: Error {}

    private func makeTable() async throws {
        try await Database.test.run(
            script: "CREATE TABLE things (id bigint PRIMARY KEY, name text, size float8, ok boolean, raw bytea)")
    }

    @Test func `copied rows read back equal`() async throws {
        try await makeTable()
        let names: [String?] = ["plain", "tab\tnew\nline\rback\\slash", "\\N", "", nil, "東京 🏠", "\u{8}\u{b}\u{c}"]
        try await Database.test.run { db throws in
            let count = try db.copy(into: "things (id, name, size, ok, raw)") { rows in
                for (id, name) in names.enumerated() {
                    try rows.append(id, name, Double(id) / 3, id % 2 == 0, Bytes([0, 92, 255]))
                }
            }
            #expect(count == names.count)
            for (id, name) in names.enumerated() {
                let row = try db.query("SELECT name, size, raw FROM things WHERE id = \(id)")[0]
                #expect(try row.readIfPresent("name") == name)
                #expect(try row.read("size") == Double(id) / 3)
                #expect(try row.read("raw") == Bytes([0, 92, 255]))
            }
            var back: [String?] = []
            try db.copy(outOf: "SELECT name FROM things ORDER BY id") { back.append($0.fields[0]) }
            #expect(back == names)
        }
    }

    @Test func `a hundred thousand rows are copied in and out with one statement each`() async throws {
        try await makeTable()
        try await Database.test.run { db throws in
            let count = 100_000
            try db.copy(into: "things (id, name)") { rows in
                for id in 0..<count { try rows.append(id, "thing number \(id)") }
            }
            var seen = 0
            try db.copy(outOf: "SELECT id, name FROM things ORDER BY id") { row in
                if row.fields[1] == "thing number \(seen)" { seen += 1 }
            }
            #expect(seen == count)
        }
    }

    @Test func `a copy whose sender throws leaves nothing behind`() async throws {
        try await makeTable()
        try await Database.test.run { db throws in
            #expect(throws: Halt.self) {
                try db.copy(into: "things (id, name)") { rows in
                    for id in 0..<50_000 { try rows.append(id, "x") }
                    throw Halt()
                }
            }
            #expect(try rows("SELECT FROM things", on: db).isEmpty)
        }
    }

    @Test func `a refused row is the error, and the connection stays usable`() async throws {
        try await makeTable()
        try await Database.test.run { db throws in
            let error = #expect(throws: DatabaseError.self) {
                try db.copy(into: "things (id, name)") { rows in
                    for id in 0..<200_000 { try rows.append(id == 5 ? 4 : id, "somebody's name") }
                }
            }
            #expect(error?.sqlState == "23505")
            #expect(error?.description.contains("somebody") == false)
            #expect(try rows("SELECT FROM things", on: db).isEmpty)
        }
    }

    @Test func `a reader that stops early leaves the connection usable`() async throws {
        try await Database.test.run { db throws in
            #expect(throws: Halt.self) {
                try db.copy(outOf: "SELECT generate_series(1, 5000000)") { _ in throw Halt() }
            }
            #expect(try rows("SELECT 1 AS one", on: db)[0].read("one") == 1)
        }
    }
}
