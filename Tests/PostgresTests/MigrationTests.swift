import DatabaseTesting
import Polling
import Postgres
import Testing

@Suite(.database)
struct MigrationTests {
    private let first = Migration(101, "first", Array("CREATE TABLE first (id integer)".utf8))
    private let second = Migration(102, "second", Array("CREATE TABLE second (id integer)".utf8))
    private let breaking = Migration(103, "third", Array("DROP TABLE first".utf8), isBreaking: true)

    private func scripts(_ migrations: Migration...) -> SchemaScripts { SchemaScripts(migrations: migrations) }

    /// A database without the product's own migrations.
    private func bareDatabase() async throws -> Database {
        let database = try Database(url: Database.testURL, options: .init(size: 8))
        try await database.run { try $0.run(script: "DROP SCHEMA public CASCADE; CREATE SCHEMA public") }
        return database
    }

    @Test func `each migration is applied once, however many processes migrate`() async throws {
        let database = try await bareDatabase()
        let taken = try await withThrowingTaskGroup(of: SchemaChanges.self) { group in
            for _ in 0..<8 { group.addTask { try await database.migrate(scripts(first, second)) } }
            return try await group.reduce(into: []) { $0 += $1.migrations }
        }
        #expect(taken == [101, 102])
        #expect(try await database.schemaState(comparedWith: scripts(first, second)) == .fits)
        await database.close()
    }

    @Test func `a failed migration leaves the schema as it was`() async throws {
        let database = try await bareDatabase()
        let bad = Migration(102, "bad", Array("CREATE TABLE half (id integer); SELECT 1 / 0".utf8))
        await #expect(throws: DatabaseError.self) { try await database.migrate(scripts(first, bad)) }
        #expect(try await database.schemaState(comparedWith: scripts(first)) == .behind(missing: [101]))
        await database.close()
    }

    @Test func `a migration that loses a deadlock runs again`() async throws {
        let database = try await bareDatabase()
        try await database.migrate(scripts(first, second))
        let locking = Migration(
            103, "locking",
            Array(
                """
                SET LOCAL deadlock_timeout = '10ms';
                LOCK first;
                SELECT pg_advisory_xact_lock(7);
                LOCK second;
                CREATE TABLE third ();
                """.utf8))
        let gate = try Database(url: Database.testURL, options: .init(size: 1))
        try await gate.run { try $0.run(script: "SELECT pg_advisory_lock(7)") }
        func aLockIsAwaited(_ condition: SQL) async throws {
            try await pollUntil {
                try await !gate.run {
                    try $0.query(
                        """
                        SELECT
                        FROM pg_locks
                        JOIN pg_database ON pg_database.oid = database AND datname = current_database()
                        WHERE NOT granted AND \(part: condition)
                        """
                    ).isEmpty
                }
            }
        }
        // The lock limit would end the wait before the deadlock.
        var limits = LockLimits()
        limits.wait = .seconds(3_600)
        async let changes = database.migrate(scripts(first, second, locking), under: limits)
        try await aLockIsAwaited("locktype = 'advisory' AND objid = 7")
        // This transaction does not notice a deadlock, so the migration is cancelled.
        async let other: Void = database.transaction { db throws in
            try db.run(script: "SET LOCAL deadlock_timeout = '1h'; LOCK second; LOCK first")
        }
        try await aLockIsAwaited("relation = 'first'::regclass")
        try await gate.run { try $0.run(script: "SELECT pg_advisory_unlock(7)") }
        #expect(try await changes.migrations == [103])
        try await other
        for database in [database, gate] { await database.close() }
    }

    @Test func `a program may use newer migrations that break nothing`() async throws {
        let database = try await bareDatabase()
        try await database.migrate(scripts(first, second))
        #expect(try await database.schemaState(comparedWith: scripts(first)) == .ahead(unknown: [102]))
        try await database.requireSchema(scripts(first))
        await database.close()
    }

    @Test func `a program refuses a newer schema that breaks it`() async throws {
        let database = try await bareDatabase()
        try await database.migrate(scripts(first, second, breaking))
        for attempt in [database.requireSchema, { _ = try await database.migrate($0) }] {
            let error = await #expect(throws: SchemaError.self) { try await attempt(scripts(first)) }
            #expect(error == .tooNew(unknown: [102, 103], known: 1))
            #expect(error?.description.contains("(it has migration 102, 103, this program has up to 1)") == true)
        }
        await database.close()
    }

    @Test func `a database that was never migrated is an error with the missing migrations`() async throws {
        let database = try await bareDatabase()
        let error = await #expect(throws: SchemaError.self) { try await database.requireSchema(scripts(first, second)) }
        #expect(error?.description == "the database lacks 2 of this program's migrations (101, 102)")
        await database.close()
    }
}
