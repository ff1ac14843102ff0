import Postgres
import Schema
import Testing

struct SeedTests {
    @Test(arguments: [(Seed.places, 9, 60_000), (Seed.postcodes, 7, 200_000)])
    func `every line of the seed data has all its columns`(_ seed: Seed, _ columns: Int, _ least: Int) throws {
        var lines = 0
        try seed.forEachLine { line in
            lines += 1
            if line.count != columns { Issue.record("line \(lines) of \(seed.name) has \(line.count) columns") }
        }
        #expect(lines > least)
    }

    @Test func `migrations are numbered one after the other`() {
        #expect(Schema.migrations.map(\.number) == Array(1...Schema.migrations.count))
    }
}
