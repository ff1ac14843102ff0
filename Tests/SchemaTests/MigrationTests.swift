import Postgres
import Schema
import Testing

struct MigrationTests {
    @Test func `migrations are numbered one after the other`() {
        #expect(Schema.migrations.map(\.number) == Array(1...Schema.migrations.count))
    }
}
